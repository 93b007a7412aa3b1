import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { type TaggedBody, tagBody } from "../tagged-body.ts";
import { docsFile, markdownName } from "./files.ts";
import { layOut, neighbours } from "./layout.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { addressOf, type Page, pages, REFERENCE } from "./pages.ts";

const HTML = "text/html; charset=utf-8";

/** What the search in the browser reads: one entry for each heading of each page. */
interface SearchEntry {
  /** The section's address, as links have it. */
  id: string;
  page: string;
  heading: string;
  text: string;
}

const DOCUMENT_HEAD = `<link rel="stylesheet" href="document.css">
`;

/** A document as a page. */
export async function renderPage(page: Page): Promise<TaggedBody> {
  const { html, sections } = await render(page);
  const headings = sections.filter(({ level }) => level === 2);
  return tagBody(
    layOut({
      title: page.title,
      html: `<article>\n${html}</article>\n${neighbours(page)}`,
      head: DOCUMENT_HEAD,
      slug: page.slug,
      headings,
    }),
    HTML,
  );
}

const REFERENCE_HEAD = `<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="reference.css">
<script src="swagger-ui-bundle.js" defer></script>
<script src="reference.js" defer></script>
`;

/** The page of the reference, which Swagger UI draws in the browser. */
export function renderReference(): TaggedBody {
  const html = `<h1 class="unseen">Reference</h1>
<noscript><p>This page needs JavaScript; the <a href="../v1/openapi.json">OpenAPI document</a> has the same content.</p></noscript>
<div id="reference"></div>`;
  return tagBody(layOut({ title: "Reference", html, head: REFERENCE_HEAD, slug: REFERENCE }), HTML);
}

/** All sections of all pages, for the search. */
export async function renderSearchIndex(): Promise<TaggedBody> {
  const entries: SearchEntry[] = [];
  for (const page of pages) {
    const { sections } = await render(page);
    for (const { anchor, heading, text } of sections) {
      const id = anchor === "" ? addressOf(page) : `${addressOf(page)}#${anchor}`;
      entries.push({ id, page: page.title, heading, text });
    }
    // A page takes some milliseconds; other requests need not wait for all of them.
    await setImmediate();
  }
  return tagBody(JSON.stringify(entries), "application/json; charset=utf-8");
}

async function render({ slug, source }: Page): Promise<RenderedMarkdown> {
  return renderMarkdown(await readFile(docsFile(markdownName(slug)), "utf8"), source);
}
