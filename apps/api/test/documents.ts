import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import MarkdownIt from "markdown-it";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A code block of a document. */
export interface CodeBlock {
  /** The document's path in the repository. */
  source: string;
  /** The line of its fence, from 1. */
  line: number;
  language: string;
  /** What else stands after the fence: the file it is saved as, or a word for the tests. */
  remark: string;
  code: string;
}

/** Every document that is for readers, by its path in the repository. */
export const documents: readonly string[] = [
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "README.md",
  "CONTRIBUTING.md",
  "apps/cli/README.md",
  "packages/sdk/README.md",
].filter((path) => existsSync(join(ROOT, path)));

export function readDocument(source: string): string {
  return readFileSync(join(ROOT, source), "utf8");
}

const markdown = new MarkdownIt();

export function codeBlocksOf(source: string): CodeBlock[] {
  return markdown
    .parse(readDocument(source), {})
    .filter(({ type }) => type === "fence")
    .map(({ info, content, map }) => {
      const [language = "", ...remark] = info.trim().split(/\s+/);
      return { source, line: (map?.[0] ?? 0) + 1, language, remark: remark.join(" "), code: content };
    });
}

/** Where a document's links lead, images included. */
export function linksOf(source: string): string[] {
  return markdown
    .parse(readDocument(source), {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "link_open" || type === "image")
    .map((token) => String(token.attrGet("href") ?? token.attrGet("src") ?? ""));
}

/** The cells of each row of the table whose heading begins with `firstCell`. */
export function tableBelow(source: string, firstCell: string): string[][] {
  const lines = readDocument(source).split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${firstCell} `));
  if (start < 0) throw new Error(`${source} has no table that begins with ${firstCell}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
