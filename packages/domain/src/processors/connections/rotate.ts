import type { ProcessorWithSecret, RotateProcessor } from "@findersfee/contract/processors/processors";
import { rotateProcessorSecret } from "@findersfee/database/processors/processors";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedProcessor } from "./get.ts";
import { signingSecretOf } from "./rules.ts";
import { sealSigningSecret } from "./secrets.ts";
import { processorFields, viewProcessorWithSecret } from "./view.ts";

/** How long the old secret remains valid: as long as Stripe signs with both at most. */
const OVERLAP_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Gives a connection a new signing secret. Errors: `not_found`, `invalid_request`. */
export async function rotateProcessor(
  context: Context,
  secrets_key: SecretsKey,
  { name, signing_secret }: RotateProcessor,
): Promise<ProcessorWithSecret> {
  const organization_id = context.organization.id;
  const secret = signingSecretOf(name, signing_secret);
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, name);
    if (row.secret_encrypted === null) {
      throw invalidField(
        "name",
        "The endpoint at Stripe is not created yet, so there is no secret to rotate.",
      );
    }
    const secret_encrypted = sealSigningSecret(secrets_key, { organization_id, name }, secret);
    const previous_expires_at = new Date(Date.now() + OVERLAP_MILLISECONDS);
    await rotateProcessorSecret(sql, organization_id, { name, secret_encrypted, previous_expires_at });
    const rotated = { ...row, secret_encrypted, previous_secret_expires_at: previous_expires_at };
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: name,
      action: "rotated",
      before: processorFields(row),
      after: processorFields(rotated),
    });
    return viewProcessorWithSecret(rotated, secrets_key);
  });
}
