import type { Connection } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import { changedBefore, NO_CURRENCY, recordedIn, SUMS, TOTALS, type Total } from "./sources.ts";

/*
 * Totals of a period and of the one before it: the sealed totals and the rows since, in one statement, so
 * that all of it is from one moment, and the rows since are summed up once. Days are dates in the
 * organization's time zone.
 */

export interface OverviewFilter {
  /** The first day of the period before, as 2026-10-21. */
  before: string;
  from: string;
  /** Excluded. */
  until: string;
  unit: "day" | "week" | "month";
  /** The currency of the amounts. */
  currency: string;
  campaign_id: string | null;
  /** Affiliates with the most of their commission's revenue. */
  top: number;
}

/** Totals as the digits of their numbers. */
export type TotalsText = Record<Total, string>;

export interface OverviewPointRow extends TotalsText {
  is_previous: boolean;
  /** The first day of the day, week (from Monday) or month, also if the period begins later. */
  day: string;
}

export interface TopAffiliateRow extends TotalsText {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
}

export interface OverviewRow {
  /** Those with any totals, in order. */
  points: OverviewPointRow[];
  top: TopAffiliateRow[];
}

const IN_CURRENCY = `currency in (:currency::text, '${NO_CURRENCY}')`;
const SEALED_UNTIL = "(select sealed_until from period)";
const GENERATION = "generation = (select generation from period)";
const TIME_ZONE = "(select time_zone from period)";
const BEGINS_AT = "(select begins_at from period)";
const STARTS_AT = "(select starts_at from period)";
const ENDS_AT = "(select ends_at from period)";
const ALL = TOTALS.join(", ");
const asText = (table: string) => TOTALS.map((total) => `${table}.${total}::text as ${total}`).join(", ");

const momentOf = (day: string) => `${day}::text::date::timestamp at time zone time_zone`;

const READ = statement<OverviewRow, "organization_id" | keyof OverviewFilter>(`
  with period as materialized (
    select sealed_until, time_zone, generation, ${momentOf(":before")} as begins_at, ${momentOf(":from")} as starts_at,
      ${momentOf(":until")} as ends_at
    from total_seals where organization_id = :organization_id::uuid
  ),
  -- What the sealed totals do not have yet.
  recent as materialized (
    select recent.* from (
      ${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${changedBefore(SEALED_UNTIL)}
    ) as recent
    where ${IN_CURRENCY} and counted_at >= ${BEGINS_AT} and counted_at < ${ENDS_AT}
      and (:campaign_id::uuid is null or exists (
        select from affiliates affiliate
        where affiliate.organization_id = :organization_id::uuid and affiliate.id = recent.affiliate_id
          and affiliate.campaign_id = :campaign_id::uuid))
  ),
  -- Few rows before their days are computed.
  hours as (
    select counted_at, ${SUMS} from (
      select hour as counted_at, ${ALL} from hourly_totals
      where organization_id = :organization_id::uuid and ${GENERATION} and ${IN_CURRENCY} and hour >= ${BEGINS_AT} and hour < ${ENDS_AT}
        and (:campaign_id::uuid is null or campaign_id = :campaign_id::uuid)
      union all
      select date_trunc('hour', counted_at, ${TIME_ZONE}), ${ALL} from recent
    ) as counted
    group by counted_at
  ),
  point as (
    select counted_at < ${STARTS_AT} as is_previous,
      date_trunc(:unit::text, counted_at at time zone ${TIME_ZONE})::date as day, ${SUMS}
    from hours group by 1, 2
  ),
  best as materialized (
    select affiliate_id from (
      select affiliate_id, revenue_minor from daily_totals
      where organization_id = :organization_id::uuid and ${GENERATION} and currency = :currency::text
        and day >= :from::text::date and day < :until::text::date
      union all
      select affiliate_id, revenue_minor from recent where currency = :currency::text and counted_at >= ${STARTS_AT}
    ) as counted
    where :campaign_id::uuid is null or affiliate_id in (
      select id from affiliates
      where organization_id = :organization_id::uuid and campaign_id = :campaign_id::uuid)
    group by affiliate_id having sum(revenue_minor) > 0
    order by sum(revenue_minor) desc, affiliate_id limit :top::int
  ),
  summed as (
    select affiliate_id, ${SUMS} from (
      select affiliate_id, ${ALL} from daily_totals
      where organization_id = :organization_id::uuid and ${GENERATION} and ${IN_CURRENCY}
        and affiliate_id in (select affiliate_id from best) and day >= :from::text::date and day < :until::text::date
      union all
      select affiliate_id, ${ALL} from recent
      where affiliate_id in (select affiliate_id from best) and counted_at >= ${STARTS_AT}
    ) as counted
    group by affiliate_id
  )
  select
    (select coalesce(json_agg(line order by is_previous desc, day), '[]')
      from (select is_previous, day, ${asText("point")} from point) as line) as points,
    (select coalesce(json_agg(line), '[]') from (
      select affiliate.id, affiliate.email, affiliate.first_name, affiliate.last_name, ${asText("summed")}
      from summed join affiliates affiliate
        on affiliate.organization_id = :organization_id::uuid and affiliate.id = summed.affiliate_id
      order by summed.revenue_minor desc, affiliate.id) as line) as top`);

/** The points of both periods, and the affiliates with the most revenue in the later one. */
export async function readOverview(
  sql: Connection,
  organizationId: string,
  filter: OverviewFilter,
): Promise<OverviewRow> {
  const [row] = await READ.run(sql, { organization_id: organizationId, ...filter });
  if (row === undefined) throw new Error("an overview without a row");
  return row;
}
