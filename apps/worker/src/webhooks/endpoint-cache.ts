import type { Database } from "@findersfee/database/connect";
import { type EndpointToSendTo, findEndpointsToSendTo } from "@findersfee/database/endpoint-health";
import { openSecret, type SecretsKey } from "@findersfee/domain/webhooks/secrets";
import { signatureKey } from "@findersfee/domain/webhooks/signature";

const FRESH_MILLISECONDS = 1_000;

/** An endpoint with what signs for it. */
export interface KnownEndpoint {
  url: string;
  enabled: boolean;
  failures: number;
  keys: Buffer[];
  /** The former secret's key signs, too, until then (milliseconds since 1970). */
  previous_key: { key: Buffer; until: number } | null;
}

interface Key {
  organization_id: string;
  endpoint_id: string;
}

interface Entry {
  read_at: number;
  /** Null: there is no such endpoint. */
  endpoint: KnownEndpoint | null;
  sealed: Buffer | null;
}

/** Endpoints as they were a second ago at most; secrets are decrypted once. */
export class EndpointCache {
  readonly #database: Database;
  readonly #secrets_key: SecretsKey;
  readonly #entries = new Map<string, Entry>();

  constructor(database: Database, secrets_key: SecretsKey) {
    this.#database = database;
    this.#secrets_key = secrets_key;
  }

  /** Reads those of the endpoints that are not known freshly. */
  async read(keys: Iterable<Key>): Promise<void> {
    const now = performance.now();
    const missing = new Map<string, Key>();
    for (const key of keys) {
      const entry = this.#entries.get(key.endpoint_id);
      if (entry === undefined || now - entry.read_at > FRESH_MILLISECONDS) missing.set(key.endpoint_id, key);
    }
    if (missing.size === 0) return;
    const rows = await findEndpointsToSendTo(this.#database, [...missing.values()]);
    for (const row of rows) {
      this.#entries.set(row.endpoint_id, this.#entryOf(row, now));
      missing.delete(row.endpoint_id);
    }
    for (const id of missing.keys()) {
      this.#entries.set(id, { read_at: now, endpoint: null, sealed: null });
    }
  }

  /** Null when there is no such endpoint, or it was not read. */
  get(endpoint_id: string): KnownEndpoint | null {
    return this.#entries.get(endpoint_id)?.endpoint ?? null;
  }

  forget(endpoint_id: string): void {
    this.#entries.delete(endpoint_id);
  }

  #entryOf(row: EndpointToSendTo, now: number): Entry {
    const known = this.#entries.get(row.endpoint_id);
    const open = (sealed: Buffer) => signatureKey(openSecret(this.#secrets_key, row, sealed));
    const { secret_encrypted, previous_secret_encrypted, previous_secret_expires_at } = row;
    const isKnown = known?.sealed?.equals(secret_encrypted) === true;
    const keys = isKnown && known.endpoint !== null ? known.endpoint.keys : [open(secret_encrypted)];
    const previous_key =
      previous_secret_encrypted === null || previous_secret_expires_at === null
        ? null
        : { key: open(previous_secret_encrypted), until: previous_secret_expires_at.getTime() };
    const { url, enabled, failures } = row;
    return {
      read_at: now,
      endpoint: { url, enabled, failures, keys, previous_key },
      sealed: secret_encrypted,
    };
  }
}
