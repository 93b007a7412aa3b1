import type { Database } from "@findersfee/database/connect";
import { type EndpointToSendTo, findEndpointsToSendTo } from "@findersfee/database/endpoints-to-send-to";
import { openHeaders } from "@findersfee/domain/endpoints/headers";
import type { CustomHeaders } from "@findersfee/domain/webhooks/custom-headers";
import { openSecret, type SecretsKey } from "@findersfee/domain/webhooks/secrets";
import { signatureKey } from "@findersfee/domain/webhooks/signature";

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

/** Reads the holders' endpoints and decrypts their secrets. */
export async function readEndpoints(
  database: Database,
  secrets_key: SecretsKey,
  holders: readonly EndpointHolder[],
): Promise<void> {
  const rows = await findEndpointsToSendTo(database, holders);
  const endpoints = new Map(rows.map((row) => [row.endpoint_id, endpointOf(row, secrets_key)]));
  for (const holder of holders) holder.endpoint = endpoints.get(holder.endpoint_id) ?? null;
}

/** The keys that sign at a moment (milliseconds since 1970). */
export function keysAt({ keys }: Endpoint, now: number): Buffer[] {
  return keys.filter(({ until }) => until === null || now < until).map(({ key }) => key);
}

function endpointOf(row: EndpointToSendTo, secrets_key: SecretsKey): Endpoint {
  const { version, url, enabled, requests_per_second, ordered } = row;
  const keys = row.secrets.map(({ secret_encrypted, expires_at }) => ({
    key: signatureKey(openSecret(secrets_key, row, secret_encrypted)),
    until: expires_at?.getTime() ?? null,
  }));
  const headers = openHeaders(secrets_key, row, row.custom_headers_encrypted);
  return { version, url, enabled, keys, requests_per_second, ordered, headers };
}
