import { hash, hkdfSync } from "node:crypto";
import type { SecretsKey } from "../secrets/secrets.ts";

/** The hash key of networks, in hex. */
export type NetworkKey = string;

const KEY_BYTES = 32;
const HASH_DIGITS = 32;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Derives the hash key of networks, which is no other key of the service. */
export function dailyNetworkKey(secrets_key: SecretsKey): NetworkKey {
  const key = hkdfSync("sha256", secrets_key, "", "findersfee daily networks", KEY_BYTES);
  return Buffer.from(key).toString("hex");
}

/**
 * The pseudonym of a network in an organization on one day (UTC), in hex. A network is an IPv4 address or the /64 of an IPv6
 * address. As with `hashVisitor`, nobody can test addresses against it without the key, and the hashes of different days and
 * organizations cannot be linked.
 */
export function hashDailyNetwork(
  key: NetworkKey,
  { organization_id, network }: { organization_id: string; network: string },
  at: Date,
): string {
  const day = Math.floor(at.getTime() / DAY_MILLISECONDS);
  return hash("sha512-256", `${key}\n${organization_id}\n${day}\n${network}`, "hex").slice(0, HASH_DIGITS);
}
