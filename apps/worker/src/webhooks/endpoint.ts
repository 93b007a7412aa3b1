import type { Database } from "@findersfee/database/connect";
import { type EndpointToSendTo, findEndpointsToSendTo } from "@findersfee/database/endpoints-to-send-to";
import { openHeaders } from "@findersfee/domain/endpoints/headers";
import type { CustomHeaders } from "@findersfee/domain/webhooks/custom-headers";
import { disableUnreadableEndpoint } from "@findersfee/domain/webhooks/disable-endpoints";
import { isReadable, openSecret, type SecretsKey } from "@findersfee/domain/webhooks/secrets";
import { signatureKey } from "@findersfee/domain/webhooks/signature";
import type { Logger } from "pino";

/** A key that signs, until `until` (milliseconds since 1970) if it is a former secret's. */
interface SigningKey {
  key: Buffer;
  until: number | null;
}

/** An endpoint with its signing keys. */
export interface Endpoint {
  /** Another one: it was changed. */
  version: string;
  url: string;
  enabled: boolean;
  /** The current secret's first. */
  keys: readonly SigningKey[];
  /** Null: no limit. */
  requests_per_second: number | null;
  /** One delivery at a time, oldest event first. */
  ordered: boolean;
  /** The owner's own, beside ours. */
  headers: CustomHeaders;
}

/** What wants an endpoint, and keeps it. */
export interface EndpointHolder {
  organization_id: string;
  endpoint_id: string;
  /** Null: it is gone, or was never read. */
  endpoint: Endpoint | null;
}

export interface EndpointReading {
  database: Database;
  log: Logger;
  secrets_key: SecretsKey;
}

/** An endpoint can change between the read and its disabling, so it is read again; more often is a fault. */
const MOST_READS = 5;

/**
 * Reads the holders' endpoints and decrypts their secrets. An endpoint that cannot be decrypted is disabled, and
 * keeps nobody else waiting.
 *
 * @throws Error when this process has the wrong SECRETS_KEY
 */
export async function readEndpoints(
  reading: EndpointReading,
  holders: readonly EndpointHolder[],
): Promise<void> {
  let unread = holders;
  for (let reads = 0; unread.length > 0; reads++) {
    if (reads === MOST_READS) throw new Error("Endpoints that cannot be decrypted change all the time.");
    const rows = await findEndpointsToSendTo(reading.database, unread);
    const known = new Map(rows.map((row) => [row.endpoint_id, row]));
    const changed: EndpointHolder[] = [];
    for (const holder of unread) {
      const row = known.get(holder.endpoint_id);
      const endpoint = row === undefined ? null : await endpointOf(reading, row);
      if (endpoint === CHANGED) changed.push(holder);
      else holder.endpoint = endpoint;
    }
    unread = changed;
  }
}

/** The keys that sign at a moment (milliseconds since 1970). */
export function keysAt({ keys }: Endpoint, now: number): Buffer[] {
  return keys.filter(({ until }) => until === null || now < until).map(({ key }) => key);
}

const CHANGED = Symbol("changed since it was read");

async function endpointOf(
  { database, log, secrets_key }: EndpointReading,
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

/** Without the current secret nothing can be signed; without a former one, those that know only that one miss it. */
function decrypt(
  row: EndpointToSendTo,
  { log, secrets_key }: Omit<EndpointReading, "database">,
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
