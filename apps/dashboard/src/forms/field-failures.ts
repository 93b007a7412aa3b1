import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { isCanceled } from "../requests/canceled.ts";
import { texts } from "./texts.ts";

/** An item of a list, which people type as a line. */
const ITEM = /\[(\d+)\]$/;

/** Returns why the service refused a field. */
export type ErrorOf = (field: string) => string | undefined;

/**
 * The failure of a form: by field for `fields`, which show their own errors, and as a whole if it concerns none of them.
 * A canceled change has no failure.
 */
export function fieldFailures(
  error: Error | null,
  fields: readonly string[],
): { errorOf: ErrorOf; failure: Failure | null } {
  const failure = error === null || isCanceled(error) ? null : failureOf(error);
  const issues = failure?.issues ?? [];
  const is_shown = issues.some(({ path }) => fields.includes(path.replace(ITEM, "")));
  return {
    errorOf: (field) => {
      const issue = issues.find(({ path }) => path === field || path.replace(ITEM, "") === field);
      if (issue === undefined || issue.path === field) return issue?.message;
      return texts.of_line(Number(ITEM.exec(issue.path)?.[1]) + 1, issue.message);
    },
    failure: is_shown ? null : failure,
  };
}
