import type { ProcessorName } from "@findersfee/contract/processors/processors";
import type { ProcessorRow } from "@findersfee/database/processors/processors";
import { openSecret, type SecretsKey, sealSecret } from "../../secrets/secrets.ts";

interface Owner {
  organization_id: string;
  name: ProcessorName;
}

export function sealSigningSecret(key: SecretsKey, { organization_id, name }: Owner, secret: string): Buffer {
  return sealSecret(key, { organization_id, processor: name, purpose: "signing" }, secret);
}

export function openSigningSecret(key: SecretsKey, { organization_id, name }: Owner, sealed: Buffer): string {
  return openSecret(key, { organization_id, processor: name, purpose: "signing" }, sealed);
}

/** An API key as stored: encrypted, with its last four characters to identify it. */
export function sealApiKey(
  key: SecretsKey,
  { organization_id, name }: Owner,
  api_key: string | null,
): Pick<ProcessorRow, "api_key_encrypted" | "api_key_last_four"> {
  if (api_key === null) return { api_key_encrypted: null, api_key_last_four: null };
  return {
    api_key_encrypted: sealSecret(key, { organization_id, processor: name, purpose: "api_key" }, api_key),
    api_key_last_four: api_key.slice(-4),
  };
}

/** The API key of a connection; null if it has none. */
export function openApiKey(key: SecretsKey, row: ProcessorRow): string | null {
  if (row.api_key_encrypted === null) return null;
  const owner = { organization_id: row.organization_id, processor: row.name, purpose: "api_key" } as const;
  return openSecret(key, owner, row.api_key_encrypted);
}
