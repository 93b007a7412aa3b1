import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { isCanceled } from "../requests/canceled.ts";

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
  const is_shown = issues.some(({ path }) => fields.includes(path));
  return {
    errorOf: (field) => issues.find(({ path }) => path === field)?.message,
    failure: is_shown ? null : failure,
  };
}
