import { randomBytes } from "node:crypto";
import { deleteSecondFactor } from "@findersfee/database/identity/second-factors";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { replaceKeyCheck } from "@findersfee/database/secrets-key-check";
import {
  clearPlacedSecret,
  isClearable,
  makeProviderOptional,
  replacePlacedSecret,
} from "@findersfee/database/stored-secrets";
import { isKeyOf, sealKeyCheck } from "./secrets/key.ts";
import { isReadable, newSigningSecret, type SecretsKey, sealSecret } from "./secrets/secrets.ts";
import {
  type NamedSecret,
  nameStored,
  ownerOfStored,
  type StoredSecret,
  storedSecrets,
} from "./secrets/stored.ts";
import { disableAbandonedEndpoint } from "./webhooks/endpoints/disable-failing.ts";

/** A secret that the key does not decrypt, and whether it was removed. */
export interface AbandonedSecret extends NamedSecret {
  removed: boolean;
}

/**
 * Yields each stored secret that the key does not decrypt. With `remove`, it removes each in a transaction of its own before it
 * yields it, and at last binds the database to the key. It can be repeated after any interruption. An endpoint gets a new
 * secret and is disabled; a connection gets a secret that no processor knows; single sign-on is no longer required; an
 * authenticator app is removed with its recovery codes.
 */
export async function* abandonSecrets(
  database: Database,
  key: SecretsKey,
  { remove }: { remove: boolean },
): AsyncGenerator<AbandonedSecret> {
  for await (const secret of storedSecrets(database)) {
    if (isReadable(key, ownerOfStored(secret), secret.sealed)) continue;
    if (remove) await transaction(database, (sql) => removeSecret(sql, key, secret));
    yield { ...nameStored(secret), removed: remove };
  }
  if (remove && !(await isKeyOf(database, key))) await replaceKeyCheck(database, sealKeyCheck(key));
}

async function removeSecret(sql: Transaction, key: SecretsKey, secret: StoredSecret): Promise<void> {
  const { place } = secret;
  const [first = "", second = ""] = secret.key;
  if (place === "second_factor") return await deleteSecondFactor(sql, first);
  if (place === "endpoint_secret" || place === "endpoint_headers") {
    await disableAbandonedEndpoint(sql, { organization_id: first, endpoint_id: second });
  }
  if (isClearable(place)) return await clearPlacedSecret(sql, place, secret);
  if (place === "sign_in_provider") await makeProviderOptional(sql, first);
  const content = place === "endpoint_secret" ? newSigningSecret() : randomBytes(32).toString("base64url");
  const replacement = sealSecret(key, ownerOfStored(secret), content);
  await replacePlacedSecret(sql, place, { ...secret, replacement });
}
