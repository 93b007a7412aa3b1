/**
 * Invisible characters that change how the surrounding text is read: controls other than line feeds, and marks that
 * change the direction of writing.
 */
const UNSEEN = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const MAX_SUBJECT_LENGTH = 200;

/** Untrusted text of several lines, without invisible characters. */
export function plainLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .replaceAll(UNSEEN, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Untrusted text as one line: a line feed in a name cannot start another line or header. */
export function plainLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(UNSEEN, "").trim();
}

/** One line of limited length, for a header. */
export function plainSubject(text: string): string {
  const characters = [...plainLine(text)];
  if (characters.length <= MAX_SUBJECT_LENGTH) return characters.join("");
  return `${characters.slice(0, MAX_SUBJECT_LENGTH - 1).join("")}…`;
}
