import { escapeHtml } from "./escape.ts";
import { layOut } from "./layout.ts";
import { addressOf, pages, REFERENCE, rootFrom } from "./pages.ts";

/** The maximum length of the shown path, longer than any page's address; the rest is truncated. */
const MAX_PATH_LENGTH = 100;

/** The page for an unknown address. `path` is the requested path below `/docs/`. */
export function missingPage(path: string): string {
  const root = rootFrom(path);
  const links = pages
    .filter(({ slug }) => ["", "quick-start", "concepts", "webhooks", "errors"].includes(slug))
    .map(
      (page) =>
        `<li><a href="${page.slug === "" ? root : `${root}${addressOf(page)}`}">${escapeHtml(page.title)}</a> <span>${escapeHtml(page.summary)}</span></li>`,
    );
  const shown = path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
  return layOut({
    title: "Page not found",
    summary: "There is no page at this address.",
    kind: "document",
    slug: null,
    root,
    html: `<article class="missing">
<h1>Page not found</h1>
<p>There is no page at <code>/docs/${escapeHtml(shown)}</code>. Search the docs, or start from one of these pages:</p>
<ul>
${links.join("\n")}
<li><a href="${root}${REFERENCE}">API reference</a> <span>Every operation, field and error.</span></li>
</ul>
</article>`,
  });
}
