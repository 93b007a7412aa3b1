import type { Campaign, CreateCampaign } from "@findersfee/contract/campaigns";
import { insertCampaign, lockDefaultCampaign } from "@findersfee/database/campaigns";
import { change } from "../change.ts";
import { campaignFields } from "../changes/fields.ts";
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { unsetDefaultCampaign } from "./default.ts";
import { DEFAULT_SETTINGS, mergeSettings, settingsToValues } from "./settings.ts";
import { viewCampaign } from "./view.ts";

/** Creates a campaign. Errors: `invalid_request` for settings that contradict each other. */
export async function createCampaign(context: Context, input: CreateCampaign): Promise<Campaign> {
  const { organization } = context;
  const { name, commission_type, commission_amount, code_mode, ...optional } = input;
  const settings = mergeSettings(
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
  const values = settingsToValues(settings, organization.currency);
  return await change(context, async (sql) => {
    if (values.is_default) {
      await lockDefaultCampaign(sql, organization.id);
      await unsetDefaultCampaign(sql, context);
    }
    const created_at = new Date();
    const campaign = { ...values, id: newId(created_at), created_at };
    await insertCampaign(sql, organization.id, campaign);
    await recordChange(sql, context, {
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
