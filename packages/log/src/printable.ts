/**
 * Characters that control a terminal or change how the surrounding text is displayed: C0 and C1 controls
 * (escape sequences begin with one), format characters (bidirectional overrides, zero-width characters), the
 * two Unicode line breaks, and unpaired surrogates.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces each unprintable character, line breaks included, with U+FFFD. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, "\ufffd");
}

/**
 * Escapes the unprintable characters that JSON allows in strings as `\u` sequences. The result parses to the
 * same value. Line breaks between JSON tokens stay.
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
