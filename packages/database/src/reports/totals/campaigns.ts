import type { Connection } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import { CAMPAIGNS, changedBefore, NO_CURRENCY, recordedIn } from "./sources.ts";

export interface CampaignRevenueRow {
  campaign_id: string;
  currency: string;
  revenue_minor: bigint;
}

/** Days in the organization's time zone, the last one excluded: as 2026-11-20. */
interface Days {
  from: string;
  until: string;
}

const SEALED_UNTIL = "(select sealed_until from period)";

const SUM = statement<CampaignRevenueRow, "organization_id" | keyof Days>(`
  with period as materialized (
    select sealed_until, generation, :from::text::date::timestamp at time zone time_zone as starts_at,
      :until::text::date::timestamp at time zone time_zone as ends_at
    from total_seals where organization_id = :organization_id::uuid
  ),
  counted as (
    select campaign_id, currency, revenue_minor from hourly_totals
    where organization_id = :organization_id::uuid and generation = (select generation from period)
      and hour >= (select starts_at from period) and hour < (select ends_at from period)
    union all
    select affiliate.campaign_id, recent.currency, recent.revenue_minor from (
      ${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${changedBefore(SEALED_UNTIL)}
    ) as recent
    join ${CAMPAIGNS} on affiliate.id = recent.affiliate_id
    where counted_at >= (select starts_at from period) and counted_at < (select ends_at from period)
  )
  select campaign_id, currency, sum(revenue_minor)::bigint as revenue_minor from counted
  where currency <> '${NO_CURRENCY}'
  group by campaign_id, currency having sum(revenue_minor) <> 0
  order by campaign_id, currency`);

/** The revenue of each campaign in a range of days, by currency. */
export async function sumCampaignRevenue(
  sql: Connection,
  organizationId: string,
  days: Days,
): Promise<CampaignRevenueRow[]> {
  return await SUM.run(sql, { organization_id: organizationId, ...days });
}
