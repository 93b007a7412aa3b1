import { escapeHtml } from "./escape.ts";
import {
  type DocsPage,
  type Entry,
  markdownName,
  page_groups,
  pages,
  reference_pages,
  rootFrom,
} from "./pages.ts";

/** A heading of the current page in its table of contents. */
export interface Heading {
  anchor: string;
  heading: string;
}

interface Content {
  title: string;
  summary: string;
  /** The HTML of the page's main part. */
  html: string;
  kind: "document" | "reference";
  /** The page's address below `/docs/`; null for a page without one. */
  slug: string | null;
  /** The address of `/docs/` from the page. */
  root?: string;
  headings?: readonly Heading[];
}

/** Renders a complete page with header and navigation. */
export function layOut(content: Content): string {
  const { title, summary, html, kind, slug, root = rootFrom(slug ?? ""), headings = [] } = content;
  const at = root === "./" ? "" : root;
  const markdown = slug === null ? "" : `${at}${markdownName(slug)}`;
  const contents = kind === "document" ? tableOfContents(headings) : "";
  return `<!doctype html>
<html lang="en" data-language="sh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)} · Findersfee</title>
<link rel="icon" href="${at}icon.svg" type="image/svg+xml">
${markdown === "" ? "" : `<link rel="alternate" type="text/markdown" href="${markdown}">\n`}<link rel="stylesheet" href="${at}docs.css">
<link rel="stylesheet" href="${at}document.css">
<link rel="stylesheet" href="${at}search.css">
<link rel="stylesheet" href="${at}reference.css">
<script src="${at}first.js"></script>
<script type="module" src="${at}docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="home" href="${root}"><img src="${at}icon.svg" alt="" width="24" height="24">Findersfee <span>Docs</span></a>
<search class="search">
<input type="search" id="search" placeholder="Search the docs" aria-label="Search the documentation" autocomplete="off" spellcheck="false" aria-controls="results">
<kbd aria-hidden="true">/</kbd>
<div class="results" id="results" hidden><p role="status"></p><ol></ol></div>
</search>
<button type="button" class="menu" popovertarget="pages">Menu</button>
</header>
<div class="columns ${kind}-columns">
<nav id="pages" class="pages" popover aria-label="Pages">
${navigation({ current: slug, at, root }, headings)}
</nav>
<main id="content" class="${kind}" data-page="${slug ?? ""}" tabindex="-1">
${markdown === "" ? "" : `<p class="as-markdown"><a href="${markdown}">View as Markdown</a></p>\n`}${html}
</main>
${contents}</div>
</body>
</html>
`;
}

interface Place {
  current: string | null;
  /** The prefix of page addresses. */
  at: string;
  root: string;
}

function navigation(place: Place, headings: readonly Heading[]): string {
  const groups = [...page_groups, { name: "Reference", pages: reference_pages }].map(
    ({ name, pages: listed }) => {
      const items = listed.map((entry) => item(entry, place, entry.slug === place.current ? headings : null));
      if (name === "Reference")
        items.push(`<li><a href="${place.at}../v1/openapi.json">OpenAPI document</a></li>`);
      return `<h2>${escapeHtml(name)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
    },
  );
  return groups.join("\n");
}

/** A navigation entry; the current page's entry includes its headings. */
function item(
  { slug, title, label = title }: Entry,
  { at, root }: Place,
  headings: readonly Heading[] | null,
): string {
  const link = `<a href="${slug === "" ? root : `${at}${slug}`}"${headings === null ? "" : ' aria-current="page"'}>${escapeHtml(label)}</a>`;
  if (headings === null || headings.length === 0) return `<li>${link}</li>`;
  return `<li>${link}\n${headingList(headings)}</li>`;
}

function headingList(headings: readonly Heading[]): string {
  const items = headings.map(
    ({ anchor, heading }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a></li>`,
  );
  return `<ul>\n${items.join("\n")}\n</ul>`;
}

/** The table of contents beside the page, on wide screens; elsewhere the navigation has the same links. */
function tableOfContents(headings: readonly Heading[]): string {
  if (headings.length < 2) return "";
  return `<nav class="contents-beside" aria-label="On this page">\n<h2>On this page</h2>\n${headingList(headings)}\n</nav>\n`;
}

/** Links to the previous and next pages. */
export function neighbors(page: DocsPage): string {
  const place = pages.indexOf(page);
  const [before, after] = [pages[place - 1], pages[place + 1]];
  const links = [
    before === undefined ? "" : neighbour("prev", "Previous", before),
    after === undefined ? "" : neighbour("next", "Next", after),
  ];
  return `<nav class="neighbors" aria-label="Previous and next page">\n${links.filter(Boolean).join("\n")}\n</nav>`;
}

function neighbour(
  rel: "prev" | "next",
  label: string,
  { slug, title, label: name = title }: DocsPage,
): string {
  return `<a rel="${rel}" href="${slug === "" ? "./" : slug}"><small>${label}</small> ${escapeHtml(name)}</a>`;
}
