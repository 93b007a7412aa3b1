import { posix } from "node:path";
import { parseUrl } from "@findersfee/contract/parse-url";
import { markdownName, pages } from "./pages.ts";

/** A link's target in Markdown: `](address)`. */
const TARGET = /(\]\()([^()\s]+)(\))/g;

/**
 * A document's Markdown as served: links to other documents point to their served Markdown. `source` is the
 * document's path in the repository, which its links are relative to.
 */
export function servedMarkdown(text: string, source: string): string {
  return text.replaceAll(TARGET, (whole, open: string, href: string, close: string) => {
    const [path = "", anchor] = href.split("#");
    if (path === "" || parseUrl(href) !== null) return whole;
    const target = posix.join(posix.dirname(source), path);
    const page = pages.find((candidate) => candidate.source === target);
    if (page === undefined) return whole;
    return `${open}${markdownName(page.slug)}${anchor === undefined ? "" : `#${anchor}`}${close}`;
  });
}
