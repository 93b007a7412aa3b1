import type { Issue } from "@findersfee/contract/errors";
import { z } from "zod";

type ZodIssue = z.core.$ZodIssue;

// zod says "expected string, received undefined" of what is not there. Only here, while it still has the
// input, can it say that the field is missing; fields with messages of their own do it in the contract.
z.config({ customError: (issue) => (issue.input === undefined ? "Required." : undefined) });

/** zod's issues in the API's words: one per field, each unknown field by its name. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => fromZod(issue));
}

function fromZod(issue: ZodIssue): Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: "Unknown field." }));
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
