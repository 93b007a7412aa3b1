import type { Database } from "@findersfee/database/connect";
import { type EndpointToSendTo, findEndpointsToSendTo } from "@findersfee/database/endpoint-targets";
import { openSecret, type SecretsKey } from "@findersfee/domain/webhooks/secrets";
import { signatureKey } from "@findersfee/domain/webhooks/signature";

/** An endpoint with what signs for it. */
export interface Endpoint {
  /** Another one: it was changed. */
  version: string;
  url: string;
  enabled: boolean;
  keys: Buffer[];
  /** The former secret's key signs, too, until then (milliseconds since 1970). */
  previous_key: { key: Buffer; until: number } | null;
  /** Null: no limit of its own. */
  requests_per_second: number | null;
  /** One at a time, in the order of the events. */
  ordered: boolean;
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

/** The keys that sign at a moment (milliseconds since 1970): both during a rotation. */
export function keysAt({ keys, previous_key }: Endpoint, now: number): Buffer[] {
  return previous_key !== null && now < previous_key.until ? [...keys, previous_key.key] : keys;
}

function endpointOf(row: EndpointToSendTo, secrets_key: SecretsKey): Endpoint {
  const open = (sealed: Buffer) => signatureKey(openSecret(secrets_key, row, sealed));
  const { version, url, enabled, previous_secret_encrypted, previous_secret_expires_at } = row;
  const previous_key =
    previous_secret_encrypted === null || previous_secret_expires_at === null
      ? null
      : { key: open(previous_secret_encrypted), until: previous_secret_expires_at.getTime() };
  return {
    version,
    url,
    enabled,
    keys: [open(row.secret_encrypted)],
    previous_key,
    requests_per_second: null,
    ordered: false,
  };
}
