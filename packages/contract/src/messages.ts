import { z } from "zod";

/** Names of JSON types in messages. */
const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "a boolean (true or false)",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** The unit of each type's size. */
const UNITS: Record<string, string> = { string: "character", array: "item" };

/**
 * The default validation messages, for checks without a message of their own; a missing value is "Required."
 * Only this hook sees zod's input, so only here can missing and wrong values be distinguished.
 */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "Required.";
  switch (issue.code) {
    case "invalid_type":
      return typeMessage(issue.expected, issue.input);
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return maximumMessage(issue);
    case "too_small":
      return minimumMessage(issue);
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
  const type = TYPES[expected] ?? expected;
  // Forms send null for an empty field; people do not know the word.
  if (input === null) return `Required: ${type}.`;
  const must = `Must be ${type}`;
  // The input was a number where a number is expected: it has decimals or is too large to represent exactly.
  if (typeof input === "number" && (expected === "int" || expected === "number")) return `${must}.`;
  return `${must}, not ${kindOf(input)}.`;
}

function kindOf(input: unknown): string {
  if (Array.isArray(input)) return "an array";
  return typeof input === "boolean" ? "a boolean" : (TYPES[typeof input] ?? typeof input);
}

function maximumMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  return sizeMessage(issue, issue.inclusive ? "at most" : "less than", issue.maximum);
}

function minimumMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  return sizeMessage(issue, issue.inclusive ? "at least" : "greater than", issue.minimum);
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
