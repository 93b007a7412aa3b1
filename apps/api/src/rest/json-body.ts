import { DomainError, invalidField } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";

const MAX_DEPTH = 32;
/** The maximum number of values in objects and arrays; the largest campaign has about 6,000. */
const MAX_ENTRIES = 10_000;
/** Doubles preserve this many significant digits; further digits would be lost. */
const MAX_DIGITS = 17;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Makes JSON the only body that a scope accepts: UTF-8, uncompressed, without duplicate keys, of limited
 * depth and size. `read` turns the checked text into the request's body, for each accepted content type.
 */
export function acceptJson(
  app: FastifyInstance,
  read: (body: JsonBody) => unknown,
  types: string[] = ["application/json"],
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(types, { parseAs: "buffer" }, (request, buffer, done) => {
    try {
      requireUncompressedUtf8(request);
      done(null, buffer.length === 0 ? undefined : read(parseJson(decode(buffer as Buffer))));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

export interface JsonBody {
  text: string;
  value: unknown;
}

function requireUncompressedUtf8({ headers }: FastifyRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers["content-type"] ?? "")?.[1];
  const encoding = headers["content-encoding"] ?? "identity";
  const is_utf8 = charset === undefined || /^utf-?8$/i.test(charset);
  if (!is_utf8 || encoding.toLowerCase() !== "identity") throw new DomainError("unsupported_media_type");
}

function decode(buffer: Buffer): string {
  try {
    return utf8.decode(buffer);
  } catch {
    throw malformed("The body is not valid UTF-8.");
  }
}

/**
 * Parses JSON strictly. `JSON.parse` keeps the last of duplicate keys, so two readers of one body could see
 * two amounts; duplicates are rejected here. A text has as many members as it has colons outside of strings;
 * if the parsed value has fewer, some were duplicates.
 */
export function parseJson(text: string): JsonBody {
  const members = countMembers(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (countKeys(value) !== members) throw malformed("An object has duplicate keys.");
  return { text, value };
}

function malformed(message: string): DomainError {
  return invalidField("", message);
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const LOWER_CASE_E = 101;

/** Counts colons outside of strings, and rejects oversized texts before anything parses them. */
function countMembers(text: string): number {
  let members = 0;
  let entries = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    switch (character) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case COLON:
        members++;
        break;
      case COMMA:
        if (++entries > MAX_ENTRIES) throw malformed(`The body has more than ${MAX_ENTRIES} values.`);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > MAX_DEPTH) throw malformed(`The body has more than ${MAX_DEPTH} levels.`);
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
      default:
        if (character === MINUS || (character >= ZERO && character <= NINE)) {
          index = endOfNumber(text, index);
        }
    }
  }
  return members;
}

/** The index of the quote that ends the string beginning at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** The index of the last character of the number beginning at `start`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isPartOfNumber(text.charCodeAt(end))) end++;
  if (end - start > MAX_DIGITS) requireKeptDigits(text, start, end);
  return end - 1;
}

/** Digits, sign, point and exponent; `JSON.parse` checks their order. */
function isPartOfNumber(character: number): boolean {
  return (character >= MINUS - 2 && character <= NINE && character !== COMMA) || isExponentSign(character);
}

/**
 * Rejects a number that `JSON.parse` would round: 0.1000000000000000000001 becomes 0.1 without an error.
 * Reads each character once, because a body may be a single number of 256 KiB.
 */
function requireKeptDigits(text: string, start: number, end: number): void {
  let digits = 0;
  let digits_to_last_nonzero = 0;
  let has_point = false;
  for (let index = start; index < end; index++) {
    const character = text.charCodeAt(index);
    if (isExponentSign(character)) break;
    if (character === POINT) has_point = true;
    if (character < ZERO || character > NINE) continue;
    // Leading zeros are not significant.
    if (character !== ZERO || digits > 0) digits++;
    if (character !== ZERO) digits_to_last_nonzero = digits;
  }
  const significant = has_point ? digits_to_last_nonzero : digits;
  if (significant > MAX_DIGITS) {
    throw malformed(`A number has more than ${MAX_DIGITS} digits.`);
  }
}

function isExponentSign(character: number): boolean {
  return (character | 32) === LOWER_CASE_E;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const entry of value) keys += countKeys(entry);
    return keys;
  }
  for (const entry of Object.values(value)) keys += 1 + countKeys(entry);
  return keys;
}
