import type { Database } from "@findersfee/database/postgres/connect";
import {
  type EndpointToSendTo,
  findEndpointsToSendTo,
} from "@findersfee/database/webhooks/endpoints-to-send-to";
import { isReadable, openSecret, type SecretsKey } from "@findersfee/domain/secrets/secrets";
import { signatureKey } from "@findersfee/domain/webhooks/deliveries/signature";
import type { CustomHeaders } from "@findersfee/domain/webhooks/endpoints/custom-headers";
import { disableUnreadableEndpoint } from "@findersfee/domain/webhooks/endpoints/disable-failing";
import { openHeaders } from "@findersfee/domain/webhooks/endpoints/headers";
import type { Logger } from "pino";

/** A signing key. That of a former secret is valid until `until` (milliseconds since 1970). */
interface SigningKey {
  key: Buffer;
  until: number | null;
}

/** An endpoint with its signing keys. */
export interface Endpoint {
  /** Changes with each update of the endpoint. */
  version: string;
  url: string;
  enabled: boolean;
  /** The key of the current secret comes first. */
  keys: readonly SigningKey[];
  /** Null: no limit. */
  requests_per_second: number | null;
  /** One delivery at a time, oldest event first. */
  ordered: boolean;
  /** Custom headers of the owner. */
  headers: CustomHeaders;
}

/** Holds the loaded endpoint of a key. */
export interface EndpointHolder {
  organization_id: string;
  endpoint_id: string;
  /** Null: it does not exist, or was never read. */
  endpoint: Endpoint | null;
}

export interface EndpointDependencies {
  database: Database;
  log: Logger;
  secrets_key: SecretsKey;
}

/** An endpoint can change between the read and its disabling, so it is read again, at most this often. */
const MAX_READS = 5;

/**
 * Reads endpoints into their holders and decrypts their secrets. An endpoint that cannot be decrypted is disabled and
 * does not block the others.
 *
 * @throws Error when this process has the wrong SECRETS_KEY
 */
export async function readEndpoints(
  dependencies: EndpointDependencies,
  holders: readonly EndpointHolder[],
): Promise<void> {
  let unread = holders;
  for (let reads = 0; unread.length > 0; reads++) {
    if (reads === MAX_READS) throw new Error("Endpoints that cannot be decrypted change all the time.");
    const rows = await findEndpointsToSendTo(dependencies.database, unread);
    const known = new Map(rows.map((row) => [row.endpoint_id, row]));
    const changed: EndpointHolder[] = [];
    for (const holder of unread) {
      const row = known.get(holder.endpoint_id);
      const endpoint = row === undefined ? null : await endpointOf(dependencies, row);
      if (endpoint === CHANGED) changed.push(holder);
      else holder.endpoint = endpoint;
    }
    unread = changed;
  }
}

/** Returns the keys that are valid at a time (milliseconds since 1970). */
export function keysAt({ keys }: Endpoint, now: number): Buffer[] {
  return keys.filter(({ until }) => until === null || now < until).map(({ key }) => key);
}

const CHANGED = Symbol("changed since it was read");

async function endpointOf(
  { database, log, secrets_key }: EndpointDependencies,
  row: EndpointToSendTo,
): Promise<Endpoint | typeof CHANGED> {
  const { organization_id, endpoint_id, version, url, enabled, requests_per_second, ordered } = row;
  const settings = { version, url, requests_per_second, ordered };
  const nothing = { keys: [], headers: {} };
  if (!enabled) return { ...settings, ...nothing, enabled };
  try {
    return { ...settings, enabled, ...decrypt(row, { log, secrets_key }) };
  } catch (error) {
    if (!(await disableUnreadableEndpoint(database, secrets_key, row))) return CHANGED;
    const line = { err: error, organization_id, endpoint_id };
    log.error(line, "endpoint disabled: its signing secret or custom headers cannot be read");
    return { ...settings, ...nothing, enabled: false };
  }
}

/** The current secret is required. An unreadable former one is skipped, so receivers that know only it cannot verify. */
function decrypt(
  row: EndpointToSendTo,
  { log, secrets_key }: Omit<EndpointDependencies, "database">,
): Pick<Endpoint, "keys" | "headers"> {
  const { organization_id, endpoint_id } = row;
  const owner = { organization_id, endpoint_id };
  const readable = row.secrets.filter(({ secret_encrypted, expires_at }) => {
    if (expires_at === null || isReadable(secrets_key, owner, secret_encrypted)) return true;
    log.error({ ...owner, expires_at }, "a former signing secret cannot be read, and signs no deliveries");
    return false;
  });
  const keys = readable.map(({ secret_encrypted, expires_at }) => ({
    key: signatureKey(openSecret(secrets_key, owner, secret_encrypted)),
    until: expires_at?.getTime() ?? null,
  }));
  if (keys[0]?.until !== null) throw new Error("The endpoint has no current signing secret.");
  return { keys, headers: openHeaders(secrets_key, owner, row.custom_headers_encrypted) };
}
