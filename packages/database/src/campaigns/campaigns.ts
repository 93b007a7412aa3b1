import type { PortalLanguage } from "../mails/language.ts";
import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";
import { campaignReader } from "../readers.ts";
import type { CampaignRow, RuledCampaignRow } from "../rows.ts";

/** The columns of a campaign that are written: `CampaignRow` without those that never change. */
export type CampaignValues = Omit<CampaignRow, "id" | "created_at">;

/** Returns the campaign with its nested resources. */
export const findCampaign = campaignReader.find;

/** Same as `findCampaign`, and locks the row against changes until the transaction ends. */
export const lockCampaign = campaignReader.lock;

export async function findDefaultCampaign(
  sql: Connection,
  organizationId: string,
): Promise<RuledCampaignRow | null> {
  const [row] = await campaignReader.list(sql, organizationId, {
    chosen: sql`select * from campaigns campaign where campaign.organization_id = ${organizationId} and campaign.is_default`,
    range: { below: null, offset: 0, limit: 1 },
  });
  return row ?? null;
}

export async function listCampaigns(
  sql: Connection,
  organizationId: string,
  range: PageRange,
): Promise<RuledCampaignRow[]> {
  return await campaignReader.list(sql, organizationId, {
    chosen: sql`select * from campaigns campaign where campaign.organization_id = ${organizationId}`,
    range,
  });
}

/** Returns the ids among these of campaigns of the organization. */
export async function findCampaignIds(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from campaigns where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])`;
  return rows.map(({ id }) => id);
}

export async function countCampaigns(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from campaigns where organization_id = ${organizationId}`;
  return row.count;
}

/** A campaign in the organization's portal. */
export interface CampaignPortalRow {
  /** Those that the portal offers. */
  languages: PortalLanguage[];
  /** Whether the portal lists it, and no other campaign. */
  is_only_listed: boolean;
}

const PORTAL = statement<CampaignPortalRow, "organization_id" | "id">(`
  select organization.languages, campaign.joining = 'listed' and not exists (
      select from campaigns other
      where other.organization_id = organization.id and other.joining = 'listed' and other.id <> campaign.id
    ) as is_only_listed
  from campaigns campaign join organizations organization on organization.id = campaign.organization_id
  where campaign.organization_id = :organization_id::uuid and campaign.id = :id::uuid`);

export async function findCampaignPortal(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<CampaignPortalRow | null> {
  const [row] = await PORTAL.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

export async function insertCampaign(
  sql: Connection,
  organizationId: string,
  campaign: CampaignRow,
): Promise<void> {
  await sql`
    insert into campaigns ${sql({
      ...campaign,
      organization_id: organizationId,
      custom_commissions: sql.json(campaign.custom_commissions as never),
      lead_commissions: sql.json(campaign.lead_commissions as never),
      tiers: campaign.tiers === null ? null : sql.json(campaign.tiers as never),
      signals: campaign.signals === null ? null : sql.json(campaign.signals as never),
      custom_fields: sql.json(campaign.custom_fields as never),
      translations: sql.json(campaign.translations as never),
    })}`;
}

export async function updateCampaign(
  sql: Connection,
  organizationId: string,
  { id, values }: { id: string; values: CampaignValues },
): Promise<void> {
  await sql`
    update campaigns set ${sql({
      ...values,
      custom_commissions: sql.json(values.custom_commissions as never),
      lead_commissions: sql.json(values.lead_commissions as never),
      tiers: values.tiers === null ? null : sql.json(values.tiers as never),
      signals: values.signals === null ? null : sql.json(values.signals as never),
      custom_fields: sql.json(values.custom_fields as never),
      translations: sql.json(values.translations as never),
    })}
    where organization_id = ${organizationId} and id = ${id}`;
}

/**
 * Unsets the organization's default campaign, so that another one can become it, and returns its id; null: there was
 * none. The caller holds the organization's lock.
 */
export async function unsetDefaultCampaign(sql: Connection, organizationId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    update campaigns set is_default = false where organization_id = ${organizationId} and is_default
    returning id`;
  return row?.id ?? null;
}

/** Serializes changes of the default campaign of an organization. */
export async function lockDefaultCampaign(sql: Connection, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for no key update`;
}
