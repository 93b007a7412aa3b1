import type {
  ConnectProcessor,
  ProcessorName,
  ProcessorWithSecret,
} from "@findersfee/contract/processors/processors";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { makeLookupsDue } from "@findersfee/database/processors/lookups";
import { findProcessor, insertProcessor } from "@findersfee/database/processors/processors";
import { makeMissingCodesDue } from "@findersfee/database/processors/promo-codes";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField, notFound } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { addEventsCheck } from "./check-events.ts";
import { requireAccountsFit, requireApiKeyFits, signingSecretOf } from "./rules.ts";
import { sealApiKey, sealSigningSecret } from "./secrets.ts";
import { processorFields, viewProcessorWithSecret } from "./view.ts";

/**
 * Connects an organization to a payment processor: its inbound webhooks are accepted from now on. Errors:
 * `invalid_request`, also when it is already connected.
 */
export async function connectProcessor(
  context: Context,
  secrets_key: SecretsKey,
  input: ConnectProcessor,
): Promise<ProcessorWithSecret> {
  const { name, api_key, livemode, connected_accounts = [] } = input;
  const organization_id = context.organization.id;
  const signing_secret = signingSecretOf(name, input.signing_secret);
  if (name === "generic" && !livemode) throw invalidField("livemode", "Only Stripe has a test mode.");
  requireApiKeyFits(name, { api_key, livemode });
  requireAccountsFit(name, connected_accounts);
  return await inTransaction(context, async (sql) => {
    if (!(await lockOrganization(sql, organization_id))) throw notFound("organization");
    const owner = { organization_id, name };
    const secret_encrypted = sealSigningSecret(secrets_key, owner, signing_secret);
    const inserted = await insertProcessor(sql, organization_id, {
      name,
      secret_encrypted,
      ...sealApiKey(secrets_key, owner, api_key),
      livemode,
      connected_accounts,
      created_at: new Date(),
      endpoint_state: null,
    });
    if (!inserted) throw alreadyConnected(name);
    if (api_key !== null) {
      await makeMissingCodesDue(sql, organization_id);
      await makeLookupsDue(sql, organization_id);
      await addEventsCheck(sql, organization_id);
    }
    const row = await findProcessor(sql, organization_id, name);
    if (row === null) throw new Error(`the connection to ${name} was not written`);
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: name,
      action: "created",
      before: null,
      after: processorFields(row),
    });
    return viewProcessorWithSecret({ ...row, secret_encrypted }, secrets_key);
  });
}

export function alreadyConnected(name: ProcessorName): DomainError {
  return new DomainError("invalid_request", {
    message: `The organization is already connected to ${name}: update that connection, rotate its secret, or disconnect it first.`,
  });
}
