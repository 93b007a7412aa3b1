import type { Issue } from "@findersfee/contract/errors";
import type { z } from "zod";

type ZodIssue = z.core.$ZodIssue;

/** A body of nonsense can have thousands; nobody reads on, and the answer must not outgrow the question. */
export const MAXIMUM_ISSUES = 100;

/** zod's issues in the API's words: one per field, each unknown field by its name. */
export function issuesOf(error: z.ZodError): Issue[] {
  const issues: Issue[] = [];
  for (const issue of error.issues) {
    if (issues.length >= MAXIMUM_ISSUES) break;
    issues.push(...fromZod(issue));
  }
  return issues.slice(0, MAXIMUM_ISSUES);
}

function fromZod(issue: ZodIssue): Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: issue.message }));
  }
  return [{ path: pathOf(issue.path), message: issue.message }];
}

/** `["custom_fields", 0, "label"]` as `custom_fields[0].label`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}
