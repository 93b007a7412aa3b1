import type { OrganizationSettings, UpdateOrganizationSettings } from "@findersfee/contract/organizations";
import { lockSettings, updateSettings as updateRow } from "@findersfee/database/organizations/settings";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findSignupPolicy } from "@findersfee/database/tracking/signup-policy";
import { writeAuditEntry } from "../../audit-log/write.ts";
import { noteOrganizationChange } from "../../caching/organization-changes.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { minimumsToRow } from "../../payouts/runs/minimum.ts";
import { inTransaction } from "../../transaction.ts";
import { requireCurrency } from "./currency.ts";
import { viewSettings } from "./get.ts";

/**
 * Updates settings. Existing commissions keep their holding period and currency; payout runs keep their initial
 * minimums.
 *
 * Errors: `invalid_request`, also for another currency while campaigns have fixed amounts, which would become amounts
 * in that currency.
 */
export async function updateSettings(
  context: Context,
  input: UpdateOrganizationSettings,
): Promise<OrganizationSettings> {
  const organization_id = context.organization.id;
  const updated = await inTransaction(context, async (sql) => {
    const before = await lockSettings(sql, organization_id);
    const currency = input.currency ?? before.currency;
    await requireCurrency(sql, organization_id, { before: before.currency, after: currency });
    const settings = {
      currency,
      hold_days: input.hold_days ?? before.hold_days,
      minimum_payouts:
        input.minimum_payouts === undefined ? before.minimum_payouts : minimumsToRow(input.minimum_payouts),
      payout_day: input.payout_day === undefined ? before.payout_day : input.payout_day,
      public_signups: input.public_signups ?? before.public_signups,
      website_domains: input.website_domains ?? before.website_domains,
      converts_fixed_amounts: input.converts_fixed_amounts ?? before.converts_fixed_amounts,
    };
    if (input.public_signups === "signed") await requireSignupSecret(sql, organization_id);
    await updateRow(sql, organization_id, settings);
    await writeAuditEntry(sql, context, {
      resource: "settings",
      id: organization_id,
      action: "updated",
      before: viewSettings(before),
      after: viewSettings(settings),
    });
    return viewSettings(settings);
  });
  noteOrganizationChange(context.database, organization_id);
  return updated;
}

/** Without a secret, no sign-up could be signed, and none would count. */
async function requireSignupSecret(sql: Connection, organizationId: string): Promise<void> {
  const { secrets_encrypted } = await findSignupPolicy(sql, organizationId);
  if (secrets_encrypted.length > 0) return;
  throw invalidField("public_signups", "Create the secret for signing sign-ups first.");
}
