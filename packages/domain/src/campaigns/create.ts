import type { Campaign, CreateCampaign } from "@findersfee/contract/campaigns";
import { insertCampaign, lockDefaultCampaign, unsetDefaultCampaign } from "@findersfee/database/campaigns";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
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
      await unsetDefaultCampaign(sql, organization.id);
    }
    const created_at = new Date();
    const campaign = { ...values, id: newId(created_at), created_at };
    await insertCampaign(sql, organization.id, campaign);
    return viewCampaign(campaign, organization.currency);
  });
}
