/**
 * Characters that are not seen and change how what stands around them is read: controls, but for line feeds, and
 * marks that turn the direction of writing.
 */
const UNSEEN = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const LONGEST_SUBJECT = 200;

/** Text of several lines, as somebody else wrote it, without what is not seen. */
export function plainLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .replaceAll(UNSEEN, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Text of one line: a name with a line feed in it begins no line of ours, nor a header. */
export function plainLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(UNSEEN, "").trim();
}

/** For a header: one line, and not too long a one. */
export function plainSubject(text: string): string {
  const characters = [...plainLine(text)];
  if (characters.length <= LONGEST_SUBJECT) return characters.join("");
  return `${characters.slice(0, LONGEST_SUBJECT - 1).join("")}…`;
}
