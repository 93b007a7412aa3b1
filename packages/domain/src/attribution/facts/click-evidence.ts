/** The parameters that a click on an ad leaves in the landing page's address. */
const AD_PARAMETERS = ["gclid", "wbraid", "gbraid", "msclkid"];
const AD_MEDIUMS = new Set(["cpc", "ppc", "paidsearch", "paid_search", "paid-search"]);

/** The parameter by which an ad led to a landing page, such as `gclid`; null: none. */
export function adIn(landing_url: string | null): string | null {
  const parameters = parse(landing_url)?.searchParams;
  if (parameters === undefined) return null;
  const named = AD_PARAMETERS.find((name) => parameters.get(name));
  if (named !== undefined) return named;
  const medium = parameters.get("utm_medium")?.toLowerCase() ?? "";
  return AD_MEDIUMS.has(medium) ? `utm_medium=${medium}` : null;
}

/** The host of a referrer, and the listed host that it is, or is below; null: none is listed. */
export function listedReferrer(
  referrer: string | null,
  listed: readonly string[],
): [host: string, listed: string] | null {
  const host = parse(referrer)?.hostname;
  if (host === undefined) return null;
  const found = listed.find((name) => host === name || host.endsWith(`.${name}`));
  return found === undefined ? null : [host, found];
}

function parse(address: string | null): URL | null {
  return address === null ? null : URL.parse(address);
}
