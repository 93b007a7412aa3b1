import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import {
  AMOUNTS,
  COUNTS,
  type Dimension,
  grains,
  NO_VALUE,
  ORGANIZATION_SCOPE,
  OTHER_VALUES,
  OWN_DIMENSIONS,
} from "./totals/performance.ts";
import { movedSubjects, movedTotals, withSources } from "./totals/referral-sources.ts";
import { changedBefore, NO_CURRENCY, recordedIn, TOTALS, type Total } from "./totals/sources.ts";

/*
 * Totals by value of a dimension: the stored totals and the rows since, in one statement, as in
 * totals/overview.ts.
 * Days are dates in the organization's time zone.
 */

/** A stored span of days, and how often it counts in each period. */
export interface PieceRow {
  /** The point of a chart; for a table, any day. */
  day: string;
  from: string;
  /** Excluded. */
  until: string;
  sign: number;
  previous_sign: number;
}

/** A range of days that the pieces have totals of. */
export interface RangeRow {
  from: string;
  until: string;
}

export interface PerformanceFilter {
  dimension: Dimension;
  /** Null: the organization. */
  scope: { dimension: "campaign" | "affiliate"; id: string } | null;
  /** The currency of the amounts. */
  currency: string;
  pieces: readonly PieceRow[];
  present: RangeRow;
  previous: RangeRow | null;
}

/** Totals as the digits of their numbers. */
export type MetricsText = Record<Total, string>;

export type PreviousText = { [Name in Total as `previous_${Name}`]: string };

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

const IN_CURRENCY = `currency in (:currency::text, '${NO_CURRENCY}')`;
const SEALED_UNTIL = "(select sealed_until from period)";
const TIME_ZONE = "(select time_zone from period)";

type Parameter =
  | "organization_id"
  | "dimension"
  | "scope_dimension"
  | "scope_id"
  | "currency"
  | "days"
  | "froms"
  | "untils"
  | "signs"
  | "previous_signs"
  | "present_from"
  | "present_until"
  | "previous_from"
  | "previous_until";

const COLUMN: Record<Exclude<Dimension, "all">, string> = {
  affiliate: "affiliate_id::text",
  campaign: "campaign_id::text",
  link: "link",
  landing_page: "landing_page",
  referrer: "referrer",
  sub_id: "sub_id",
  visitor_country: "visitor_country",
  customer_country: "customer_country",
};

const VALUE = `case :dimension::text ${Object.entries(COLUMN)
  .map(([dimension, column]) => `when '${dimension}' then ${column}`)
  .join(" ")} end`;

const CHANGES = changedBefore(SEALED_UNTIL);

/**
 * SQL, common table expressions: `recent_grain` has the rows of the scope that the sealed totals lack, with
 * the id of their value, or the value itself (`fresh`) if it has none yet.
 */
const RECENT = `
  period as materialized (
    select sealed_until, time_zone, generation from total_seals where organization_id = :organization_id::uuid
  ),
  scope as materialized (
    select case when :scope_id::text is null then ${ORGANIZATION_SCOPE} else (
      select case when dimension = 'affiliate' then -id else id end from total_values
      where organization_id = :organization_id::uuid
        and dimension = :scope_dimension::total_dimension and value = :scope_id::text) end as id
  ),
  piece as materialized (
    select * from unnest(:days::text::date[], :froms::text::date[], :untils::text::date[], :signs::text::int[],
      :previous_signs::text::int[]) as piece (bucket, starts, ends, sign, previous_sign)
  ),
  span as materialized (
    select false as is_previous, :present_from::text::date as starts, :present_until::text::date as ends
    union all
    select true, :previous_from::text::date, :previous_until::text::date where :previous_from::text is not null
  ),
  ${movedSubjects()},
  ${grains(
    "recent",
    `select * from (
      ${withSources(`${recordedIn({ from: SEALED_UNTIL, until: null })} union all ${CHANGES}`)}
      union all
      ${movedTotals({ created: SEALED_UNTIL, converted: SEALED_UNTIL, changes: CHANGES })}
    ) as recorded where ${IN_CURRENCY}`,
    TIME_ZONE,
  )},
  recent as materialized (
    select span.is_previous, day, ${TOTALS.join(", ")},
      case when dimension_value is null then ${NO_VALUE} when known.id is null then null
        when known.since <= created_in then known.id else ${OTHER_VALUES} end as value_id,
      case when known.id is null then dimension_value end as fresh
    from (select *, ${VALUE} as dimension_value from recent_grain) as recent_grain
    join span on day >= span.starts and day < span.ends
    left join total_values known on known.organization_id = :organization_id::uuid
      and known.dimension = :dimension::total_dimension and known.value = dimension_value
    where :scope_id::text is null
      or case :scope_dimension::text when 'campaign' then campaign_id::text else affiliate_id::text end = :scope_id::text
  )`;

const OF_AFFILIATE = "(:scope_dimension::text is not distinct from 'affiliate')";
const OF_GENERATION =
  "organization_id = :organization_id::uuid and generation = (select generation from period)";

const BOTH = [...TOTALS, ...TOTALS.map((total) => `previous_${total}` as const)];
const TEXTS = BOTH.map((total) => `page.${total}::text as ${total}`).join(", ");
const COALESCED = BOTH.map((total) => `coalesce(sum(${total}), 0)::bigint as ${total}`).join(", ");

/** Rows of counts have no amounts, and rows of amounts have no counts. */
const HALVES = [
  { totals: COUNTS, currency: `'${NO_CURRENCY}'` },
  { totals: AMOUNTS, currency: ":currency::text" },
] as const;

type Half = (typeof HALVES)[number];

const unnestedOf = ({ totals }: Half) =>
  totals.map((total) => `unnest(stored.${total}) as ${total}`).join(", ");
const isCount = (total: Total) => (COUNTS as readonly Total[]).includes(total);
/** Sums of `bigint` are computed as `numeric`; counts need none. */
const typeOf = (total: Total) => (isCount(total) ? "int" : "bigint");
const inHalf = (half: Half, value: (total: Total) => string) =>
  TOTALS.map((total) =>
    (half.totals as readonly Total[]).includes(total) ? value(total) : `null::${typeOf(total)}`,
  );

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

/** SQL: the column of affiliate_performance with the ids of a dimension. */
const OWN_IDS = `case :dimension::text ${OWN_DIMENSIONS.map(
  (dimension) => `when '${dimension}' then stored.${dimension}_ids`,
).join(" ")} end`;

/** SQL: how many of a row's periods have a day: the signs of the elements of an affiliate's months. */
const inPeriod = (period: "present" | "previous", day: string) =>
  `(${day} >= ${period}_starts and ${day} < ${period}_ends)::int`;

/**
 * SQL, common table expressions: the months of an affiliate in the periods. Values that are summed up suffice for months that are
 * whole in both; others are summed up from their elements.
 */
const OWN = `
  ends as materialized (
    select :present_from::text::date as present_starts, :present_until::text::date as present_ends,
      coalesce(:previous_from::text::date, 'infinity') as previous_starts,
      coalesce(:previous_until::text::date, 'infinity') as previous_ends
  ),
  own_month as materialized (
    select affiliate, month, currency, is_summed and is_whole as is_summed, present_starts, present_ends, previous_starts, previous_ends
    from affiliate_performance cross join ends
    cross join lateral (select (month + interval '1 month')::date as month_ends) as next
    cross join lateral (select
      not (month < present_starts and month_ends > present_starts) and not (month < present_ends and month_ends > present_ends)
      and not (month < previous_starts and month_ends > previous_starts)
      and not (month < previous_ends and month_ends > previous_ends) as is_whole) as whole
    where ${OF_GENERATION} and ${OF_AFFILIATE} and affiliate = -(select id from scope) and ${IN_CURRENCY}
      and (month < present_ends and month_ends > present_starts or month < previous_ends and month_ends > previous_starts)
  )`;

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

export interface PerformancePointRow extends MetricsText {
  is_previous: boolean;
  /** The index of the series. */
  series: number;
  day: string;
}

/** A line of a chart. `value` is null for the kinds `none` and `other`. */
export interface SeriesRow {
  kind: "value" | "none" | "other";
  value: string | null;
}

const POINT = "greatest(date_trunc(:point_unit::text, day::timestamp)::date, span.starts)";

/** SQL: the sums of points, of rows with the period of each. */
const pointSums = (half: Half, rows: string, sign: string) => `
    select is_previous, series, bucket, ${inHalf(half, (total) => `sum(${sign}${total})::bigint`)
      .map((column, place) => `${column} as ${TOTALS[place]}`)
      .join(", ")}
    from (${rows}) as element group by is_previous, series, bucket`;

/** SQL: the elements of chosen values, by places in the ordered arrays, which are read once for all values. */
const chosenElements = (half: Half) => `
      select piece.previous_sign <> 0 as is_previous, series, piece.bucket, sign + previous_sign as sign,
        ${half.totals.map((total) => `stored.${total}[place] as ${total}`).join(", ")}
      from piece cross join lateral (
        select value_ids || '{}'::int[] as value_ids, ${half.totals
          .map((total) => `${total} || '{}'::${total.endsWith("_minor") ? "bigint" : "int"}[] as ${total}`)
          .join(", ")}
        from performance_totals
        where ${OF_GENERATION} and scope_id = (select id from scope) and dimension = :dimension::total_dimension
          and starts = piece.starts and ends = piece.ends and currency = ${half.currency}
        offset 0
      ) as stored
      cross join chosen
      cross join lateral (select width_bucket(chosen.value_id, stored.value_ids) as place) as found
      where not ${OF_AFFILIATE} and stored.value_ids[place] = chosen.value_id`;

/** SQL: the chosen values of an affiliate's months. */
const chosenOwn = (half: Half) => `
      select span.is_previous, series, ${POINT} as bucket, ${half.totals.join(", ")}
      from (
        select own_month.month - 1 + unnest(stored.days) as day, unnest(${OWN_IDS}) as value_id, ${unnestedOf(half)}
        from own_month cross join lateral (
          select * from affiliate_performance
          where ${OF_GENERATION} and affiliate = own_month.affiliate and month = own_month.month
            and currency = own_month.currency
          offset 0
        ) as stored
        where own_month.currency = ${half.currency} and :dimension::text <> 'all'
      ) as own
      join chosen using (value_id)
      join span on day >= span.starts and day < span.ends`;

/** `daily_totals` has an affiliate's days of everything. */
const READ_POINTS = statement<PerformancePointRow, Parameter | "kinds" | "values" | "point_unit">(`
  with ${RECENT},
  ${OWN},
  chosen as materialized (
    select (number - 1)::int as series, wanted.value as fresh,
      case kind when 'none' then ${NO_VALUE} when 'other' then ${OTHER_VALUES} else known.id end as value_id
    from unnest(:kinds::text::text[], :values::text::text[]) with ordinality as wanted (kind, value, number)
    left join total_values known on kind = 'value' and known.organization_id = :organization_id::uuid
      and known.dimension = :dimension::total_dimension and known.value = wanted.value
  ),
  own_day as materialized (
    select span.is_previous, series, ${POINT} as bucket, ${TOTALS.map((total) => `sum(stored.${total})::bigint as ${total}`).join(", ")}
    from (select distinct month from own_month) as own_month
    cross join generate_series(month::timestamp, month + interval '1 month' - interval '1 day', '1 day') as own (at)
    cross join lateral (select at::date as day) as own_day
    join span on day >= span.starts and day < span.ends
    cross join chosen
    cross join lateral (
      select ${TOTALS.join(", ")} from daily_totals
      where ${OF_GENERATION} and ${IN_CURRENCY} and daily_totals.day = own_day.day and affiliate_id = :scope_id::text::uuid
      offset 0
    ) as stored
    where :dimension::text = 'all'
    group by 1, 2, 3
  ),
  summed as (
    select is_previous, series, bucket, ${TOTALS.join(", ")} from own_day
    union all
    ${HALVES.flatMap((half) => [
      pointSums(half, chosenElements(half), "sign * "),
      pointSums(half, chosenOwn(half), ""),
    ]).join(" union all ")}
    union all
    select recent.is_previous, series, ${POINT}, ${TOTALS.map((total) => `recent.${total}`).join(", ")}
    from recent join span using (is_previous)
    join chosen on recent.value_id = chosen.value_id or recent.fresh = chosen.fresh
  )
  select is_previous, series, bucket::text as day,
    ${TOTALS.map((total) => `coalesce(sum(${total}), 0)::text as ${total}`).join(", ")}
  from summed group by is_previous, series, bucket`);

/** The points of some values, those with any totals. */
export async function readPerformancePoints(
  sql: Connection,
  organizationId: string,
  {
    filter,
    series,
    unit,
  }: { filter: PerformanceFilter; series: readonly SeriesRow[]; unit: "day" | "week" | "month" },
): Promise<PerformancePointRow[]> {
  return await READ_POINTS.run(sql, {
    organization_id: organizationId,
    ...parametersOf(filter),
    kinds: arrayText(series.map(({ kind }) => kind)),
    values: arrayText(series.map(({ value }) => value)),
    point_unit: unit,
  });
}

function parametersOf({
  dimension,
  scope,
  currency,
  pieces,
  present,
  previous,
}: PerformanceFilter): Record<Exclude<Parameter, "organization_id">, string | null> {
  return {
    dimension,
    scope_dimension: scope?.dimension ?? null,
    scope_id: scope?.id ?? null,
    currency,
    days: arrayText(pieces.map(({ day }) => day)),
    froms: arrayText(pieces.map(({ from }) => from)),
    untils: arrayText(pieces.map(({ until }) => until)),
    signs: arrayText(pieces.map(({ sign }) => sign)),
    previous_signs: arrayText(pieces.map(({ previous_sign }) => previous_sign)),
    present_from: present.from,
    present_until: present.until,
    previous_from: previous?.from ?? null,
    previous_until: previous?.until ?? null,
  };
}
