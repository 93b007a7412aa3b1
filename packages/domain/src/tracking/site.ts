import { getDomain } from "tldts";

/**
 * Whether an origin, as browsers send it, is of the site that a web address is on: the same registrable
 * domain (`shop.example.co.uk` and `example.co.uk`), or the same host where there is none, as for localhost
 * and IP addresses. Domains under which strangers have their pages (`github.io`) count as suffixes. Scheme and
 * port do not matter: pages are moved from one to the other.
 */
export function isOnSite(origin: string, web_url: string): boolean {
  const host = hostOf(origin);
  return host !== null && siteOf(host) === siteOf(hostOf(web_url) ?? "");
}

/** Null: it is no page's, such as the `null` of a sandboxed frame or of a file. */
function hostOf(url: string): string | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
