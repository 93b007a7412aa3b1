import { z } from "zod";

/** How a type is called in messages, and in JSON. */
const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "a boolean (true or false)",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** What the sizes of these are counted in. */
const UNITS: Record<string, string> = { string: "character", array: "item" };

/**
 * What a value must be, for every check that does not say it in words of its own; for what is missing, that
 * it is required. Only here, while zod still has the input, can the two be told apart.
 */
export function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "Required.";
  switch (issue.code) {
    case "invalid_type":
      return typeMessage(issue.expected, issue.input);
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return sizeMessage(issue, issue.inclusive ? "at most" : "less than", issue.maximum);
    case "too_small":
      return sizeMessage(issue, issue.inclusive ? "at least" : "greater than", issue.minimum);
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return "Unknown field.";
    case "invalid_format":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "Is not valid.";
  }
}

function typeMessage(expected: string, input: unknown): string {
  const must = `Must be ${TYPES[expected] ?? expected}`;
  // A number where a number was expected: one with decimals, or larger than any that can be computed with.
  if (typeof input === "number" && (expected === "int" || expected === "number")) return `${must}.`;
  return `${must}, not ${input === null ? "null" : kindOf(input)}.`;
}

function kindOf(input: unknown): string {
  if (Array.isArray(input)) return "an array";
  return typeof input === "boolean" ? "a boolean" : (TYPES[typeof input] ?? typeof input);
}

function sizeMessage(
  { origin, exact }: { origin: string; exact?: boolean | undefined },
  relation: string,
  bound: number | bigint,
): string {
  const size = `${exact ? "exactly" : relation} ${bound}`;
  const unit = UNITS[origin];
  if (unit === undefined) return `Must be ${size}.`;
  return `Must have ${size} ${unit}${Number(bound) === 1 ? "" : "s"}.`;
}

z.config({ customError: messageOf });
