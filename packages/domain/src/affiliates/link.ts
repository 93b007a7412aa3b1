import { LRUCache } from "lru-cache";

/**
 * The campaign's website with `via=<code>` in its query, and a click's id where one is known; what else the
 * address has stays as it is written.
 */
export function linkUrl(websiteUrl: string, code: string, clickId?: string): string {
  const { before, after } = cached_parts.memo(websiteUrl);
  // Codes are letters, digits, dashes and underscores, and ids are too, which a query has as they are.
  return clickId === undefined ? `${before}${code}${after}` : `${before}${code}&ff_click=${clickId}${after}`;
}

interface LinkParts {
  before: string;
  after: string;
}

/** Parsing the URL takes longer than all the rest of a view. */
const cached_parts = new LRUCache<string, LinkParts>({ max: 1_000, memoMethod: parseLinkParts });

/** The URL before and after the code. */
function parseLinkParts(websiteUrl: string): LinkParts {
  const url = new URL(websiteUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^(via|ff_click)(=|$)/.test(parameter));
  const { hash } = url;
  url.hash = "";
  url.search = [...others, "via="].join("&");
  return { before: url.href, after: hash };
}
