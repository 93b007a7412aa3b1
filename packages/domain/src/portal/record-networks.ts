import type { Database } from "@findersfee/database/postgres/connect";
import { insertAffiliateNetworks } from "@findersfee/database/tracking/networks";
import { LRUCache } from "lru-cache";
import { atMost } from "../caching/at-most.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { dailyNetworkKey, hashDailyNetwork } from "../tracking/daily-network.ts";
import type { PortalSession } from "./authenticate.ts";

const MAX_KNOWN = 20_000;

/** Records the network of a request to the portal, an IPv4 address or the /64 of an IPv6 address, after the request's own work. */
export type RecordNetwork = (session: PortalSession, network: string) => void;

/**
 * Creates this process' record of the networks from which affiliates use the portal, for the signal `shared_network`: a keyed
 * hash of each network and day, once. Nothing is recorded of programs without the signal, nor of staff who view a portal.
 */
export function createNetworkRecorder(
  database: Database,
  { secrets_key, onError }: { secrets_key: SecretsKey; onError: (error: unknown) => void },
): RecordNetwork {
  const key = dailyNetworkKey(secrets_key);
  const known = new LRUCache<string, true>(atMost(MAX_KNOWN));
  return ({ programs, by_staff }, network) => {
    if (by_staff) return;
    const used_at = new Date();
    const used = [...programs.values()].filter(({ records_networks }) => records_networks);
    const networks = used.map(({ organization_id, affiliate_id }) => ({
      organization_id,
      affiliate_id,
      network_hash: hashDailyNetwork(key, { organization_id, network }, used_at),
    }));
    const nameOf = ({ affiliate_id, network_hash }: (typeof networks)[number]) =>
      `${affiliate_id} ${network_hash}`;
    const unknown = networks.filter((item) => !known.has(nameOf(item)));
    if (unknown.length === 0) return;
    for (const item of unknown) known.set(nameOf(item), true);
    insertAffiliateNetworks(database, unknown, used_at).catch((error: unknown) => {
      for (const item of unknown) known.delete(nameOf(item));
      onError(error);
    });
  };
}
