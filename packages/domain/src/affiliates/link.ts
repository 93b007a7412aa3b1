/**
 * The campaign's website with `via=<code>` in its query, and a click's id where one is known; what else the
 * address has stays as it is written.
 */
export function linkUrl(websiteUrl: string, code: string, clickId?: string): string {
  const { before, after } = linkParts(websiteUrl);
  // Codes are letters, digits, dashes and underscores, and ids are too, which a query has as they are.
  return clickId === undefined ? `${before}${code}${after}` : `${before}${code}&ff_click=${clickId}${after}`;
}

interface LinkParts {
  before: string;
  after: string;
}

const KEPT_LINK_PARTS = 1_000;
const link_parts = new Map<string, LinkParts>();

/** What stands around the code. Taking an address apart costs more than all else of a view, so it is kept. */
function linkParts(websiteUrl: string): LinkParts {
  const kept = link_parts.get(websiteUrl);
  if (kept !== undefined) return kept;
  const url = new URL(websiteUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !/^(via|ff_click)(=|$)/.test(parameter));
  const { hash } = url;
  url.hash = "";
  url.search = [...others, "via="].join("&");
  const parts = { before: url.href, after: hash };
  if (link_parts.size >= KEPT_LINK_PARTS) link_parts.clear();
  link_parts.set(websiteUrl, parts);
  return parts;
}
