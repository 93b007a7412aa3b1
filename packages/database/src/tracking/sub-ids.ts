import type { OwnAffiliate } from "../portal/home.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The results of a sub-id in a period. */
export interface SubIdRow {
  sub_id: string;
  clicks: bigint;
  signups: bigint;
  conversions: bigint;
  earned: { currency: string; minor: string }[];
}

const LIST = statement<SubIdRow, keyof OwnAffiliate | "since" | "days" | "limit">(`
  with clicked as (
    select sub_id, sum(clicks)::bigint as clicks
    from generate_series(0, :days::int - 1) as number
    cross join lateral (
      select sub_id, clicks from sub_id_clicks
      where day = (:since::timestamptz at time zone 'UTC')::date + number
        and organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      offset 0
    ) as of_day
    group by sub_id
  ),
  referral as materialized (
    select id, sub_id, signup_date, converted_at from referrals
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
      and sub_id is not null and replaced_at is null
  ),
  referred as (
    select sub_id, count(*) filter (where signup_date >= :since::timestamptz) as signups,
      count(*) filter (where converted_at >= :since::timestamptz) as conversions
    from referral group by sub_id
  ),
  earned as (
    select sub_id, json_agg(json_build_object('currency', currency, 'minor', minor::text) order by currency) as earned
    from (
      select referral.sub_id, commission.currency, sum(commission.commission_minor) as minor
      from commissions commission
      join referral on referral.id = commission.referral_id
      where commission.organization_id = :organization_id::uuid and commission.affiliate_id = :affiliate_id::uuid
        and commission.id >= first_id_of(:since::timestamptz) and commission.referral_date >= :since::timestamptz
        and not commission.voided
      group by 1, 2
    ) as of_currency
    group by sub_id
  )
  select sub_id, coalesce(clicks, 0) as clicks, coalesce(signups, 0) as signups, coalesce(conversions, 0) as conversions,
    coalesce(earned, '[]') as earned
  from clicked full join referred using (sub_id) full join earned using (sub_id)
  where clicks > 0 or signups > 0 or conversions > 0 or earned is not null
  order by 4 desc, 3 desc, 2 desc, 1 limit :limit::int`);

/**
 * Returns the results of an affiliate's sub-ids since a beginning of a day (UTC), those with most conversions
 * first.
 */
export async function listSubIds(
  sql: Connection,
  query: OwnAffiliate & { since: Date; days: number; limit: number },
): Promise<SubIdRow[]> {
  return await LIST.run(sql, { ...query });
}

/** Deletes at most `limit` counts of days before one; returns how many. */
export async function deleteOldSubIdClicks(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from sub_id_clicks where ctid = any (array(
      select ctid from sub_id_clicks where day < (${before}::timestamptz at time zone 'UTC')::date
      order by day limit ${limit}))`;
  return result.count;
}
