import type { Connection } from "../../postgres/connect.ts";
import { arrayText, statement } from "../../postgres/statement.ts";
import { NO_VALUE, OTHER_VALUES } from "../totals/performance.ts";
import { TOTALS, type Total } from "../totals/sources.ts";
import {
  HALVES,
  type Half,
  inHalf,
  type MetricsText,
  OF_AFFILIATE,
  OF_GENERATION,
  OWN,
  OWN_IDS,
  type Parameter,
  type PerformanceFilter,
  type PreviousText,
  parametersOf,
  RECENT,
  typeOf,
  unnestedOf,
} from "./query.ts";

export interface PerformanceValueRow extends MetricsText, PreviousText {
  kind: "value" | "none" | "other";
  value: string | null;
  /** The email of an affiliate. */
  email: string | null;
  /** The name of an affiliate or a campaign. */
  name: string | null;
}

export interface PerformanceTableRow {
  /** A page of them. */
  rows: PerformanceValueRow[];
  /** On all pages. */
  count: number;
  /** The sums of all pages. */
  sums: MetricsText & PreviousText;
}

export type PerformanceOrder = Total | "conversion_rate" | "earnings_per_click";

export interface PerformancePage {
  sort: PerformanceOrder;
  descending: boolean;
  /** In lower case; null: all. */
  search: string | null;
  /** Values that the search finds, too; null: none. */
  values: string[] | null;
  limit: number;
  offset: number;
}

const BOTH = [...TOTALS, ...TOTALS.map((total) => `previous_${total}` as const)];
const TEXTS = BOTH.map((total) => `page.${total}::text as ${total}`).join(", ");
const COALESCED = BOTH.map((total) => `coalesce(sum(${total}), 0)::bigint as ${total}`).join(", ");

/** SQL: what `rows` count in both periods, with the signs in each. */
const signedRows = (half: Half, rows: string) => `
    select value_id, null::text as fresh, ${[
      ...inHalf(half, (total) => `sign * ${total}`),
      ...inHalf(half, (total) => `previous_sign * ${total}`),
    ]
      .map((column, place) => `${column} as ${BOTH[place]}`)
      .join(", ")}
    from (${rows}) as element`;

/** SQL: the totals of the spans. Each is one row of the key: a join could read all totals. */
const spanRows = (half: Half, dimension: string) => `
      select sign, previous_sign, unnest(stored.value_ids) as value_id, ${unnestedOf(half)}
      from piece cross join lateral (
        select value_ids, ${half.totals.join(", ")} from performance_totals
        where ${OF_GENERATION} and scope_id = (select id from scope) and dimension = ${dimension}
          and starts = piece.starts and ends = piece.ends and currency = ${half.currency}
        offset 0
      ) as stored
      where not ${OF_AFFILIATE}`;

/** SQL: how many of a row's periods have a day: the signs of the elements of an affiliate's months. */
const inPeriod = (period: "present" | "previous", day: string) =>
  `(${day} >= ${period}_starts and ${day} < ${period}_ends)::int`;

/** SQL: the totals of an affiliate's months. */
const ownRows = (half: Half) => `
      select ${inPeriod("present", "own_month.month")} as sign, ${inPeriod("previous", "own_month.month")} as previous_sign,
        unnest(stored.value_ids) as value_id, ${unnestedOf(half)}
      from own_month cross join lateral (
        select value_ids, ${half.totals.join(", ")} from performance_totals
        where ${OF_GENERATION} and scope_id = -own_month.affiliate and dimension = :dimension::total_dimension
          and starts = own_month.month and currency = own_month.currency
        offset 0
      ) as stored
      where own_month.is_summed and own_month.currency = ${half.currency}
      union all
      select ${inPeriod("present", "first_day + day")}, ${inPeriod("previous", "first_day + day")}, value_id,
        ${half.totals.join(", ")}
      from (
        select own_month.month - 1 as first_day, present_starts, present_ends, previous_starts, previous_ends,
          unnest(stored.days) as day, unnest(${OWN_IDS}) as value_id, ${unnestedOf(half)}
        from own_month cross join lateral (
          select * from affiliate_performance
          where ${OF_GENERATION} and affiliate = own_month.affiliate and month = own_month.month
            and currency = own_month.currency
          offset 0
        ) as stored
        where not own_month.is_summed and own_month.currency = ${half.currency}
      ) as own`;

const ORDER = `case :sort::text
      when 'conversion_rate' then conversions::numeric / nullif(clicks, 0)
      when 'earnings_per_click' then commission_minor::numeric / nullif(clicks, 0)
      ${TOTALS.map((total) => `when '${total}' then ${total}::numeric`).join(" ")} end`;

const PLACE = `case when :descending::boolean then -${ORDER} else ${ORDER} end nulls last, value_id, fresh`;

const AFFILIATE_TEXT = "affiliate.first_name || ' ' || affiliate.last_name || ' ' || affiliate.email";

const READ = statement<
  PerformanceTableRow,
  Parameter | "sort" | "descending" | "search" | "named" | "limit" | "offset"
>(`
  with ${RECENT},
  ${OWN},
  summed as (
    ${HALVES.flatMap((half) => [
      signedRows(half, spanRows(half, ":dimension::total_dimension")),
      signedRows(half, ownRows(half)),
    ]).join(" union all ")}
    union all
    select value_id, fresh, ${[
      ...TOTALS.map((total) => `(case when is_previous then 0 else ${total} end)::${typeOf(total)}`),
      ...TOTALS.map((total) => `(case when is_previous then ${total} else 0 end)::${typeOf(total)}`),
    ].join(", ")} from recent
  ),
  counted as (
    select value_id, fresh, ${COALESCED} from summed group by value_id, fresh
    having ${BOTH.map((total) => `sum(${total}) <> 0`).join(" or ")}
  ),
  found as materialized (
    select * from counted
    where :search::text is null
      or case :dimension::text
        when 'affiliate' then fresh in (
          select id::text from affiliates affiliate
          where organization_id = :organization_id::uuid and position(:search::text in lower(${AFFILIATE_TEXT})) > 0)
        when 'campaign' then fresh in (
          select id::text from campaigns campaign
          where organization_id = :organization_id::uuid and position(:search::text in lower(campaign.name)) > 0)
        else position(:search::text in lower(fresh)) > 0 or fresh = any (:named::text::text[]) end
      or value_id in (
        select known.id from total_values known
        left join affiliates affiliate on known.dimension = 'affiliate'
          and affiliate.organization_id = known.organization_id and affiliate.id::text = known.value
        left join campaigns campaign on known.dimension = 'campaign'
          and campaign.organization_id = known.organization_id and campaign.id::text = known.value
        where known.organization_id = :organization_id::uuid and known.dimension = :dimension::total_dimension
          and (known.value = any (:named::text::text[]) or position(:search::text in lower(case known.dimension
            when 'affiliate' then ${AFFILIATE_TEXT}
            when 'campaign' then campaign.name else known.value end)) > 0))
  ),
  page as materialized (
    select *, row_number() over (order by ${PLACE}) as place
    from (select * from found order by ${PLACE} offset :offset::bigint limit :limit::bigint) as found
  )
  select
    (select count(*)::int from found) as count,
    (select row_to_json(line) from (
      select ${BOTH.map((total) => `coalesce(sum(${total}), 0)::text as ${total}`).join(", ")} from found) as line) as sums,
    (select coalesce(json_agg(line), '[]') from (
      select case value_id when ${NO_VALUE} then 'none' when ${OTHER_VALUES} then 'other' else 'value' end as kind,
        coalesce(fresh, known.value) as value, affiliate.email,
        coalesce(affiliate.first_name || ' ' || affiliate.last_name, campaign.name) as name, ${TEXTS}
      from page
      left join total_values known on known.organization_id = :organization_id::uuid and known.id = page.value_id
      left join lateral (
        select email, first_name, last_name from affiliates
        where organization_id = :organization_id::uuid
          and id = case :dimension::text when 'affiliate' then coalesce(fresh, known.value)::uuid end
        offset 0
      ) as affiliate on true
      left join campaigns campaign on campaign.organization_id = :organization_id::uuid
        and campaign.id = case :dimension::text when 'campaign' then coalesce(fresh, known.value)::uuid end
      order by place) as line) as rows`);

/** A page of a dimension's values, the totals of all of them, and both of the period before. */
export async function readPerformance(
  sql: Connection,
  organizationId: string,
  { filter, page: { values, ...page } }: { filter: PerformanceFilter; page: PerformancePage },
): Promise<PerformanceTableRow> {
  const [row] = await READ.run(sql, {
    organization_id: organizationId,
    ...parametersOf(filter),
    ...page,
    named: values === null ? null : arrayText(values),
  });
  if (row === undefined) throw new Error("a performance without a row");
  return row;
}
