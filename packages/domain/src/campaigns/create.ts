import type { Campaign, CreateCampaign } from "@findersfee/contract/campaigns/campaigns";
import {
  type CampaignValues,
  insertCampaign,
  lockDefaultCampaign,
} from "@findersfee/database/campaigns/campaigns";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { inTransaction } from "../transaction.ts";
import { unsetDefaultCampaign } from "./default.ts";
import { type CampaignSettings, DEFAULT_SETTINGS, mergeSettings, settingsToValues } from "./settings.ts";
import { campaignFields, viewCampaign } from "./view.ts";

/** A new campaign is not listed: it may have a special rate for one partner. */
const DEFAULT_JOINING = "by_link";

/** Creates a campaign. Errors: `invalid_request` for settings that contradict each other. */
export async function createCampaign(context: Context, input: CreateCampaign): Promise<Campaign> {
  const { organization } = context;
  const values = createdValues(input, organization.currency);
  return await inTransaction(context, async (sql) => {
    if (values.is_default) {
      await lockDefaultCampaign(sql, organization.id);
      await unsetDefaultCampaign(sql, context);
    }
    const created_at = new Date();
    const campaign = { ...values, id: newId(created_at), created_at };
    await insertCampaign(sql, organization.id, campaign);
    await writeAuditEntry(sql, context, {
      resource: "campaign",
      id: campaign.id,
      action: "created",
      before: null,
      after: campaignFields(campaign, organization.currency),
      currency: organization.currency,
    });
    return viewCampaign(campaign, organization.currency);
  });
}

/** Throws the `invalid_request` that `createCampaign` would throw for this input, and creates nothing. */
export function checkCampaignCreation({ organization }: Context, input: CreateCampaign): void {
  createdValues(input, organization.currency);
}

function createdValues(input: CreateCampaign, currency: string): CampaignValues {
  const { name, commission_type, commission_amount, code_mode, ...optional } = input;
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
