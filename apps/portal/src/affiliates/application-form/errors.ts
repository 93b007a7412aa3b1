import type { Failure } from "@findersfee/ui/requests/failure";
import type { Spoken } from "../../language/language.tsx";
import type { Problem, Problems } from "./draft.ts";

/** The sentence below a field; undefined: nothing is wrong with it. */
export type ErrorOf = (path: string) => string | undefined;

/** Why fields cannot be sent: the form's own errors, else the service's issues. */
export function errorsOf(problems: Problems, failure: Failure | null, { language, texts }: Spoken): ErrorOf {
  const { problems: words } = texts.join;
  return (path) => {
    const problem = problems[path];
    if (problem !== undefined) return problemText(problem, texts.join.problems, texts.components.locale);
    // Details of an answer have longer paths: `custom_fields[0].value`.
    const issue = failure?.issues.find(({ path: of }) => of === path || of.startsWith(`${path}.`));
    if (issue === undefined) return undefined;
    return language === "en" ? issue.message : words.refused;
  };
}

function problemText(problem: Problem, words: Spoken["texts"]["join"]["problems"], locale: string): string {
  if (typeof problem === "string") return words[problem];
  return words.too_long(problem.most.toLocaleString(locale));
}
