import type { Connection } from "../connect.ts";
import { statement } from "../statement.ts";
import { CAMPAIGNS, changedBefore, NO_CURRENCY, recordedIn, SUMS, TOTALS, type Total } from "./sources.ts";

/*
 * Totals of periods: the sealed ones and what was recorded since, in one statement, so that all of it is from one
 * moment. Days are dates in the organization's time zone; the last one is excluded.
 */

export interface TotalsFilter {
  /** As 2026-11-20. */
  from: string;
  until: string;
  /** Of the amounts. */
  currency: string;
  campaign_id: string | null;
}

type FilterName = "organization_id" | keyof TotalsFilter;

export type TotalsRow = Record<Total, bigint>;

const IN_CURRENCY = `currency in (:currency::text, '${NO_CURRENCY}')`;
const SEALED_UNTIL = "(select sealed_until from period)";
const TIME_ZONE = "(select time_zone from period)";
const STARTS_AT = "(select starts_at from period)";
const ENDS_AT = "(select ends_at from period)";

const PERIOD = `period as materialized (
    select sealed_until, time_zone, :from::text::date::timestamp at time zone time_zone as starts_at,
      :until::text::date::timestamp at time zone time_zone as ends_at
    from total_seals where organization_id = :organization_id::uuid
  )`;

/** What the sealed totals do not have yet. */
const RECENT = `
    select recent.* from (
      ${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${changedBefore(SEALED_UNTIL)}
    ) as recent
    where ${IN_CURRENCY} and counted_at >= ${STARTS_AT} and counted_at < ${ENDS_AT}
      and (:campaign_id::uuid is null or exists (
        select from affiliates affiliate
        where affiliate.organization_id = :organization_id::uuid and affiliate.id = recent.affiliate_id
          and affiliate.campaign_id = :campaign_id::uuid))`;

const HOURS = `${PERIOD},
  counted as (
    select hour as counted_at, ${TOTALS.join(", ")} from hourly_totals
    where organization_id = :organization_id::uuid and ${IN_CURRENCY} and hour >= ${STARTS_AT} and hour < ${ENDS_AT}
      and (:campaign_id::uuid is null or campaign_id = :campaign_id::uuid)
    union all
    select counted_at, ${TOTALS.join(", ")} from (${RECENT}) as recent
  )`;

const SUMS_OR_ZERO = TOTALS.map((total) => `coalesce(sum(${total}), 0)::bigint as ${total}`).join(", ");

const SUM = statement<TotalsRow & { is_previous: boolean }, FilterName | "middle">(`
  with ${HOURS}
  select asked.is_previous, ${SUMS_OR_ZERO}
  from (values (false), (true)) as asked (is_previous)
  left join counted
    on (counted_at < (:middle::text::date::timestamp at time zone ${TIME_ZONE})) = asked.is_previous
  group by asked.is_previous`);

/** The totals of the days from `middle` on, and of those before it. */
export async function sumTotals(
  sql: Connection,
  organizationId: string,
  filter: TotalsFilter & { middle: string },
): Promise<{ present: TotalsRow; previous: TotalsRow }> {
  const rows = await SUM.run(sql, { organization_id: organizationId, ...filter });
  const [present, previous] = [false, true].map((side) => rows.find((row) => row.is_previous === side));
  if (present === undefined || previous === undefined) throw new Error("a sum without a row");
  return { present, previous };
}

export type SeriesUnit = "hour" | "day" | "week" | "month";

export interface SeriesRow extends TotalsRow {
  /** The beginning of the hour, day, week or month, also if the range begins later. */
  starts_at: Date;
}

function seriesStatement(points: string, pointOf: string) {
  return statement<SeriesRow, FilterName | "unit">(`
    with ${HOURS},
    summed as (select ${pointOf} as starts_at, ${SUMS} from counted group by 1)
    select point.starts_at, ${TOTALS.map((total) => `coalesce(${total}, 0) as ${total}`).join(", ")}
    from (${points}) as point
    left join summed on summed.starts_at = point.starts_at
    order by point.starts_at`);
}

const SERIES = seriesStatement(
  `select day at time zone ${TIME_ZONE} as starts_at
    from generate_series(date_trunc(:unit::text, :from::text::date::timestamp),
      :until::text::date::timestamp - interval '1 day', ('1 ' || :unit::text)::interval) as day`,
  `date_trunc(:unit::text, counted_at at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE}`,
);

/** Hours are counted in real time: a day on which clocks change has 23 or 25 of them. */
const HOURLY_SERIES = seriesStatement(
  `select generate_series(${STARTS_AT}, ${ENDS_AT} - interval '1 second', ('1 ' || :unit::text)::interval) as starts_at`,
  `date_trunc(:unit::text, counted_at, ${TIME_ZONE})`,
);

/** The totals of each hour, day, week (from Monday) or month of a period, those without any included. */
export async function listTotalsSeries(
  sql: Connection,
  organizationId: string,
  filter: TotalsFilter & { unit: SeriesUnit },
): Promise<SeriesRow[]> {
  const list = filter.unit === "hour" ? HOURLY_SERIES : SERIES;
  return await list.run(sql, { organization_id: organizationId, ...filter });
}

export interface TopAffiliateRow extends TotalsRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
}

export type TopOrder = "revenue_minor" | "commission_minor" | "clicks";

function topStatement(order: TopOrder) {
  const currency = order === "clicks" ? `'${NO_CURRENCY}'` : ":currency::text";
  return statement<TopAffiliateRow, FilterName | "limit">(`
    with ${PERIOD},
    recent as materialized (${RECENT}),
    best as materialized (
      select affiliate_id from (
        select affiliate_id, ${order} from daily_totals
        where organization_id = :organization_id::uuid and currency = ${currency}
          and day >= :from::text::date and day < :until::text::date
        union all
        select affiliate_id, ${order} from recent where currency = ${currency}
      ) as counted
      where :campaign_id::uuid is null or affiliate_id in (
        select id from affiliates
        where organization_id = :organization_id::uuid and campaign_id = :campaign_id::uuid)
      group by affiliate_id having sum(${order}) > 0
      order by sum(${order}) desc, affiliate_id limit :limit::int
    ),
    counted as (
      select affiliate_id, ${TOTALS.join(", ")} from daily_totals
      where organization_id = :organization_id::uuid and ${IN_CURRENCY} and affiliate_id in (select affiliate_id from best)
        and day >= :from::text::date and day < :until::text::date
      union all
      select affiliate_id, ${TOTALS.join(", ")} from recent where affiliate_id in (select affiliate_id from best)
    )
    select affiliate.id, affiliate.email, affiliate.first_name, affiliate.last_name, ${TOTALS.map((total) => `summed.${total}`).join(", ")}
    from (select affiliate_id, ${SUMS} from counted group by affiliate_id) as summed
    join affiliates affiliate
      on affiliate.organization_id = :organization_id::uuid and affiliate.id = summed.affiliate_id
    order by summed.${order} desc, affiliate.id`);
}

const TOP = {
  revenue_minor: topStatement("revenue_minor"),
  commission_minor: topStatement("commission_minor"),
  clicks: topStatement("clicks"),
};

/** The affiliates with the most of a total, which is above zero. */
export async function listTopAffiliates(
  sql: Connection,
  organizationId: string,
  { order, limit, ...filter }: TotalsFilter & { order: TopOrder; limit: number },
): Promise<TopAffiliateRow[]> {
  return await TOP[order].run(sql, { organization_id: organizationId, limit, ...filter });
}

export interface CampaignRevenueRow {
  campaign_id: string;
  currency: string;
  revenue_minor: bigint;
}

const REVENUE_BY_CAMPAIGN = statement<CampaignRevenueRow, Exclude<FilterName, "campaign_id" | "currency">>(`
  with ${PERIOD},
  counted as (
    select campaign_id, currency, revenue_minor from hourly_totals
    where organization_id = :organization_id::uuid and hour >= ${STARTS_AT} and hour < ${ENDS_AT}
    union all
    select affiliate.campaign_id, recent.currency, recent.revenue_minor from (
      ${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${changedBefore(SEALED_UNTIL)}
    ) as recent
    join ${CAMPAIGNS} on affiliate.id = recent.affiliate_id
    where counted_at >= ${STARTS_AT} and counted_at < ${ENDS_AT}
  )
  select campaign_id, currency, sum(revenue_minor)::bigint as revenue_minor from counted
  where currency <> '${NO_CURRENCY}'
  group by campaign_id, currency having sum(revenue_minor) <> 0
  order by campaign_id, currency`);

/** The revenue of each campaign in a range of days, by currency. */
export async function sumCampaignRevenue(
  sql: Connection,
  organizationId: string,
  range: Omit<TotalsFilter, "campaign_id" | "currency">,
): Promise<CampaignRevenueRow[]> {
  return await REVENUE_BY_CAMPAIGN.run(sql, { organization_id: organizationId, ...range });
}
