import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import {
  findKeyCheck,
  insertKeyCheck,
  listStoredSecrets,
  lockKeyCheck,
  replaceKeyCheck,
  type StoredSecret,
} from "@findersfee/database/secrets-key-check";
import { DomainError } from "../errors.ts";
import {
  isReadable,
  openSecret,
  type SecretOwner,
  type SecretsKey,
  sealSecret,
  withOtherKey,
} from "./secrets.ts";

export type { SecretsKey } from "./secrets.ts";

const CHECK: SecretOwner = { purpose: "check" };
const CHECK_TEXT = "findersfee";
/** Secrets of each kind that are tested in a database of an earlier version. */
const TRIED = 100;
/** The same for the operator's command. */
const EXAMINED = 10_000;

/** Whether any encrypted data is stored, so that a lost key must not be replaced. */
export async function dependsOnKey(sql: Connection): Promise<boolean> {
  return (await findKeyCheck(sql)) !== null || (await listStoredSecrets(sql, 1)).length > 0;
}

/**
 * Whether the key belongs to the database. The first key that a database sees becomes its own. In a database
 * of an earlier version, the key must decrypt at least half of the stored secrets, since some may be damaged.
 */
export async function claimDatabase(sql: Connection, key: SecretsKey): Promise<boolean> {
  if ((await findKeyCheck(sql)) === null) {
    const stored = await listStoredSecrets(sql, TRIED);
    const readable = stored.filter(({ sealed, ...owner }) => isReadable(key, ownerOf(owner), sealed));
    if (readable.length * 2 < stored.length) return false;
    await insertKeyCheck(sql, sealKeyCheck(key));
  }
  return await isKeyOf(sql, key);
}

/** Whether the key is the one that the database was claimed with. While the key changes, it takes both. */
export async function isKeyOf(sql: Connection, key: SecretsKey): Promise<boolean> {
  const sealed = await findKeyCheck(sql);
  return sealed !== null && opensCheck(key, sealed);
}

/** The check value of a key. */
export function sealKeyCheck(key: SecretsKey): Buffer {
  return sealSecret(key, CHECK, CHECK_TEXT);
}

interface KeyChange {
  /** SECRETS_KEY. */
  key: SecretsKey;
  /** SECRETS_KEY_FORMER. */
  former: SecretsKey;
}

/**
 * Both keys as processes use them: the former one encrypts until the rotation has begun, because processes without the new one
 * may be running. Null: the database belongs to neither.
 */
export async function keysDuringChange(
  sql: Connection,
  { key, former }: KeyChange,
): Promise<SecretsKey | null> {
  const sealed = await findKeyCheck(sql);
  if (sealed === null) return (await claimDatabase(sql, former)) ? withOtherKey(former, key) : null;
  if (opensCheck(former, sealed)) return withOtherKey(former, key);
  const both = withOtherKey(key, former);
  return opensCheck(both, sealed) ? both : null;
}

/**
 * Makes the check value accept both keys, so that no process with one of them disables secrets that are
 * encrypted with the other. Nothing changes if it already accepts both, or if the new key alone decrypts it.
 * Returns false if the database belongs to neither key.
 */
export async function beginKeyChange(database: Database, { key, former }: KeyChange): Promise<boolean> {
  return await transaction(database, async (sql) => {
    const sealed = await lockKeyCheck(sql);
    if (sealed === null) return false;
    if (opensCheck(former, sealed)) {
      const inner = sealSecret(former, CHECK, CHECK_TEXT).toString("base64");
      await replaceKeyCheck(sql, sealSecret(key, CHECK, inner));
      return true;
    }
    return opensCheck(withOtherKey(key, former), sealed);
  });
}

/** Makes the check value take the new key alone. False: the database belongs to neither key. */
export async function endKeyChange(database: Database, { key, former }: KeyChange): Promise<boolean> {
  return await transaction(database, async (sql) => {
    const sealed = await lockKeyCheck(sql);
    if (sealed === null || !opensCheck(withOtherKey(key, former), sealed)) return false;
    if (!opensCheck(key, sealed)) await replaceKeyCheck(sql, sealKeyCheck(key));
    return true;
  });
}

/** While the key changes, the check value is encrypted with the former key, and that with the new one. */
function opensCheck(key: SecretsKey, sealed: Buffer): boolean {
  if (!isReadable(key, CHECK, sealed)) return false;
  const text = openSecret(key, CHECK, sealed);
  return text === CHECK_TEXT || isReadable(key, CHECK, Buffer.from(text, "base64"));
}

/** The result of testing a key. */
export interface KeyReport {
  /** Whether it decrypts the check value, so that processes start with it. */
  opens_check: boolean;
  /** Stored secrets that were tested: current and former ones, 10,000 of each kind at most. */
  tried: number;
  /** Owners of the secrets that it does not decrypt. */
  unreadable: Omit<StoredSecret, "sealed">[];
}

/** Tests a key on all stored secrets. Changes nothing. */
export async function examineKey(sql: Connection, key: SecretsKey): Promise<KeyReport> {
  const stored = await listStoredSecrets(sql, EXAMINED);
  const unreadable = stored
    .filter(({ sealed, ...owner }) => !isReadable(key, ownerOf(owner), sealed))
    .map(({ sealed: _, ...owner }) => owner);
  return { opens_check: await isKeyOf(sql, key), tried: stored.length, unreadable };
}

/**
 * Writes the check value again if the key does not decrypt it. The stored secrets must prove the key: it has to decrypt
 * at least one of them, and at least half unless `minority`. Without stored secrets, any key is accepted.
 *
 * @throws DomainError `invalid_request` when they do not
 */
export async function repairKeyCheck(
  sql: Connection,
  key: SecretsKey,
  { minority }: { minority: boolean },
): Promise<KeyReport> {
  const report = await examineKey(sql, key);
  if (report.opens_check) return report;
  const { tried, unreadable } = report;
  const readable = tried - unreadable.length;
  if (tried > 0 && readable === 0) {
    throw new DomainError("invalid_request", {
      message: `SECRETS_KEY opens none of the ${tried} stored secrets: it is not the key of this database. Nothing was changed.`,
    });
  }
  if (readable * 2 < tried && !minority) {
    throw new DomainError("invalid_request", {
      message: `SECRETS_KEY opens only ${readable} of ${tried} stored secrets. If the others are damaged, add --minority. Nothing was changed.`,
    });
  }
  await replaceKeyCheck(sql, sealKeyCheck(key));
  return { ...report, opens_check: true };
}

function ownerOf({
  user_id,
  organization_id,
  endpoint_id,
  processor,
  is_provider,
}: Omit<StoredSecret, "sealed">): SecretOwner {
  if (user_id !== null) return { user_id, purpose: "second_factor" };
  if (organization_id === null) throw new Error("A stored secret has no owner.");
  if (endpoint_id !== null) return { organization_id, endpoint_id };
  if (processor !== null) return { organization_id, processor, purpose: "signing" };
  return { organization_id, purpose: is_provider ? "sign_in_provider" : "signup" };
}
