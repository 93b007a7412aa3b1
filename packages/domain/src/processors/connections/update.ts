import type { Processor, UpdateProcessor } from "@findersfee/contract/processors/processors";
import { makeLookupsDue } from "@findersfee/database/processors/lookups";
import { type ProcessorRow, updateProcessor as updateRow } from "@findersfee/database/processors/processors";
import { makeMissingCodesDue } from "@findersfee/database/processors/promo-codes";
import { clearMissingRights } from "@findersfee/database/processors/stripe-endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { addEventsCheck } from "./check-events.ts";
import { isDisconnecting } from "./disconnect.ts";
import { requireLockedProcessor } from "./get.ts";
import { requireAccountsFit, requireApiKeyFits } from "./rules.ts";
import { openApiKey, sealApiKey } from "./secrets.ts";
import { processorFields, viewProcessor } from "./view.ts";

/** Changes a connection's API key, mode or connected accounts. Errors: `not_found`, `invalid_request`. */
export async function updateProcessor(
  context: Context,
  secrets_key: SecretsKey,
  input: UpdateProcessor,
): Promise<Processor> {
  const { name } = input;
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, name);
    if (isDisconnecting(row)) throw invalidField("name", "The connection is being disconnected.");
    const livemode = input.livemode ?? row.livemode;
    if (name === "generic" && !livemode) throw invalidField("livemode", "Only Stripe has a test mode.");
    if (row.endpoint_state !== null && livemode !== row.livemode) {
      throw invalidField(
        "livemode",
        "The endpoint at Stripe is of this mode: disconnect, and connect with a key of the other mode.",
      );
    }
    const api_key = input.api_key === undefined ? openApiKey(secrets_key, row) : input.api_key;
    requireApiKeyFits(name, { api_key, livemode });
    const connected_accounts = input.connected_accounts ?? row.connected_accounts;
    requireAccountsFit(name, connected_accounts);
    const values = {
      ...sealApiKey(secrets_key, { organization_id, name }, api_key),
      livemode,
      connected_accounts,
    };
    await updateRow(sql, organization_id, { name, values });
    if (input.api_key !== undefined) await clearMissingRights(sql, organization_id);
    if (api_key !== null) {
      await makeMissingCodesDue(sql, organization_id);
      await makeLookupsDue(sql, organization_id);
      await addEventsCheck(sql, organization_id);
    }
    const cleared = input.api_key === undefined ? {} : { missing_rights: null, rights_checked_at: null };
    const after = { ...row, ...values, ...cleared };
    const rotated = api_key !== null && isOtherKey(secrets_key, row, api_key);
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: name,
      action: rotated ? "rotated" : "updated",
      before: processorFields(row),
      after: processorFields(after),
    });
    return viewProcessor(after);
  });
}

/** Whether a key replaces another; the last characters of both may be the same. */
function isOtherKey(secrets_key: SecretsKey, row: ProcessorRow, api_key: string): boolean {
  if (row.api_key_last_four === null) return false;
  return row.api_key_last_four !== api_key.slice(-4) || openApiKey(secrets_key, row) !== api_key;
}
