import {
  type Campaign,
  type UpdateCampaign,
  updateCampaignInput,
} from "@findersfee/contract/campaigns/campaigns";
import type { Joining } from "@findersfee/contract/campaigns/editing";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import {
  type CampaignValues,
  findCampaign,
  lockCampaign,
  lockDefaultCampaign,
  updateCampaign as updateRow,
} from "@findersfee/database/campaigns/campaigns";
import { lockCurrency } from "@findersfee/database/organizations/settings";
import { makeCampaignCodesDue } from "@findersfee/database/processors/promo-codes";
import type { RuledCampaignRow } from "@findersfee/database/rows";
import { changeTierEvaluation } from "@findersfee/database/tiers/evaluations";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { requireNoAddress } from "../shown-name.ts";
import { inTransaction } from "../transaction.ts";
import { unsetDefaultCampaign } from "./default.ts";
import { storeRules } from "./rules/store.ts";
import { type CampaignSettings, mergeSettings, type SettingValues, settingsToValues } from "./settings.ts";
import { followQuestions, requireNamesWithoutAddress } from "./translations.ts";
import { versionOf } from "./version.ts";
import { campaignFields, viewRuledCampaign } from "./view.ts";

/**
 * Changes the given fields. Errors: `not_found`, `invalid_request`; with the `version` that an editor has read,
 * `campaign_changed` if somebody else has changed a setting since.
 */
export async function updateCampaign(
  context: Context,
  input: UpdateCampaign,
  { version, joining }: { version?: string; joining?: Joining | undefined } = {},
): Promise<Campaign> {
  const { organization } = context;
  const { id, is_default } = input;
  return await inTransaction(context, async (sql) => {
    // Locked before the campaign, in the same order as in every operation that takes both locks.
    if (is_default === true) await lockDefaultCampaign(sql, organization.id);
    // The request may have read it up to a second ago, and fixed amounts are in it.
    const currency = await lockCurrency(sql, organization.id);
    const row = await lockCampaign(sql, organization.id, id);
    if (row === null) throw notFound("campaign");
    if (version !== undefined && version !== versionOf(row)) throw new DomainError("campaign_changed");
    const { rules, ...settings } = updatedValues(row, input, currency);
    const stored = await storeRules(sql, organization.id, { rules, before: row });
    const { rule_set_id } = stored;
    const values = { ...settings, rule_set_id, joining: joining ?? row.joining };
    if (is_default === true && !row.is_default) await unsetDefaultCampaign(sql, context);
    await updateRow(sql, organization.id, { id, values });
    if (givesOtherCoupon(row, values)) await makeCampaignCodesDue(sql, organization.id, id);
    const after = { ...row, ...values, rules: stored.rules };
    const view = viewRuledCampaign(after, currency);
    if (JSON.stringify(view.tiers) !== JSON.stringify(viewRuledCampaign(row, currency).tiers))
      await changeTierEvaluation(sql, organization.id, {
        campaign_id: row.id,
        has_tiers: values.tiers !== null,
      });
    await writeAuditEntry(sql, context, {
      resource: "campaign",
      id: row.id,
      action: "updated",
      before: campaignFields(row, currency),
      after: campaignFields(after, currency),
      currency,
    });
    return view;
  });
}

/**
 * Throws the `invalid_request` that `updateCampaign` would throw for this input, and changes nothing. A campaign
 * that does not exist has no issues.
 */
export async function checkCampaignUpdate(
  { database, organization }: Context,
  input: UpdateCampaign,
): Promise<void> {
  const row = await findCampaign(database, organization.id, input.id);
  if (row !== null) updatedValues(row, input, organization.currency);
}

/** The campaign's values after the update. Throws `invalid_request` with all issues. */
function updatedValues(row: RuledCampaignRow, input: UpdateCampaign, currency: string): SettingValues {
  const view = viewRuledCampaign(row, currency);
  if (input.name !== row.name) requireNoAddress("name", input.name);
  requireNamesWithoutAddress(input.translations, view.translations);
  const { id: _id, created_at: _created_at, ...current } = view;
  const { id: _input_id, created_at: _input_created_at, ...settings } = input;
  const merged = mergeSettings<CampaignSettings>(current, settings);
  const translations = followQuestions(merged, view);
  return settingsToValues(
    { ...merged, translations },
    currency,
    readOnlyIssues(updateCampaignInput, input, view),
  );
}

/** Whether its promo codes must be created, or created again, at the payment processor. */
function givesOtherCoupon(before: CampaignValues, after: CampaignValues): boolean {
  const couponOf = ({ code_mode, reference_coupon }: CampaignValues) =>
    code_mode === "link" ? null : reference_coupon;
  return couponOf(after) !== null && couponOf(after) !== couponOf(before);
}
