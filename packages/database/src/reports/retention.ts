import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The customers of an affiliate who paid in a month, by the month of their first payment. */
export interface RetentionRow {
  /** As in 2026-11, in the organization's time zone. */
  first_month: string;
  month: string;
  customers: number;
  /** The present one. */
  last_month: string;
  /** Whether older commissions were not read. */
  is_cut: boolean;
}

/**
 * Reads one range of the index of an affiliate's commissions, the newest first, at most `most` rows. A voided commission is no
 * payment, and neither is a reversal or a commission for a recruit.
 */
const READ = statement<RetentionRow, "organization_id" | "affiliate_id" | "most" | "months">(`
  with zone as materialized (
    select time_zone from organizations where id = :organization_id::uuid
  ),
  newest as materialized (
    select referral_id, referral_date, voided or reversal_of is not null or recruit_commission_id is not null as is_void
    from commissions
    where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
    order by id desc limit :most::int + 1
  ),
  paid as (
    select distinct referral_id, date_trunc('month', referral_date at time zone zone.time_zone)::date as month
    from (select * from newest limit :most::int) as newest, zone
    where not is_void
  ),
  begun as (
    select month, min(month) over (partition by referral_id) as first_month from paid
  )
  select to_char(first_month, 'YYYY-MM') as first_month, to_char(month, 'YYYY-MM') as month, count(*)::int as customers,
    to_char(now() at time zone min(zone.time_zone), 'YYYY-MM') as last_month,
    (select count(*) from newest) > :most::int as is_cut
  from begun, zone
  where first_month > (date_trunc('month', now() at time zone zone.time_zone) - make_interval(months => :months::int))::date
    and month <= (now() at time zone zone.time_zone)::date
  group by begun.first_month, begun.month
  order by begun.first_month, begun.month`);

export async function readRetention(
  sql: Connection,
  organizationId: string,
  { affiliate_id, most, months }: { affiliate_id: string; most: number; months: number },
): Promise<RetentionRow[]> {
  return await READ.run(sql, { organization_id: organizationId, affiliate_id, most, months });
}
