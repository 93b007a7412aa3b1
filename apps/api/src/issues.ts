import type { Issue } from "@findersfee/contract/errors";
import type { z } from "zod";

type ZodIssue = z.core.$ZodIssue;

/**
 * The maximum number of issues in a response; a malformed body can have thousands, and the response must not
 * outgrow the request.
 */
export const MAX_ISSUES = 100;

/** Converts zod's issues to the API's: one per field, each unknown field by its name. */
export function issuesOf(error: z.ZodError): Issue[] {
  const issues: Issue[] = [];
  for (const issue of error.issues) {
    if (issues.length >= MAX_ISSUES) break;
    issues.push(...fromZod(issue));
  }
  return issues.slice(0, MAX_ISSUES);
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
