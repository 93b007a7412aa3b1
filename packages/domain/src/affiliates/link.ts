import { LRUCache } from "lru-cache";

/**
 * The campaign's website with `via=<code>` in its query, and the click's id if known. The rest of the address is
 * unchanged.
 */
export function linkUrl(websiteUrl: string, code: string, clickId?: string): string {
  const { before, after } = cached_parts.memo(websiteUrl);
  // Codes and ids consist of characters that a query needs no escape for: letters, digits, dashes and underscores.
  return clickId === undefined ? `${before}${code}${after}` : `${before}${code}&ff_click=${clickId}${after}`;
}

interface LinkParts {
  before: string;
  after: string;
}

/** Cached, because parsing the URL takes longer than the rest of a view. */
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
