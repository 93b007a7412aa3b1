/** A start tag of a page. */
export interface Tag {
  /** In lower case. */
  name: string;
  /** Values by names in lower case; an attribute without a value is an empty text. */
  attributes: ReadonlyMap<string, string>;
  /** Of a script: its code. */
  text: string;
}

const START = /<!--|<(script|meta|a|stripe-buy-button|stripe-pricing-table)(?=[\s/>])/gi;

/**
 * The tags of a page that tracking concerns, without those in comments and scripts. Those that the page's own scripts add are not in
 * it. Each character is read once, also on a page that leaves quotes, comments and scripts open.
 */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  const start = new RegExp(START);
  for (let match = start.exec(html); match !== null; match = start.exec(html)) {
    const name = (match[1] ?? "").toLowerCase();
    if (name === "") {
      start.lastIndex = after(html, "-->", match.index + "<!--".length);
      continue;
    }
    const attributes = new Map<string, string>();
    const end = readAttributes(html, start.lastIndex, attributes);
    if (end === null) break;
    const next = name === "script" ? endOfScript(html, end) : end;
    tags.push({ name, attributes, text: name === "script" ? html.slice(end, next) : "" });
    start.lastIndex = next;
  }
  return tags;
}

const BLANKS = /[\s/]*/y;
const NAME = /[^\s/>=]+/y;
const EQUALS = /\s*=\s*/y;
const PLAIN_VALUE = /[^\s>]*/y;

/** Reads the attributes at a position. Returns the position after the tag; null: the page ends in it. */
function readAttributes(html: string, at: number, attributes: Map<string, string>): number | null {
  let position = at;
  for (;;) {
    position += lengthOf(BLANKS, html, position);
    if (position >= html.length) return null;
    if (html[position] === ">") return position + 1;
    // A stray equals sign begins a name.
    const length = Math.max(1, lengthOf(NAME, html, position));
    const name = html.slice(position, position + length).toLowerCase();
    position += length;
    const equals = lengthOf(EQUALS, html, position);
    const value = equals === 0 ? { text: "", end: position } : readValue(html, position + equals);
    if (value === null) return null;
    if (!attributes.has(name)) attributes.set(name, withoutEscapes(value.text));
    position = value.end;
  }
}

function readValue(html: string, at: number): { text: string; end: number } | null {
  const quote = html[at] ?? "";
  if (quote !== '"' && quote !== "'") {
    const end = at + lengthOf(PLAIN_VALUE, html, at);
    return { text: html.slice(at, end), end };
  }
  const end = html.indexOf(quote, at + 1);
  return end === -1 ? null : { text: html.slice(at + 1, end), end: end + 1 };
}

/** The length of a sticky pattern's match at a position. */
function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function endOfScript(html: string, at: number): number {
  const close = /<\/script/gi;
  close.lastIndex = at;
  return close.exec(html)?.index ?? html.length;
}

/** The position after a text; the end if it does not come. */
function after(html: string, text: string, at: number): number {
  const found = html.indexOf(text, at);
  return found === -1 ? html.length : found + text.length;
}

function withoutEscapes(value: string): string {
  return value
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;/g, "'")
    .replace(/&amp;/g, "&");
}
