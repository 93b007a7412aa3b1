import { addressOf, type Page, page_groups, pages, REFERENCE } from "./pages.ts";

/** An entry of the navigation below the current page: one of its headings. */
interface Heading {
  anchor: string;
  heading: string;
}

interface Content {
  title: string;
  /** What stands in the page's main part. */
  html: string;
  /** Further lines of the document's head. */
  head?: string;
  /** The page's address below `/docs/`. */
  slug: string;
  headings?: readonly Heading[];
}

/** A whole page: the same header and navigation around everything. */
export function layOut({ title, html, head = "", slug, headings = [] }: Content): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Findersfee</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs.css">
<link rel="stylesheet" href="search.css">
<script type="module" src="docs.js"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="home" href="./"><img src="icon.svg" alt="" width="28" height="28">Findersfee</a>
<search class="search" hidden>
<input type="search" id="search" placeholder="Search  /" aria-label="Search the documentation" autocomplete="off" spellcheck="false" aria-controls="results">
<div class="results" id="results" hidden><p role="status"></p><ol></ol></div>
</search>
<button type="button" class="menu" popovertarget="pages">Pages</button>
</header>
<div class="columns">
<nav id="pages" class="pages" popover aria-label="Pages">
${navigation(slug, headings)}
</nav>
<main id="content" class="${slug === REFERENCE ? "reference" : "document"}" tabindex="-1">
${html}
</main>
</div>
</body>
</html>
`;
}

function navigation(current: string, headings: readonly Heading[]): string {
  const groups = page_groups.map(({ name, pages: listed }) => {
    const items = listed.map((page) => item(page, page.slug === current ? headings : null));
    return `<h2>${escapeHtml(name)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  const reference = { slug: REFERENCE, title: "All operations", source: "" };
  const is_reference = current === REFERENCE;
  return [
    ...groups,
    `<h2>Reference</h2>\n<ul>\n${item(reference, is_reference ? [] : null)}\n<li><a href="../v1/openapi.json">OpenAPI document</a></li>\n</ul>`,
  ].join("\n");
}

/** One page's entry; with headings (or none) it is the current page's. */
function item(page: Page, headings: readonly Heading[] | null): string {
  const link = `<a href="${addressOf(page)}"${headings === null ? "" : ' aria-current="page"'}>${escapeHtml(page.title)}</a>`;
  if (headings === null || headings.length === 0) return `<li>${link}</li>`;
  const parts = headings.map(
    ({ anchor, heading }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a></li>`,
  );
  return `<li>${link}\n<ul>\n${parts.join("\n")}\n</ul></li>`;
}

/** Links to the pages before and after one. */
export function neighbours(page: Page): string {
  const place = pages.indexOf(page);
  const [before, after] = [pages[place - 1], pages[place + 1]];
  const links = [
    before === undefined ? "" : neighbour("prev", "Previous", before),
    after === undefined ? "" : neighbour("next", "Next", after),
  ];
  return `<nav class="neighbours" aria-label="Previous and next page">\n${links.filter(Boolean).join("\n")}\n</nav>`;
}

function neighbour(rel: "prev" | "next", label: string, page: Page): string {
  return `<a rel="${rel}" href="${addressOf(page)}"><small>${label}</small> ${escapeHtml(page.title)}</a>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
