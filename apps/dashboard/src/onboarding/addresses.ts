import type { Onboarding } from "@findersfee/contract/onboarding";
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";

/** The service's address, as the browser reaches it. */
const service = `${window.location.origin}${APPLICATION_PATH}`;

/** The attributes of the tag, apart from the key. */
export type Tracker = Onboarding["tracker"];

/** The snippet and the tag of web pages. */
export function tagOf(publishable_key: string, { link_url, domains }: Tracker): string {
  const several = domains.length === 0 ? "" : ` data-domains="${domains.join(",")}"`;
  const script = `${link_url ?? service}/tracker.js`;
  return `${TRACKING_SNIPPET}\n<script async src="${script}" data-key="${publishable_key}"${several}></script>`;
}

/** The address of a link that needs no tag. */
export function redirectLinkOf(code: string, publishable_key: string, { link_url }: Tracker): string {
  return link_url === null ? `${service}/r/${code}?key=${publishable_key}` : `${link_url}/r/${code}`;
}

/** The address to which a processor sends its messages. */
export function messagesAddress(processor: "stripe" | "generic", organization_id: string): string {
  return `${service}/processors/${processor}/${organization_id}`;
}

/** A page of the site with an affiliate's code; null if the website is no address. */
export function testLinkOf(website_url: string, code: string): string | null {
  if (!URL.canParse(website_url)) return null;
  const url = new URL(website_url);
  url.searchParams.set("via", code);
  return url.href;
}

export const PROCESSORS_GUIDE = `${APPLICATION_PATH}/docs/processors`;
