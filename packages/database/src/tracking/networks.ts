import type { Connection } from "../postgres/connect.ts";
import { arrayText, plainArrayText, statement } from "../postgres/statement.ts";

/** A network that an affiliate used on a day. */
export interface AffiliateNetwork {
  organization_id: string;
  affiliate_id: string;
  /** Hex. It differs by organization and day. */
  network_hash: string;
}

const INSERT = statement<object, "used_at" | "organization_ids" | "affiliate_ids" | "network_hashes">(`
  insert into affiliate_networks (day, organization_id, affiliate_id, network_hash)
  select (:used_at::timestamptz at time zone 'UTC')::date, organization_id, affiliate_id, decode(network_hash, 'hex')
  from unnest(:organization_ids::text::uuid[], :affiliate_ids::text::uuid[], :network_hashes::text::text[])
    as used (organization_id, affiliate_id, network_hash)
  on conflict do nothing`);

/** Records the networks that affiliates use at a time. */
export async function insertAffiliateNetworks(
  sql: Connection,
  networks: readonly AffiliateNetwork[],
  used_at: Date,
): Promise<void> {
  await INSERT.run(sql, {
    used_at,
    organization_ids: plainArrayText(networks.map(({ organization_id }) => organization_id)),
    affiliate_ids: plainArrayText(networks.map(({ affiliate_id }) => affiliate_id)),
    network_hashes: plainArrayText(networks.map(({ network_hash }) => network_hash)),
  });
}

/** A click with its network. */
export interface ClickNetwork {
  id: string;
  affiliate_id: string;
  network_hash: string;
  clicked_at: Date;
}

const FIND_SHARED = statement<
  { id: string; day: string },
  "organization_id" | "ids" | "affiliate_ids" | "network_hashes" | "times"
>(`
  select click.id, own.day::text
  from unnest(:ids::text::uuid[], :affiliate_ids::text::uuid[], :network_hashes::text::text[], :times::text::timestamptz[])
    as click (id, affiliate_id, network_hash, clicked_at)
  join affiliate_networks own
    on own.day = (click.clicked_at at time zone 'UTC')::date and own.organization_id = :organization_id::uuid
      and own.affiliate_id = click.affiliate_id and own.network_hash = decode(click.network_hash, 'hex')`);

/** Returns the clicks of affiliates who used the click's network on the same day (UTC), each with the day. */
export async function findSharedNetworks(
  sql: Connection,
  organizationId: string,
  clicks: readonly ClickNetwork[],
): Promise<{ id: string; day: string }[]> {
  return await FIND_SHARED.run(sql, {
    organization_id: organizationId,
    ids: plainArrayText(clicks.map(({ id }) => id)),
    affiliate_ids: plainArrayText(clicks.map(({ affiliate_id }) => affiliate_id)),
    network_hashes: plainArrayText(clicks.map(({ network_hash }) => network_hash)),
    times: arrayText(clicks.map(({ clicked_at }) => clicked_at)),
  });
}

/** Deletes at most `limit` networks of days before one; returns how many. */
export async function deleteOldAffiliateNetworks(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from affiliate_networks where ctid = any (array(
      select ctid from affiliate_networks where day < (${before}::timestamptz at time zone 'UTC')::date
      order by day limit ${limit}))`;
  return result.count;
}
