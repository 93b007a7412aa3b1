import type { Campaign, CreateCampaign } from "@findersfee/contract/campaigns/campaigns";
import { insertCampaign, lockDefaultCampaign } from "@findersfee/database/campaigns/campaigns";
import { lockCurrency } from "@findersfee/database/organizations/settings";
import type { CampaignRow } from "@findersfee/database/rows";
import { changeTierEvaluation } from "@findersfee/database/tiers/evaluations";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { requireNoAddress } from "../shown-name.ts";
import { inTransaction } from "../transaction.ts";
import { unsetDefaultCampaign } from "./default.ts";
import { storeRules } from "./rules/store.ts";
import {
  type CampaignSettings,
  DEFAULT_SETTINGS,
  mergeSettings,
  type SettingValues,
  settingsToValues,
} from "./settings.ts";
import { requireNamesWithoutAddress } from "./translations.ts";
import { campaignFields, viewRuledCampaign } from "./view.ts";

/** A new campaign is not listed: it may have a special rate for one partner. */
const DEFAULT_JOINING = "by_link";

/**
 * Creates a campaign. Its fixed amounts are in the organization's currency, which the request may have read up to a second
 * ago, so it is read again and locked.
 *
 * Errors: `invalid_request` for settings that contradict each other.
 */
export async function createCampaign(context: Context, input: CreateCampaign): Promise<Campaign> {
  const { organization } = context;
  return await inTransaction(context, async (sql) => {
    // The stronger lock of the same row first: two transactions cannot both raise theirs.
    if (input.is_default === true) await lockDefaultCampaign(sql, organization.id);
    const currency = await lockCurrency(sql, organization.id);
    const { rules, ...values } = createdValues(input, currency);
    if (values.is_default) await unsetDefaultCampaign(sql, context);
    const created_at = new Date();
    const stored = await storeRules(sql, organization.id, { rules, before: null });
    const values_with = { ...values, rule_set_id: stored.rule_set_id, id: newId(created_at), created_at };
    await insertCampaign(sql, organization.id, values_with);
    if (values.tiers !== null)
      await changeTierEvaluation(sql, organization.id, { campaign_id: values_with.id, has_tiers: true });
    const campaign = { ...values_with, rules: stored.rules };
    await writeAuditEntry(sql, context, {
      resource: "campaign",
      id: campaign.id,
      action: "created",
      before: null,
      after: campaignFields(campaign, currency),
      currency,
    });
    return viewRuledCampaign(campaign, currency);
  });
}

/** Throws the `invalid_request` that `createCampaign` would throw for this input, and creates nothing. */
export function checkCampaignCreation({ organization }: Context, input: CreateCampaign): void {
  createdValues(input, organization.currency);
}

function createdValues(
  input: CreateCampaign,
  currency: string,
): SettingValues & Pick<CampaignRow, "joining"> {
  const { name, commission_type, commission_amount, code_mode, ...optional } = input;
  // It is in mails to people who join, and to people who have not agreed.
  requireNoAddress("name", name);
  requireNamesWithoutAddress(input.translations, DEFAULT_SETTINGS.translations);
  const settings = mergeSettings<CampaignSettings>(
    {
      name,
      commission_type,
      commission_amount,
      code_mode,
      ...DEFAULT_SETTINGS,
      custom_commissions: [],
      custom_fields: [],
    },
    optional,
  );
  return { ...settingsToValues(settings, currency), joining: DEFAULT_JOINING };
}
