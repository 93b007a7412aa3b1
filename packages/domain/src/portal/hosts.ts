import { isHostName } from "@findersfee/contract/portal/host-name";
import { findPortalHost, touchPortalHost } from "@findersfee/database/portal/hosts";
import type { Database } from "@findersfee/database/postgres/connect";
import { createCache } from "../caching/cache.ts";
import { hostUrl } from "../host-url.ts";

/** An organization's own host name for its portal. */
export interface PortalHost {
  organization_id: string;
  slug: string;
  /** The address at the host, without a slash at its end. */
  url: string;
}

/** Finds the organizations of host names, for this process. */
export interface PortalHosts {
  /** Undefined: look it up. Null: it is the service's own host, or no organization has it. */
  peek(host: string): PortalHost | null | undefined;
  lookUp(host: string): Promise<PortalHost | null>;
}

/** A changed host name counts after this time at the latest. Names that no organization has are cached, too. */
const HOSTS = { ttl_milliseconds: 5_000, max_entries: 1_000 };
const TOUCH_MILLISECONDS = 60 * 60_000;

/** The argument is the `Host` of a request. Without a public address, no organization can have a host name. */
export function createPortalHosts(database: Database, public_url: string | null): PortalHosts {
  const own = public_url === null ? null : new URL(public_url).hostname;
  const hosts = createCache<PortalHost | null>(async (name) => {
    const row = await findPortalHost(database, name);
    if (row === null || public_url === null) return null;
    const { organization_id, slug, seen_at } = row;
    if (Date.now() - (seen_at?.getTime() ?? 0) > TOUCH_MILLISECONDS) {
      // biome-ignore lint/plugin/swallowed-failure: it only informs; the request itself reports a database outage
      touchPortalHost(database, { organization_id, host: name }).catch(() => {});
    }
    return { organization_id, slug, url: hostUrl(public_url, name) };
  }, HOSTS);
  return {
    peek: (host) => {
      const name = nameOf(host);
      return own === null || name === own || !isHostName(name) ? null : hosts.peek(name);
    },
    lookUp: (host) => hosts(nameOf(host)),
  };
}

/** Names in DNS may end with a dot, and their case does not matter. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
