import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import MarkdownIt from "markdown-it";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** A code block of a document. */
export interface CodeBlock {
  /** The document's path in the repository. */
  source: string;
  /** The line number of its fence, from 1. */
  line: number;
  language: string;
  /** The rest of the fence's line: a file name, or a keyword for the tests. */
  remark: string;
  code: string;
}

/** Every document for readers, by its path in the repository. */
export const documents: readonly string[] = [
  ...["docs", "docs/contributing"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "SECURITY.md",
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

/** The links of a document, including images. */
export function linksOf(source: string): string[] {
  return markdown
    .parse(readDocument(source), {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "link_open" || type === "image")
    .map((token) => String(token.attrGet("href") ?? token.attrGet("src") ?? ""));
}

/** The rows of the table with a heading that begins with `firstCell`. */
export function tableBelow(source: string, firstCell: string): string[][] {
  const lines = readDocument(source).split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${firstCell} `));
  if (start < 0) throw new Error(`${source} has no table with the first heading ${firstCell}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
