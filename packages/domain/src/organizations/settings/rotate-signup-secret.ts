import type { SignupSecret } from "@findersfee/contract/organizations";
import { lockSettings } from "@findersfee/database/organizations/settings";
import { rotateSignupSecret as rotateRow } from "@findersfee/database/tracking/signup-policy";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { type SecretsKey, sealSecret } from "../../secrets/secrets.ts";
import { newSignupSecret } from "../../tracking/signup-signature.ts";
import { inTransaction } from "../../transaction.ts";

/** How long signatures with the former secret remain valid. */
const OVERLAP_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Creates the secret for signing sign-ups, or replaces it. It is never shown again. */
export async function rotateSignupSecret(context: Context, secrets_key: SecretsKey): Promise<SignupSecret> {
  const organization_id = context.organization.id;
  const signing_secret = newSignupSecret();
  const previous_expires_at = new Date(Date.now() + OVERLAP_MILLISECONDS);
  return await inTransaction(context, async (sql) => {
    await lockSettings(sql, organization_id);
    await rotateRow(sql, organization_id, {
      secret_encrypted: sealSecret(secrets_key, { organization_id, purpose: "signup" }, signing_secret),
      previous_expires_at,
    });
    await writeAuditEntry(sql, context, {
      resource: "settings",
      id: organization_id,
      action: "rotated",
      before: {},
      after: {},
    });
    return { signing_secret };
  });
}
