import type { Issue } from "@findersfee/contract/errors";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { isCanceled } from "../requests/canceled.ts";
import { texts } from "./texts.ts";

/** An item of a list, or the value of a currency, which people type as a line of the field. */
const LINE = /^(.+?)(?:\[(\d+)\]|\.([A-Z]{3}))$/;

/** What a form refuses itself, before it is sent: a text that its control cannot check. */
export class FieldRefused extends Error {
  readonly issues: readonly Issue[];

  constructor(path: string, message: string) {
    super(message);
    this.issues = [{ path, message }];
  }
}

/** Returns why the service, or the form, refused a field. */
export type ErrorOf = (field: string) => string | undefined;

/**
 * The failure of a form: by field for `fields`, which show their own errors, and as a whole if it concerns none of them. A field shows
 * the errors of its lines, too, unless a control of its own does.
 * A canceled change has no failure.
 */
export function fieldFailures(
  error: Error | null,
  fields: readonly string[],
): { errorOf: ErrorOf; failure: Failure | null } {
  const failure = error === null || isCanceled(error) ? null : failureOf(error);
  const issues = error instanceof FieldRefused ? error.issues : (failure?.issues ?? []);
  const is_shown = issues.some(({ path }) => fields.includes(fieldOf(path)));
  return {
    errorOf: (field) => {
      const issue = issues.find(({ path }) => path === field || fieldOf(path) === field);
      if (issue === undefined || issue.path === field) return issue?.message;
      const [, , index, currency = ""] = LINE.exec(issue.path) ?? [];
      if (index === undefined) return texts.of_currency(currency, issue.message);
      return texts.of_line(Number(index) + 1, issue.message);
    },
    failure: is_shown ? null : failure,
  };
}

function fieldOf(path: string): string {
  return LINE.exec(path)?.[1] ?? path;
}
