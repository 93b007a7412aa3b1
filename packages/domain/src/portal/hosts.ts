import { isHostName } from "@findersfee/contract/portal/host-name";
import { findServedHost, touchServedHost } from "@findersfee/database/portal/hosts";
import type { Database } from "@findersfee/database/postgres/connect";
import { createCache } from "../caching/cache.ts";
import { MEMORY_MILLISECONDS } from "../caching/memory.ts";
import { hostUrl } from "../host-url.ts";

/** An organization's own host name for its portal. */
export interface PortalHost {
  use: "portal";
  organization_id: string;
  slug: string;
  /** The address at the host, without a slash at its end. */
  url: string;
}

/** An organization's own host name for the links of its affiliates. */
export interface LinkHost {
  use: "link";
  organization_id: string;
  /** Without its slash, like a portal's address. */
  url: string;
  /** The organization's publishable key; null: it has none, and tracks nothing. */
  publishable_key: string | null;
  /** Whether links set the cookie of their click at once. */
  link_cookies: boolean;
}

export type OwnHost = PortalHost | LinkHost;

/** Knows the host names of the service, for this process. */
export interface ServedHosts {
  /** Whether a host is the service's own, and has all of its addresses. Without a public address, every one is. */
  isOwn(host: string | undefined): boolean;
  /** Of another host. Undefined: look it up. Null: nobody has it. */
  peek(host: string): OwnHost | null | undefined;
  lookUp(host: string): Promise<OwnHost | null>;
}

/** A changed host name counts after this time at the latest. Names that no organization has are cached, too. */
const HOSTS = {
  ttl_milliseconds: 5_000,
  memory_milliseconds: MEMORY_MILLISECONDS,
  max_entries: 1_000,
};
const TOUCH_MILLISECONDS = 60 * 60_000;

/** The addresses by which the operator reaches the service. */
export interface OwnHosts {
  /** Null: the operator has set none, and no organization can have a host name. */
  public_url: string | null;
  /** The host names, apart from the public address's. */
  service_hosts: readonly string[];
  /** The address that the service listens on. */
  listens_on: string;
}

/** The arguments of its functions are the `Host` of a request. */
export function createServedHosts(
  database: Database,
  { public_url, service_hosts, listens_on }: OwnHosts,
): ServedHosts {
  const own = new Set(
    public_url === null ? [] : [new URL(public_url).hostname, ...service_hosts, hostOf(listens_on)],
  );
  const hosts = createCache<OwnHost | null>(async (name) => {
    const row = await findServedHost(database, name);
    if (row === null || public_url === null) return null;
    const { use, organization_id, slug, seen_at, publishable_key, link_cookies } = row;
    if (Date.now() - (seen_at?.getTime() ?? 0) > TOUCH_MILLISECONDS) {
      // biome-ignore lint/plugin/swallowed-failure: it only informs; the request itself reports a database outage
      touchServedHost(database, { organization_id, host: name }).catch(() => {});
    }
    const url = hostUrl(public_url, name);
    return use === "portal"
      ? { use, organization_id, slug, url }
      : { use, organization_id, url, publishable_key, link_cookies };
  }, HOSTS);
  return {
    isOwn: (host) => {
      // A program that sends no Host speaks HTTP/1.0, and asks for no name.
      if (public_url === null || host === undefined || own.has(host)) return true;
      const name = nameOf(host);
      return own.has(name) || LOOPBACK.test(name);
    },
    peek: (host) => {
      const name = nameOf(host);
      return isHostName(name) ? hosts.peek(name) : null;
    },
    lookUp: (host) => hosts(nameOf(host)),
  };
}

/** Programs on the machine itself, which no name in a browser's address leads to: probes, the command, and a proxy's default. */
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Names in DNS may end with a dot, and their case does not matter. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

/** An address as it is in `Host`. */
function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
