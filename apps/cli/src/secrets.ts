import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Database } from "@findersfee/database/connect";
import { keepFile, readKeptFile } from "@findersfee/database/kept-file";
import { claimDatabase, dependsOnKey, type SecretsKey } from "@findersfee/domain/webhooks/secrets-key";
import { type Config, ConfigError, requireSecretsKey } from "./config.ts";

/**
 * The key that encrypts what must be readable again. Beside an embedded database it is made on first use
 * and kept in the data folder, which exists by then.
 *
 * @throws ConfigError when there is none, or another one than what is stored was encrypted with
 */
export async function openSecretsKey(config: Config, database: Database): Promise<SecretsKey> {
  requireSecretsKey(config);
  const key = config.SECRETS_KEY ?? (await keptSecretsKey(config, database));
  const bytes = Buffer.from(key, "base64");
  if (await claimDatabase(database, bytes)) return bytes;
  throw new ConfigError(
    `${config.SECRETS_KEY === null ? fileOf(config) : "SECRETS_KEY"}: is not the key that this database's secrets were encrypted with; bring that one back. If it is that one, the database's check of it is damaged, and \`findersfee secrets repair\` repairs it.`,
  );
}

/**
 * The key as it is configured or kept, whether or not it is the database's.
 *
 * @throws ConfigError when there is none
 */
export async function readSecretsKey(config: Config): Promise<SecretsKey> {
  requireSecretsKey(config);
  const key = config.SECRETS_KEY ?? (await readKeptFile(fileOf(config)));
  if (key === null) throw new ConfigError(`${fileOf(config)}: is missing; bring it back from your backup.`);
  return Buffer.from(key.trim(), "base64");
}

/** Made anew only while nothing depends on it: a lost key would else be replaced without a word. */
async function keptSecretsKey(config: Config, database: Database): Promise<string> {
  const file = fileOf(config);
  const kept = await readKeptFile(file);
  if (kept !== null) return kept.trim();
  if (await dependsOnKey(database)) {
    // Another process may have made it since, and claimed the database with it.
    const made = await readKeptFile(file);
    if (made !== null) return made.trim();
    throw new ConfigError(
      `${file}: is missing, and this database's secrets were encrypted with it; bring it back from your backup.`,
    );
  }
  return (await keepFile(file, () => `${randomBytes(32).toString("base64")}\n`)).trim();
}

function fileOf(config: Config): string {
  return join(config.DATA_DIR, "secrets.key");
}
