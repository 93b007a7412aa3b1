import type { IdText } from "@findersfee/database/search/matches";
import { idTextOf } from "../id-text.ts";

/** Crockford's base 32: case-insensitive, without I, L, O and U. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BITS = 5n;

const ID_DIGITS = 26;
const ENDING_DIGITS = 10;
/** Hexadecimal digits of a UUID's last group: 48 bits, which are random in our ids. */
const ENDING_LENGTH = 12;

/**
 * A payout's id in 26 characters, like a ULID (github.com/ulid/spec), because PayPal does not accept the 36 characters
 * of a UUID.
 */
export function referenceOf(id: string): string {
  return write(BigInt(`0x${id.replaceAll("-", "")}`), ID_DIGITS);
}

/** The id of a reference; null: not one of ours. */
export function idOf(reference: string): string | null {
  const value = read(reference, ID_DIGITS);
  if (value === null || value >> 128n !== 0n) return null;
  const digits = value.toString(16).padStart(32, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The last group of a payout's id in 10 characters, the maximum that Wise sends with payments in USD. */
export function shortReferenceOf(id: string): string {
  return write(BigInt(`0x${endingOf(id)}`), ENDING_DIGITS);
}

/** The last group of the id of a short reference; null: not one of ours. */
export function endingOfReference(reference: string): string | null {
  const value = read(reference, ENDING_DIGITS);
  if (value === null || value >> 48n !== 0n) return null;
  return value.toString(16).padStart(ENDING_LENGTH, "0");
}

/** The part of an id that is in short references. */
export function endingOf(id: string): string {
  return id.slice(-ENDING_LENGTH);
}

const END_DIGITS = 8;

/** As `idTextOf`, for payouts: also the references that payees see. */
export function payoutIdTextOf(text: string): IdText {
  const id = idOf(text);
  if (id !== null) return { from: id, until: id, end: null };
  const ending = endingOfReference(text);
  return ending === null ? idTextOf(text) : { from: null, until: null, end: ending.slice(-END_DIGITS) };
}

function write(value: bigint, length: number): string {
  let text = "";
  for (let place = 0; place < length; place++) {
    text = DIGITS.charAt(Number(value & 31n)) + text;
    value >>= BITS;
  }
  return text;
}

function read(text: string, length: number): bigint | null {
  if (text.length !== length) return null;
  let value = 0n;
  for (const character of text.toUpperCase()) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return null;
    value = (value << BITS) | BigInt(digit);
  }
  return value;
}
