import { splitAtLinks } from "./text-links.ts";

/** Words of a text that look alike. */
export interface TextRun {
  text: string;
  /** Where it leads, by `http` or `https`. */
  href: string | null;
  is_strong: boolean;
  is_emphasized: boolean;
}

/** A paragraph or heading with its line breaks, or a list. */
export type TextBlock =
  | { kind: "paragraph" | "heading"; runs: TextRun[] }
  | { kind: "bullets" | "numbers"; items: TextRun[][] };

/*
 * The light formatting of texts that an organization writes: a few signs of Markdown, as people type them in
 * mails and chats. `**bold**`, `*italic*`, `[label](https://…)`, lines that begin with `- ` or `1. `, `#
 * Heading`. Web addresses are links. An unclosed sign stays as it was typed, and nothing is HTML.
 */
export function parseLightText(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const content = paragraph.join("\n").replaceAll("\r", "");
    if (content.trim() !== "") blocks.push({ kind: "paragraph", runs: parseRuns(content) });
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const { kind, content } = kindOf(line);
    if (kind === "paragraph") {
      if (line.trim() === "") endParagraph();
      else paragraph.push(line);
      continue;
    }
    endParagraph();
    const last = blocks.at(-1);
    if (kind === "heading") blocks.push({ kind, runs: parseRuns(content) });
    else if (last?.kind === kind) last.items.push(parseRuns(content));
    else blocks.push({ kind, items: [parseRuns(content)] });
  }
  endParagraph();
  return blocks;
}

const STARTS = [
  ["bullets", /^ {0,3}[-*•] +(?=\S)/u],
  ["numbers", /^ {0,3}\d{1,2}[.)] +(?=\S)/u],
  ["heading", /^#{1,3} +(?=\S)/u],
] as const;

function kindOf(line: string): { kind: TextBlock["kind"]; content: string } {
  for (const [kind, start] of STARTS) {
    const [found] = start.exec(line) ?? [];
    if (found !== undefined) return { kind, content: line.slice(found.length).trimEnd() };
  }
  return { kind: "paragraph", content: line };
}

/** A label in brackets and its address. */
const LABELED = /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()<>\p{Cc}\p{Cf}]{1,2000})\)/giu;

function parseRuns(text: string): TextRun[] {
  const pieces: { text: string; href: string | null }[] = [];
  let end = 0;
  for (const { 0: found, 1: label = "", 2: address = "", index } of text.matchAll(LABELED)) {
    if (!URL.canParse(address)) continue;
    pieces.push(...splitAtLinks(text.slice(end, index)), { text: label, href: new URL(address).href });
    end = index + found.length;
  }
  pieces.push(...splitAtLinks(text.slice(end)));
  return emphasize(pieces.flatMap(splitAtSigns));
}

interface Part {
  text: string;
  href: string | null;
  /** Whether it is `*` or `**`, which may begin or end something. */
  is_sign: boolean;
}

function splitAtSigns({ text, href }: { text: string; href: string | null }): Part[] {
  if (href !== null) return [{ text, href, is_sign: false }];
  return text
    .split(/(\*{1,2})/u)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, href, is_sign: part === "*" || part === "**" }));
}

/** Takes out signs in pairs: one before a word, and the next one like it after a word. */
function emphasize(parts: readonly Part[]): TextRun[] {
  const closing_of = pairs(parts);
  const closings = new Set(closing_of.values());
  const runs: TextRun[] = [];
  let [is_strong, is_emphasized] = [false, false];
  for (const [index, { text, href }] of parts.entries()) {
    if (closing_of.has(index) || closings.has(index)) {
      if (text === "**") is_strong = !is_strong;
      else is_emphasized = !is_emphasized;
      continue;
    }
    runs.push({ text, href, is_strong, is_emphasized });
  }
  return joinAlike(runs);
}

/** The sign that closes each one that opens. */
function pairs(parts: readonly Part[]): Map<number, number> {
  const closing_of = new Map<number, number>();
  const open = new Map<string, number>();
  for (const [index, { text, is_sign }] of parts.entries()) {
    if (!is_sign) continue;
    const start = open.get(text);
    if (start !== undefined && isAfterWord(parts, index)) {
      closing_of.set(start, index);
      open.delete(text);
    } else if (isBeforeWord(parts, index)) {
      open.set(text, index);
    }
  }
  return closing_of;
}

function isAfterWord(parts: readonly Part[], index: number): boolean {
  return /\S$/u.test(parts[index - 1]?.text ?? "");
}

/** Not inside of a word or a product such as `2*3`. */
function isBeforeWord(parts: readonly Part[], index: number): boolean {
  const before = parts[index - 1];
  return (
    /^\S/u.test(parts[index + 1]?.text ?? "") && (before === undefined || !/[\p{L}\p{N}]$/u.test(before.text))
  );
}

function joinAlike(runs: readonly TextRun[]): TextRun[] {
  const joined: TextRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const is_alike =
      last !== undefined &&
      last.href === null &&
      run.href === null &&
      last.is_strong === run.is_strong &&
      last.is_emphasized === run.is_emphasized;
    if (is_alike) last.text += run.text;
    else joined.push({ ...run });
  }
  return joined;
}
