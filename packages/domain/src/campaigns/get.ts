import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewRuledCampaign } from "./view.ts";

/** One campaign. Errors: `not_found`. */
export async function getCampaign({ database, organization }: Context, id: string): Promise<Campaign> {
  const row = await findCampaign(database, organization.id, id);
  if (row === null) throw notFound("campaign");
  return viewRuledCampaign(row, organization.currency);
}
