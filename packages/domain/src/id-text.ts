import type { IdText } from "@findersfee/database/search/matches";

const DIGITS = 32;
/** An id begins with its time: too many ids share fewer digits. */
const FEWEST_DIGITS = 8;

/** A UUID's beginning, with its dashes or without them. */
const BEGINNING = /^[0-9a-f]{8}(-|$|[0-9a-f])[0-9a-f-]*$/;
const END = /^…?([0-9a-f]{8})$/;

/** The ids that a text in lower case can be the beginning or the end of. */
export function idTextOf(text: string): IdText {
  const digits = text.replaceAll("-", "");
  const begins = BEGINNING.test(text) && digits.length >= FEWEST_DIGITS && digits.length <= DIGITS;
  return {
    from: begins ? dashed(digits.padEnd(DIGITS, "0")) : null,
    until: begins ? dashed(digits.padEnd(DIGITS, "f")) : null,
    end: END.exec(text)?.[1] ?? null,
  };
}

function dashed(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");
}
