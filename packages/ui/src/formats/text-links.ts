/** A part of a text: an address to link to, or other text. */
export interface TextPiece {
  text: string;
  href: string | null;
}

/** Ends at invisible characters, such as those that change the direction of text: they would show another address. */
const ADDRESS = /https?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+/giu;

/** Characters that end a sentence, not an address. */
const AT_END = new Set([".", ",", ";", ":", "!", "?", ")", "]", "}", "…", "*", "_"]);

/** Splits a text at its `http` and `https` addresses. The parts make up the whole text again. */
export function splitAtLinks(text: string): TextPiece[] {
  const parts: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    if (!isAddress(address)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href: new URL(address).href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** A closing bracket belongs to the address if that has the opening one, as in `https://example.com/a_(b)`. */
function withoutEnd(found: string): string {
  let end = found.length;
  const has_bracket = found.includes("(");
  while (end > 0 && AT_END.has(found[end - 1] ?? "") && !(has_bracket && found[end - 1] === ")")) end -= 1;
  return found.slice(0, end);
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "http:" || protocol === "https:";
}
