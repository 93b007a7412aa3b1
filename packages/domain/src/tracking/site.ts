import { parseUrl } from "@findersfee/contract/parse-url";
import { getDomain } from "tldts";

/**
 * Whether an origin, as browsers send it, belongs to the site of a web address: the same registrable domain
 * (`shop.example.co.uk` and `example.co.uk`), or the same host if there is none, as for localhost and IP addresses.
 * Shared domains (`github.io`) count as suffixes. Scheme and port do not matter, because pages move between them.
 */
export function isOnSite(origin: string, web_url: string): boolean {
  const host = hostOf(origin);
  return host !== null && siteOf(host) === siteOf(hostOf(web_url) ?? "");
}

/** The domain of cookies that all pages of a site share: the registrable one. Null: there is none, and a cookie is of its host. */
export function cookieDomain(origin: string): string | null {
  const host = hostOf(origin);
  return host === null ? null : getDomain(host, { allowPrivateDomains: true });
}

/** Null: not a page's origin, such as the `null` of a sandboxed frame or of a file. */
function hostOf(url: string): string | null {
  return /^https?:\/\//i.test(url) ? (parseUrl(url)?.hostname ?? null) : null;
}

function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
