import { setTimeout } from "node:timers/promises";
import { PORTAL_LOOK_PATH } from "@findersfee/contract/portal/look";
import type { HostUse } from "@findersfee/database/portal/hosts";
import { z } from "zod";
import { createProviderFetch, type ProviderTrust } from "../identity/single-sign-on/provider-fetch.ts";
import type { EndpointUrlRelaxations } from "../webhooks/endpoints/url.ts";

/** The path at which the service says which organization it serves at a host name of links. */
export const LINK_HOST_PATH = "/track/host";

/** The paths at which the service says which organization it serves at a host name. */
const PATHS: Record<HostUse, string> = { portal: PORTAL_LOOK_PATH, link: LINK_HOST_PATH };

/**
 * Asks for an address on the way that visitors take, and returns whether the service answers there for the organization. Never throws:
 * a name without an address, a proxy without a certificate and a page of somebody else are no answer.
 */
export type AskHost = (url: string, organization_id: string, use: HostUse) => Promise<boolean>;

const answer = z.object({ data: z.object({ organization_id: z.string() }) });

const TIMEOUT_MILLISECONDS = 10_000;

/** Each process of the service may know for five seconds that nobody had a name that was just proven. */
const MISDIRECTED = 421;
const TRIES = 2;
const PAUSE_MILLISECONDS = 6_000;

/** With the guard of calls to providers: the names come from people. */
export function createAskHost(relaxations: EndpointUrlRelaxations, trust: ProviderTrust = {}): AskHost {
  const fetch = createProviderFetch(relaxations, trust);
  const read = (address: string) =>
    fetch(address, {
      method: "GET",
      headers: { accept: "application/json" },
      body: undefined,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  return async (url, organization_id, use) => {
    const address = `${url}${PATHS[use]}`;
    // biome-ignore lint/plugin/swallowed-failure: a failure on the way affects visitors, too
    try {
      let response = await read(address);
      for (let tries = 1; response.status === MISDIRECTED && tries < TRIES; tries++) {
        await setTimeout(PAUSE_MILLISECONDS);
        response = await read(address);
      }
      return (
        response.status === 200 &&
        answer.parse(await response.json()).data.organization_id === organization_id
      );
    } catch {
      return false;
    }
  };
}
