import type { Issue } from "@findersfee/contract/errors";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { isCanceled } from "../requests/canceled.ts";
import { texts } from "./texts.ts";

/** An item of a list, or the value of a currency, which people type as a line of the field. */
const LINE = /^(.+?)(?:\[(\d+)\]|\.([A-Z]{3}))$/;

/** An error that a form finds itself before it is sent, in a text that its control cannot check. */
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
 * The failure of a form: by field for `fields`, which show their own errors, and as a whole if it concerns others. A field shows
 * the errors of its lines, too, unless a control of its own does.
 * A canceled change has no failure.
 */
export function fieldFailures(
  error: Error | null,
  fields: readonly string[],
): { errorOf: ErrorOf; failure: Failure | null } {
  const failure = error === null || isCanceled(error) ? null : failureOf(error);
  const issues = error instanceof FieldRefused ? error.issues : (failure?.issues ?? []);
  const others = issues.filter(({ path }) => !fields.includes(path) && !fields.includes(fieldOf(path)));
  return {
    errorOf: (field) => {
      const issue = issues.find(({ path }) => path === field || fieldOf(path) === field);
      if (issue === undefined || issue.path === field) return issue?.message;
      const [, , index, currency = ""] = LINE.exec(issue.path) ?? [];
      if (index === undefined) return texts.of_currency(currency, issue.message);
      return texts.of_line(Number(index) + 1, issue.message);
    },
    failure:
      failure === null || (issues.length > 0 && others.length === 0) ? null : withNames(failure, others),
  };
}

/** A failure that names the fields which do not show their own errors. */
function withNames(failure: Failure, issues: readonly Issue[]): Failure {
  if (issues.length === 0) return failure;
  return { ...failure, message: issues.map((issue) => namedIssue(issue)).join(" ") };
}

/** `Commission: Must be 0.01 to 100.` A field without a label has its name in words. */
export function namedIssue({ path, message }: Issue, labels: Readonly<Record<string, string>> = {}): string {
  const [first = ""] = path.split(/[.[]/);
  const name = labels[path] ?? labels[first] ?? wordsOf(path);
  return name === "" ? message : `${name}: ${message}`;
}

/** `first_payment_commission.amount` as `First payment commission amount`. */
function wordsOf(path: string): string {
  const words = path
    .replaceAll(/\[\d+\]/g, "")
    .replaceAll(/[._]/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fieldOf(path: string): string {
  return LINE.exec(path)?.[1] ?? path;
}
