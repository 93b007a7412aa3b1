import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { ApiDocument } from "../openapi/document-types.ts";
import { type TaggedBody, tagBody } from "../rest/tagged-body.ts";
import { docsFile } from "./files.ts";
import { type Heading, layOut, neighbors } from "./layout.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { servedMarkdown } from "./markdown-source.ts";
import { type DocsPage, type Entry, markdownName, pages, REFERENCE, reference_pages } from "./pages.ts";
import { introduction } from "./reference/introduction.ts";
import type { ReferencePage } from "./reference/model.ts";
import { pageHtml } from "./reference/page-html.ts";
import { pageMarkdown } from "./reference/page-markdown.ts";
import { type ApiReference, buildReference } from "./reference/reference.ts";
import { referenceEntries, type SearchEntry, sectionEntries } from "./search-index.ts";

export { missingPage } from "./missing.ts";

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** A document as a page. */
export async function renderPage(page: DocsPage): Promise<TaggedBody> {
  const { html, sections } = await render(page);
  const headings = sections.filter(({ level }) => level === 2);
  const body = `<article>\n${html}</article>\n${neighbors(page)}`;
  return tagBody(layOut({ ...page, html: body, kind: "document", headings }), HTML);
}

/** A document as Markdown. */
export async function renderPageMarkdown(page: DocsPage): Promise<TaggedBody> {
  return tagBody(servedMarkdown(await readDocument(page), page.source), MARKDOWN);
}

/** A reference page. */
export async function renderReference(entry: Entry, document: ApiDocument): Promise<TaggedBody> {
  const reference = buildReference(document);
  if (entry.slug === REFERENCE) {
    const { html, sections } = renderMarkdown(introduction(reference), REFERENCE);
    const headings = sections.filter(({ level }) => level === 2);
    return tagBody(
      layOut({ ...entry, html: `<article>\n${html}</article>`, kind: "document", headings }),
      HTML,
    );
  }
  const page = pageOf(reference, entry);
  const html = `<article>\n${await pageHtml(page, reference)}</article>`;
  return tagBody(layOut({ ...entry, html, kind: "reference", headings: headingsOf(page) }), HTML);
}

/** A reference page as Markdown. */
export function renderReferenceMarkdown(entry: Entry, document: ApiDocument): TaggedBody {
  const reference = buildReference(document);
  const text =
    entry.slug === REFERENCE
      ? introduction(reference, ".md")
      : pageMarkdown(pageOf(reference, entry), reference);
  return tagBody(text, MARKDOWN);
}

/** All sections of all pages, for searching. */
export async function renderSearchIndex(document: ApiDocument): Promise<TaggedBody> {
  const entries: SearchEntry[] = [];
  for (const page of pages) {
    entries.push(...sectionEntries(page, (await render(page)).sections));
    // A page takes a few milliseconds; yield to other requests in between.
    await setImmediate();
  }
  const reference = buildReference(document);
  for (const entry of reference_pages) {
    if (entry.slug === REFERENCE) {
      entries.push(...sectionEntries(entry, renderMarkdown(introduction(reference), REFERENCE).sections));
    } else entries.push(...referenceEntries(pageOf(reference, entry), reference));
    await setImmediate();
  }
  return tagBody(JSON.stringify(entries), "application/json; charset=utf-8");
}

function pageOf({ pages: found }: ApiReference, { slug }: Entry): ReferencePage {
  const page = found.find((candidate) => candidate.slug === slug);
  if (page === undefined) throw new Error(`the reference has no page ${slug}`);
  return page;
}

function headingsOf({ object, operations, events }: ReferencePage): Heading[] {
  return [
    ...(object === null
      ? []
      : [{ anchor: object.anchor, heading: `The ${object.name.toLowerCase()} object` }]),
    ...operations.map(({ anchor, summary }) => ({ anchor, heading: summary })),
    ...events.map(({ anchor, type }) => ({ anchor, heading: type })),
  ];
}

async function render(page: DocsPage): Promise<RenderedMarkdown> {
  return renderMarkdown(await readDocument(page), page.source);
}

async function readDocument({ slug }: DocsPage): Promise<string> {
  return await readFile(docsFile(markdownName(slug)), "utf8");
}
