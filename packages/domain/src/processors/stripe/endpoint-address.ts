import { parseUrl } from "@findersfee/contract/parse-url";
import { isPrivateHost } from "../../webhooks/endpoints/url.ts";

/** The address of an organization's webhook endpoint at Stripe, or the reason that Stripe cannot reach it. */
export type EndpointAddress = { url: string } | { problem: string };

const SET_IT = "Set PUBLIC_URL to the https address at which the internet reaches this service.";

/** Stripe reaches public addresses by https only. */
export function endpointAddress(public_url: string | null, organization_id: string): EndpointAddress {
  if (public_url === null) {
    return { problem: `PUBLIC_URL is not set, so Stripe cannot reach this service. ${SET_IT}` };
  }
  const url = parseUrl(public_url);
  if (url === null || url.protocol !== "https:") {
    return { problem: `Stripe cannot reach ${public_url}, because it is no https address. ${SET_IT}` };
  }
  if (isPrivateHost(url.hostname)) {
    return {
      problem: `Stripe cannot reach ${public_url}, because it is an address of this machine or of a private network. ${SET_IT}`,
    };
  }
  return { url: `${public_url.replace(/\/$/, "")}/processors/stripe/${organization_id}` };
}
