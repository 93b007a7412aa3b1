/**
 * Characters that act on a terminal or change how the text around them reads: C0 and C1 controls (escape
 * sequences begin with one), format characters (bidirectional overrides, zero-width ones), the two Unicode line
 * breaks, and halves of a surrogate pair.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with U+FFFD for each character that is not printable, line breaks included. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, "\ufffd");
}

/**
 * JSON with `\u` escapes for the unprintable characters that JSON allows in strings. It parses to the same value.
 * The line breaks between JSON's tokens stay.
 */
export function escapeJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, (character) =>
    character === "\n" ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
