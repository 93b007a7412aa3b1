import type { FetchRatesFile } from "@findersfee/domain/exchange-rates/fetch";
import {
  createProviderFetch,
  type ProviderTrust,
} from "@findersfee/domain/identity/single-sign-on/provider-fetch";
import type { EndpointUrlRelaxations } from "@findersfee/domain/webhooks/endpoints/url";

/** With the guard of webhooks: no private address, no redirect, and at most 256 KiB, twice the file of 90 days. */
export function createFetchRatesFile(
  relaxations: EndpointUrlRelaxations,
  trust: ProviderTrust = {},
): FetchRatesFile {
  const fetch = createProviderFetch(relaxations, trust);
  return async (url) => {
    const response = await fetch(url, {
      method: "GET",
      headers: { accept: "application/xml, text/csv" },
      body: undefined,
      redirect: "manual",
    });
    if (response.status !== 200) throw new Error(`The server answered with status ${response.status}.`);
    return await response.text();
  };
}
