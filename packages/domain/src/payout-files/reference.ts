/** Crockford's base 32: no I, L, O and U, and no difference between upper and lower case. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BITS = 5n;

const ID_DIGITS = 26;
const ENDING_DIGITS = 10;
/** Hexadecimal digits of a UUID's last group: 48 bits, which are random in ours. */
const ENDING_LENGTH = 12;

/**
 * A payout's id in 26 characters, as a ULID is written (github.com/ulid/spec): a UUID's 36 are more than PayPal
 * takes.
 */
export function referenceOf(id: string): string {
  return write(BigInt(`0x${id.replaceAll("-", "")}`), ID_DIGITS);
}

/** The id that a reference stands for; null: it is none of ours. */
export function idOf(reference: string): string | null {
  const value = read(reference, ID_DIGITS);
  if (value === null || value >> 128n !== 0n) return null;
  const digits = value.toString(16).padStart(32, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The last group of a payout's id in 10 characters, which is all that Wise sends with payments in USD. */
export function shortReferenceOf(id: string): string {
  return write(BigInt(`0x${endingOf(id)}`), ENDING_DIGITS);
}

/** The last group of the id that a short reference stands for; null: it is none of ours. */
export function endingOfReference(reference: string): string | null {
  const value = read(reference, ENDING_DIGITS);
  if (value === null || value >> 48n !== 0n) return null;
  return value.toString(16).padStart(ENDING_LENGTH, "0");
}

/** What short references know of an id. */
export function endingOf(id: string): string {
  return id.slice(-ENDING_LENGTH);
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
