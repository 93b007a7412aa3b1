import type { Connection } from "@findersfee/database/connect";
import {
  findKeyCheck,
  insertKeyCheck,
  listStoredSecrets,
  replaceKeyCheck,
  type StoredSecret,
} from "@findersfee/database/secrets-key-check";
import { DomainError } from "../errors.ts";
import { isReadable, type SecretOwner, type SecretsKey, sealSecret } from "./secrets.ts";

export type { SecretsKey } from "./secrets.ts";

const CHECK: SecretOwner = { purpose: "check" };
const CHECK_TEXT = "findersfee";
/** Secrets of each kind that are tried in a database of an earlier version. */
const TRIED = 100;
/** The same when somebody asks. */
const EXAMINED = 10_000;

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

/** What a key opens. */
export interface KeyReport {
  /** Whether it opens the check, so that processes start with it. */
  opens_check: boolean;
  /** Stored secrets that were tried: current and former ones, 10,000 of each kind at most. */
  tried: number;
  /** Owners of those that it does not open. */
  unreadable: Omit<StoredSecret, "sealed">[];
}

/** Tries a key on everything that is stored. Changes nothing. */
export async function examineKey(sql: Connection, key: SecretsKey): Promise<KeyReport> {
  const stored = await listStoredSecrets(sql, EXAMINED);
  const unreadable = stored
    .filter(({ sealed, ...owner }) => !isReadable(key, ownerOf(owner), sealed))
    .map(({ sealed: _, ...owner }) => owner);
  return { opens_check: await isKeyOf(sql, key), tried: stored.length, unreadable };
}

/**
 * Writes the check again if the key does not open it. The stored secrets must prove the key: it has to open one of them at
 * least, and half of them unless `minority`. Where none is stored, any key will do.
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
  await replaceKeyCheck(sql, sealSecret(key, CHECK, CHECK_TEXT));
  return { ...report, opens_check: true };
}

function ownerOf({ organization_id, endpoint_id, processor }: Omit<StoredSecret, "sealed">): SecretOwner {
  if (endpoint_id !== null) return { organization_id, endpoint_id };
  if (processor !== null) return { organization_id, processor, purpose: "signing" };
  return { organization_id, purpose: "signup" };
}
