import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readFileIfExists, readOrCreateFile, replaceFile } from "@findersfee/database/embedded/private-file";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  claimDatabase,
  dependsOnKey,
  keysDuringChange,
  type SecretsKey,
} from "@findersfee/domain/secrets/key";
import { type Config, ConfigError, requireSecretsKey } from "../config.ts";

/**
 * The key that encrypts stored secrets, verified against the database. With an embedded database it is
 * generated on first use and stored in the data folder, which exists by then.
 *
 * @throws ConfigError when the key is missing, or does not match the stored secrets
 */
export async function openSecretsKey(config: Config, database: Database): Promise<SecretsKey> {
  requireSecretsKey(config);
  const key = config.SECRETS_KEY ?? (await keptSecretsKey(config, database));
  const bytes = Buffer.from(key, "base64");
  if (config.SECRETS_KEY_FORMER !== null) {
    const former = Buffer.from(config.SECRETS_KEY_FORMER, "base64");
    const keys = await keysDuringChange(database, { key: bytes, former });
    if (keys !== null) return keys;
    throw new ConfigError(
      "SECRETS_KEY_FORMER: neither it nor SECRETS_KEY is the key that encrypted this database's secrets; restore that key.",
    );
  }
  if (await claimDatabase(database, bytes)) return bytes;
  throw new ConfigError(
    `${config.SECRETS_KEY === null ? fileOf(config) : "SECRETS_KEY"}: is not the key that encrypted this database's secrets; restore that key. While the key is being changed, set SECRETS_KEY_FORMER as well. If it is the right key, the database's check value is damaged: run \`findersfee secrets repair\`.`,
  );
}

/**
 * The configured or stored key, without verifying it against the database.
 *
 * @throws ConfigError when the key is missing
 */
export async function readSecretsKey(config: Config): Promise<SecretsKey> {
  requireSecretsKey(config);
  const key = config.SECRETS_KEY ?? (await readFileIfExists(fileOf(config)));
  if (key === null) throw new ConfigError(`${fileOf(config)}: is missing; restore it from your backup.`);
  return Buffer.from(key.trim(), "base64");
}

/**
 * Both keys while SECRETS_KEY changes, without verifying them against the database.
 *
 * @throws ConfigError when one is missing
 */
export async function readBothKeys(config: Config): Promise<{ key: SecretsKey; former: SecretsKey }> {
  if (config.SECRETS_KEY_FORMER === null) {
    throw new ConfigError(
      "SECRETS_KEY_FORMER: is required; set it to the key until now, and SECRETS_KEY to the new one.",
    );
  }
  return { key: await readSecretsKey(config), former: Buffer.from(config.SECRETS_KEY_FORMER, "base64") };
}

/**
 * Stores the new key in the data folder of an embedded database that has the former one there, so that the service starts without
 * SECRETS_KEY, too. Returns the file; null: nothing was stored.
 */
export async function storeChangedKey(config: Config, former: SecretsKey): Promise<string | null> {
  if (config.DATABASE_URL !== null || config.SECRETS_KEY === null) return null;
  const file = fileOf(config);
  const kept = await readFileIfExists(file);
  if (kept === null || !Buffer.from(kept.trim(), "base64").equals(former)) return null;
  await replaceFile(file, `${config.SECRETS_KEY}\n`);
  return file;
}

/** Generated only while nothing depends on it: otherwise a lost key would be replaced silently. */
async function keptSecretsKey(config: Config, database: Database): Promise<string> {
  const file = fileOf(config);
  const kept = await readFileIfExists(file);
  if (kept !== null) return kept.trim();
  if (await dependsOnKey(database)) {
    // Another process may have generated it since, and claimed the database with it.
    const made = await readFileIfExists(file);
    if (made !== null) return made.trim();
    throw new ConfigError(
      `${file}: is missing, and this database's secrets are encrypted with it; restore it from your backup.`,
    );
  }
  return (await readOrCreateFile(file, () => `${randomBytes(32).toString("base64")}\n`)).trim();
}

function fileOf(config: Config): string {
  return join(config.DATA_DIR, "secrets.key");
}
