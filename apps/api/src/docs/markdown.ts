import { posix } from "node:path";
import { parseUrl } from "@findersfee/contract/parse-url";
import MarkdownIt, { type Token } from "markdown-it";
import { codeBlock } from "./code-block.ts";
import { addressOf, pages } from "./pages.ts";
import { labelTables } from "./tables.ts";

/** A heading with the text below it, up to the next heading. */
export interface Section {
  /** The fragment of its links; empty for the text under the page's title. */
  anchor: string;
  level: number;
  heading: string;
  /** All words and code below the heading, for searching. */
  text: string;
}

export interface RenderedMarkdown {
  html: string;
  sections: Section[];
}

/** The shared parser of all pages, with HTML in documents disabled. */
export const markdown = new MarkdownIt({ html: false });

// Wide tables and lines scroll on their own, by keyboard as well; the page never scrolls sideways.
markdown.renderer.rules.table_open = (tokens, index, options, _env, renderer) =>
  `<div class="table" role="region" aria-label="Table" tabindex="0">${renderer.renderToken(tokens, index, options)}`;
markdown.renderer.rules.table_close = () => "</table></div>\n";
markdown.renderer.rules.fence = (tokens, index) => {
  const { info = "", content = "" } = tokens[index] ?? {};
  const [language = "", ...remark] = info.trim().split(/\s+/);
  const name = remark.find((word) => word.includes(".")) ?? "";
  return codeBlock({ code: content, language, name });
};

/** Renders a description, which has no blocks. */
export function renderInline(text: string): string {
  return markdown.renderInline(text);
}

/** Renders a document; `source` is its path in the repository, which its links are relative to. */
export function renderMarkdown(text: string, source: string): RenderedMarkdown {
  const tokens = markdown.parse(text, {});
  const sections = sectionsOf(tokens);
  labelTables(tokens);
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    for (const part of token.children ?? []) pointToPage(part, source);
    if (token.type !== "heading_open") continue;
    const { anchor, level } = sections[next++] ?? {};
    if (level === 1) continue;
    token.attrSet("id", anchor ?? "");
    linkTo(anchor ?? "", tokens[index + 1]);
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections };
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plainText(tokens[index + 1]);
      const level = Number(token.tag.slice(1));
      const anchor = level === 1 ? "" : uniqueAnchor(heading, taken);
      sections.push({ anchor, level, heading, text: "" });
    } else if (tokens[index - 1]?.type !== "heading_open") {
      const section = sections.at(-1);
      const words = token.type === "inline" ? plainText(token) : token.type === "fence" ? token.content : "";
      if (section !== undefined && words !== "") section.text += `${words.trim()}\n`;
    }
  }
  return sections;
}

/** Slugs as code hosts generate them, so that links to headings work both there and here. */
function uniqueAnchor(heading: string, taken: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function plainText(inline: Token | undefined): string {
  const parts = inline?.children ?? [];
  return parts.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}

/** Links to documents name files; here they name pages. Other links stay unchanged. */
function pointToPage(part: Token, source: string): void {
  const href = part.type === "link_open" ? String(part.attrGet("href") ?? "") : "";
  if (href === "" || href.startsWith("#") || parseUrl(href) !== null) return;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(source), path);
  const page = pages.find(({ source }) => source === target);
  if (page === undefined) return;
  part.attrSet("href", `${addressOf(page)}${anchor === undefined ? "" : `#${anchor}`}`);
}

/** Turns a heading's text into a link to it. */
function linkTo(anchor: string, heading: Token | undefined): void {
  if (heading?.children == null) return;
  const [open, , close] = markdown.parseInline(`[x](#${anchor})`, {})[0]?.children ?? [];
  if (open === undefined || close === undefined) throw new Error(`heading #${anchor} has no text to link`);
  heading.children = [open, ...heading.children, close];
}
