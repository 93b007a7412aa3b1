import type { Database } from "@findersfee/database/connect";
import { findSomeEndpointSecret } from "@findersfee/database/endpoints";
import { openSecret, type SecretsKey } from "./secrets.ts";

export type { SecretsKey } from "./secrets.ts";

/** Whether what is stored can be read with the key; with none (null), whether nothing is stored. */
export async function secretsKeyFits(database: Database, key: SecretsKey | null): Promise<boolean> {
  const stored = await findSomeEndpointSecret(database);
  if (stored === null) return true;
  if (key === null) return false;
  const { organization_id, endpoint_id, secret_encrypted } = stored;
  try {
    openSecret(key, { organization_id, endpoint_id }, secret_encrypted);
    return true;
  } catch {
    return false;
  }
}
