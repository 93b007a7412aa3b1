import { z } from "zod";
import { isCurrency } from "./currencies.ts";
import { emailIssue } from "./email-issue.ts";
import { parseUrl } from "./parse-url.ts";
import "./messages.ts";

/** The largest amount in major units that any currency may carry. */
export const MAX_AMOUNT = 999_999_999_999.99;

/*
 * Response fields. The service produces these values, so their schemas only name the type and document the
 * format; request fields (below) validate.
 */

export const id = z.string().meta({ format: "uuid", example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" });

export const timestamp = z.string().meta({ format: "date-time", example: "2026-11-20T09:30:00.000Z" });

export const email = z.string().meta({ format: "email", example: "jane@example.com" });

export const amount = z.number().meta({ description: "Major units: 20 is $20.00.", example: 20 });

export const currency = z
  .string()
  .meta({ description: "ISO 4217 code in upper case.", pattern: "^[A-Z]{3}$", example: "USD" });

/* Request fields. */

/** A validation message for a field; messages.ts covers missing values. */
export function must(message: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? undefined : message) };
}

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Text of at most `maximum` UTF-16 units that can be stored unchanged. */
export function text(maximum: number) {
  return z
    .string()
    .max(maximum)
    .refine(isStorable, must("Must be text without NUL characters and lone surrogates."));
}

/** Text with at least one character that is not whitespace. */
export function name(maximum: number) {
  return text(maximum).regex(/\S/, must("Must not be blank."));
}

/** An integer in a range, with one message for every violation. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .int(must(`Must be a whole number from ${minimum} to ${maximum}.`))
    .min(minimum)
    .max(maximum);
}

/** Higher than the number of values, since a client may repeat one. */
const MAX_VALUES = 20;
const MAX_LIST_LENGTH = 400;

/**
 * One or more of these values, as an array or, as in queries, as text separated by commas. Parsed as an
 * array.
 */
export function someOf<const Value extends string>(values: readonly Value[]) {
  const array = z.array(z.enum(values)).min(1).max(MAX_VALUES);
  const text = z
    .string()
    .max(MAX_LIST_LENGTH)
    .transform((value) => value.split(","))
    .pipe(array);
  return z.union([array, text], must(`Must be one of ${values.join(", ")}, or several separated by commas.`));
}

export const idInput = z
  .uuid(must("Must be a UUID."))
  .meta({ example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" });

const EARLIEST = Date.parse("1970-01-01T00:00:00.000Z");
/** In UTC: an offset can move a time beyond the years that ISO 8601 writes with four digits. */
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const TIMESTAMP = "Must be an ISO 8601 date-time with an offset, as in 2026-11-20T09:30:00.000Z.";

/** A `+` in a query arrives as a space. */
function timestampMessage({ input }: { input?: unknown }): string | undefined {
  if (typeof input !== "string" || !/ \d\d(:?\d\d)?$/.test(input)) return must(TIMESTAMP).error({ input });
  return `${TIMESTAMP} In a query, write the + of an offset as %2B.`;
}

/** Parsed to UTC with milliseconds and Z, regardless of the offset. */
export const timestampInput = z
  .string(must(TIMESTAMP))
  .max(64, { abort: true })
  .overwrite(withFullOffset)
  .check(z.iso.datetime({ offset: true, abort: true, error: timestampMessage }))
  .refine((value) => Date.parse(value) >= EARLIEST, must("Must not be before 1970."))
  .refine((value) => Date.parse(value) <= LATEST, must("Must not be after 9999."))
  .overwrite((value) => new Date(value).toISOString())
  .meta({ example: "2026-11-20T09:30:00.000Z" });

/** ISO 8601 also allows +0530 for +05:30 and +05 for +05:00; the next check accepts only the long form. */
function withFullOffset(value: string): string {
  const match = /^([^T]+T[^+-]+[+-]\d\d)(\d\d)?$/.exec(value);
  return match === null ? value : `${match[1]}:${match[2] ?? "00"}`;
}

const MAX_EMAIL_LENGTH = 254;
const EMAIL = `Must be an email address of at most ${MAX_EMAIL_LENGTH} characters.`;

/**
 * An email address as processors report it, without white space around it. It allows more than RFC 5321, because
 * providers do: a dot before the @, and letters outside ASCII.
 */
export const emailInput = z
  .string(must(EMAIL))
  .overwrite((value) => value.trim())
  .max(MAX_EMAIL_LENGTH, { abort: true, error: EMAIL })
  .refine((value) => emailIssue(value) === null, {
    error: ({ input }) => emailIssue(String(input)) ?? undefined,
  })
  .meta({ format: "email", example: "jane@example.com" });

/**
 * Matches cells that a spreadsheet would read as a formula, including leading quotes and whitespace. Postgres
 * reads the pattern the same way.
 */
export const FORMULA_START = /^['"\s]*[-=+@＝＋－＠]/;

/** An email that payouts may be sent to: payout files must carry it unchanged. */
export const payeeEmailInput = emailInput.refine(
  (value) => !FORMULA_START.test(value),
  must("Must not begin with +, - or another character that makes a spreadsheet read it as a formula."),
);

/** An amount in major units; how many decimals it may have depends on its currency. */
export const amountInput = z.number().gt(0).max(MAX_AMOUNT);

export const currencyInput = z
  .string()
  .refine(isCurrency, must("Must be an ISO 4217 currency code in upper case, as in USD."))
  .meta({ pattern: "^[A-Z]{3}$", example: "USD" });

/** A web page's address, stored unchanged. */
export const webUrlInput = text(2048)
  .refine(isWebUrl, must("Must be an http or https address."))
  .meta({ format: "uri", example: "https://example.com" });

function isWebUrl(value: string): boolean {
  const url = /[\s\p{Cc}]/u.test(value) ? null : parseUrl(value);
  if (url === null) return false;
  return (
    (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
  );
}

/** The code that identifies an affiliate in a link or at the checkout. */
export const codeInput = code(z.string());

/** A code from a link that people shared: the text around it is removed. */
export const sharedCodeInput = code(z.string().overwrite((value) => readCode(value) ?? value));

/**
 * The code at the start of a text, after white space; null: none. Tools and people put slashes, dots, brackets and
 * parameters after the codes in links.
 */
export function readCode(text: string): string | null {
  return /^\s*([A-Za-z0-9_-]{2,64})(?![A-Za-z0-9_-])/.exec(text)?.[1] ?? null;
}

function code(input: z.ZodString) {
  return input
    .regex(/^[A-Za-z0-9_-]{2,64}$/, must("Must be 2 to 64 letters, digits, dashes and underscores."))
    .meta({ example: "jane" });
}
