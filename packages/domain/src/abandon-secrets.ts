import { randomBytes } from "node:crypto";
import { deleteSecondFactor, lockSecondFactor } from "@findersfee/database/identity/second-factors";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { replaceKeyCheck } from "@findersfee/database/secrets-key-check";
import {
  clearPlacedSecret,
  isClearable,
  makeProviderOptional,
  replacePlacedSecret,
} from "@findersfee/database/stored-secrets";
import { type Actor, actorText } from "./actor.ts";
import { writeAuditEntry } from "./audit-log/write.ts";
import { recordSecurityEvent } from "./identity/accounts/record-security-event.ts";
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

/** The author of these changes, in the audit log. */
const ACTOR: Actor = { kind: "job", name: "abandon_secrets" };

/** The kinds of secrets with an entry in the audit log, by its resource. An endpoint is disabled for its secrets, and former ones end anyway. */
const AUDITED = {
  processor_secret: "processor",
  processor_api_key: "processor",
  signup_secret: "settings",
  sign_in_provider: "single_sign_on",
} as const;

/** A secret that the key does not decrypt, and whether it was removed. */
export interface AbandonedSecret extends NamedSecret {
  removed: boolean;
}

/**
 * Yields each stored secret that the key does not decrypt. With `remove`, it removes each in a transaction of its own before it
 * yields it, and at last binds the database to the key. It can be repeated after any interruption. An endpoint gets a new
 * secret and is disabled; a connection gets a secret that no processor knows; single sign-on is no longer required; an
 * authenticator app is removed with its recovery codes. The audit log has an entry of each, and people whose app is removed get a mail.
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
  if (place === "second_factor") return await removeSecondFactor(sql, first);
  if (place === "endpoint_secret" || place === "endpoint_headers") {
    await disableAbandonedEndpoint(sql, { organization_id: first, endpoint_id: second }, ACTOR);
  }
  if (place in AUDITED) await auditLoss(sql, secret);
  if (isClearable(place)) return await clearPlacedSecret(sql, place, secret);
  if (place === "sign_in_provider") await makeProviderOptional(sql, first);
  const content = place === "endpoint_secret" ? newSigningSecret() : randomBytes(32).toString("base64url");
  const replacement = sealSecret(key, ownerOfStored(secret), content);
  await replacePlacedSecret(sql, place, { ...secret, replacement });
}

/** Removes an authenticator app; the person gets a mail if they signed in with it. */
async function removeSecondFactor(sql: Transaction, user_id: string): Promise<void> {
  const factor = await lockSecondFactor(sql, user_id);
  await deleteSecondFactor(sql, user_id);
  if (factor === null || factor.confirmed_at === null) return;
  const kind = "second_factor_removed";
  await recordSecurityEvent(sql, { user_id, kind, browser: null, actor: actorText(ACTOR), mailed: true });
}

/** Writes the audit log entry of a secret that nobody has any more, as of one that was changed. */
async function auditLoss(sql: Transaction, { place, key }: StoredSecret): Promise<void> {
  const [organization_id = "", name = organization_id] = key;
  const resource = AUDITED[place as keyof typeof AUDITED];
  const author = { organization: { id: organization_id }, actor: ACTOR };
  await writeAuditEntry(sql, author, { resource, id: name, action: "rotated", before: {}, after: {} });
}
