import type { EditCampaign, EditedCampaign } from "@findersfee/contract/campaigns/editing";
import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import { findCampaign, findCampaignPortal } from "@findersfee/database/campaigns/campaigns";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { updateCampaign } from "./update.ts";
import { versionOf } from "./version.ts";
import { viewRuledCampaign } from "./view.ts";

/** A campaign for an editor, with its version and its last change. Errors: `not_found`. */
export async function getEditedCampaign(
  { database, organization }: Context,
  id: string,
): Promise<EditedCampaign> {
  const [row, portal, entries] = await Promise.all([
    findCampaign(database, organization.id, id),
    findCampaignPortal(database, organization.id, id),
    listAuditEntries(database, organization.id, {
      filter: { resource: "campaign", resource_id: id.toLowerCase() },
      range: { from_id: null, below_id: null, limit: 1 },
    }),
  ]);
  if (row === null || portal === null) throw notFound("campaign");
  const [last] = entries;
  return {
    campaign: viewRuledCampaign(row, organization.currency),
    joining: row.joining,
    version: versionOf(row),
    changed:
      last === undefined ? null : { at: last.created_at.toISOString(), by: last.actor_name ?? last.actor },
    ...portal,
  };
}

/**
 * Changes a campaign as an editor has read it. Errors: `not_found`, `invalid_request`, `campaign_changed`.
 */
export async function editCampaign(
  context: Context,
  { version, change: { joining, ...change } }: EditCampaign,
): Promise<EditedCampaign> {
  await updateCampaign(context, change, { version, joining });
  return await getEditedCampaign(context, change.id);
}
