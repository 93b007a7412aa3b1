import type { ConnectStripe, Processor, StripeSetup } from "@findersfee/contract/processors/processors";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { makeLookupsDue } from "@findersfee/database/processors/lookups";
import { findProcessor, insertProcessor } from "@findersfee/database/processors/processors";
import { makeMissingCodesDue } from "@findersfee/database/processors/promo-codes";
import { usesPromoCodes } from "@findersfee/database/processors/stripe-endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField, notFound } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { endpointAddress } from "../stripe/endpoint-address.ts";
import { addImmediateCheck } from "./check-events.ts";
import { alreadyConnected } from "./connect.ts";
import { sealApiKey } from "./secrets.ts";
import { processorFields, viewProcessor } from "./view.ts";

/** The dependencies of the service for connecting Stripe by a key. */
export interface StripeConnecting {
  secrets_key: SecretsKey;
  public_url: string | null;
}

/** Whether Stripe can be connected by a key, and the address that it would send events to. */
export async function stripeSetup(
  { database, organization }: Context,
  public_url: string | null,
): Promise<StripeSetup> {
  const address = endpointAddress(public_url, organization.id);
  return {
    endpoint_url: "url" in address ? address.url : null,
    problem: "problem" in address ? address.problem : null,
    uses_promo_codes: await usesPromoCodes(database, organization.id),
  };
}

/**
 * Connects Stripe by a key: a job creates the webhook endpoint there within seconds, in the key's mode, and the
 * connection shows its state. Errors: `invalid_request`, also when Stripe cannot reach the service, or it is
 * connected already.
 */
export async function connectStripe(
  context: Context,
  { secrets_key, public_url }: StripeConnecting,
  { api_key, connected_accounts = [] }: ConnectStripe,
): Promise<Processor> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const address = endpointAddress(public_url, organization_id);
    if ("problem" in address) throw invalidField("api_key", address.problem);
    if (!(await lockOrganization(sql, organization_id))) throw notFound("organization");
    const inserted = await insertProcessor(sql, organization_id, {
      name: "stripe",
      secret_encrypted: null,
      ...sealApiKey(secrets_key, { organization_id, name: "stripe" }, api_key),
      livemode: api_key.includes("_live_"),
      connected_accounts,
      created_at: new Date(),
      endpoint_state: "creating",
    });
    if (!inserted) throw alreadyConnected("stripe");
    await makeMissingCodesDue(sql, organization_id);
    await makeLookupsDue(sql, organization_id);
    await addImmediateCheck(sql, organization_id);
    const row = await findProcessor(sql, organization_id, "stripe");
    if (row === null) throw new Error("the connection to stripe was not written");
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: "stripe",
      action: "created",
      before: null,
      after: processorFields(row),
    });
    return viewProcessor(row);
  });
}
