import type { Connection } from "@findersfee/database/connect";
import {
  findKeyCheck,
  insertKeyCheck,
  listStoredSecrets,
  type StoredSecret,
} from "@findersfee/database/secrets-key-check";
import { isReadable, type SecretOwner, type SecretsKey, sealSecret } from "./secrets.ts";

export type { SecretsKey } from "./secrets.ts";

const CHECK: SecretOwner = { purpose: "check" };
const CHECK_TEXT = "findersfee";
/** Secrets of each kind that are tried in a database of an earlier version. */
const TRIED = 100;

/** Whether something was encrypted in this database, so that a lost key must not be replaced. */
export async function dependsOnKey(sql: Connection): Promise<boolean> {
  return (await findKeyCheck(sql)) !== null || (await listStoredSecrets(sql, 1)).length > 0;
}

/**
 * Whether the key is the database's. The first key that a database sees becomes its own; in a database of an earlier
 * version it must open at least half of the stored secrets, some of which may be damaged.
 */
export async function claimDatabase(sql: Connection, key: SecretsKey): Promise<boolean> {
  if ((await findKeyCheck(sql)) === null) {
    const stored = await listStoredSecrets(sql, TRIED);
    const readable = stored.filter(({ sealed, ...owner }) => isReadable(key, ownerOf(owner), sealed));
    if (readable.length * 2 < stored.length) return false;
    await insertKeyCheck(sql, sealSecret(key, CHECK, CHECK_TEXT));
  }
  return await isKeyOf(sql, key);
}

/** Whether the key is the one that the database was claimed with. */
export async function isKeyOf(sql: Connection, key: SecretsKey): Promise<boolean> {
  const sealed = await findKeyCheck(sql);
  return sealed !== null && isReadable(key, CHECK, sealed);
}

function ownerOf({ organization_id, endpoint_id, processor }: Omit<StoredSecret, "sealed">): SecretOwner {
  if (endpoint_id !== null) return { organization_id, endpoint_id };
  if (processor !== null) return { organization_id, processor, purpose: "signing" };
  return { organization_id, purpose: "signup" };
}
