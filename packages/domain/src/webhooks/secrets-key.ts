import type { Database } from "@findersfee/database/connect";
import { findSomeEndpointSecret } from "@findersfee/database/endpoints";
import { findSomeProcessor } from "@findersfee/database/processors";
import { openSecret, type SecretOwner, type SecretsKey } from "./secrets.ts";

export type { SecretsKey } from "./secrets.ts";

/** Whether what is stored can be read with the key; with none (null), whether nothing is stored. */
export async function secretsKeyFits(database: Database, key: SecretsKey | null): Promise<boolean> {
  const stored = await findSomeSecret(database);
  if (stored === null) return true;
  if (key === null) return false;
  try {
    openSecret(key, stored.owner, stored.sealed);
    return true;
  } catch {
    return false;
  }
}

async function findSomeSecret(database: Database): Promise<{ owner: SecretOwner; sealed: Buffer } | null> {
  const endpoint = await findSomeEndpointSecret(database);
  if (endpoint !== null) {
    const { organization_id, endpoint_id } = endpoint;
    return { owner: { organization_id, endpoint_id }, sealed: endpoint.secret_encrypted };
  }
  const processor = await findSomeProcessor(database);
  if (processor === null) return null;
  const { organization_id, name, secret_encrypted } = processor;
  return { owner: { organization_id, processor: name, purpose: "signing" }, sealed: secret_encrypted };
}
