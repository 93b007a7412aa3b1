import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { type Dimension, grains, NO_VALUE, ORGANIZATION_SCOPE, OTHER_VALUES } from "./totals/performance.ts";
import { movedSubjects, movedTotals, withSources } from "./totals/referral-sources.ts";
import { changedBefore, NO_CURRENCY, recordedIn, TOTALS, type Total } from "./totals/sources.ts";

/*
 * Totals by value of a dimension: the stored ones and what was recorded since, in one statement, as in totals/overview.ts.
 * Days are dates in the organization's time zone.
 */

/** Stored totals to be added or subtracted. */
export interface PieceRow {
  /** The point of a chart; of a table, any day. */
  day: string;
  unit: "day" | "month" | "year";
  from: string;
  /** Excluded. */
  until: string;
  sign: 1 | -1;
  is_previous: boolean;
}

/** A range of days whose totals the pieces have. */
export interface RangeRow {
  from: string;
  until: string;
}

export interface PerformanceFilter {
  dimension: Dimension;
  /** Null: the organization. */
  scope: { dimension: "campaign" | "affiliate"; id: string } | null;
  /** Of the amounts. */
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
  /** Of an affiliate. */
  email: string | null;
  /** Of an affiliate or a campaign. */
  name: string | null;
}

export interface PerformanceTableRow {
  /** A page of them. */
  rows: PerformanceValueRow[];
  /** On all pages. */
  count: number;
  /** Of all pages. */
  sums: MetricsText & PreviousText;
}

export type PerformanceOrder = Total | "conversion_rate" | "earnings_per_click";

export interface PerformancePage {
  sort: PerformanceOrder;
  descending: boolean;
  /** In lower case; null: all. */
  search: string | null;
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
  | "units"
  | "froms"
  | "untils"
  | "signs"
  | "are_previous"
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
 * SQL, common table expressions: `recent_grain` is what the sealed totals do not have yet, of the scope, with the id of its value, or
 * the value itself (`fresh`) if it has none yet.
 */
const RECENT = `
  period as materialized (
    select sealed_until, time_zone, generation from total_seals where organization_id = :organization_id::uuid
  ),
  scope as materialized (
    select case when :scope_id::text is null then ${ORGANIZATION_SCOPE} else (
      select id from total_values where organization_id = :organization_id::uuid
        and dimension = :scope_dimension::total_dimension and value = :scope_id::text) end as id
  ),
  piece as materialized (
    select * from unnest(:days::text::date[], :units::text::total_unit[], :froms::text::date[], :untils::text::date[],
      :signs::text::int[], :are_previous::text::boolean[]) as piece (bucket, unit, starts, ends, sign, is_previous)
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

const SIGNED = TOTALS.map((total) => `sum(sign * stored.${total})::bigint as ${total}`).join(", ");
const SIGNED_ROWS = TOTALS.map((total) => `sign * stored.${total} as ${total}`).join(", ");
const NEGATED = TOTALS.map((total) => `-${total}`).join(", ");

/** SQL: the stored totals of a start of a piece, of a dimension. Each start is one range of the key: a join could read all totals. */
const stored = (dimension: string) => `
        where organization_id = :organization_id::uuid and generation = (select generation from period)
          and unit = case when piece.unit <> 'day' then piece.unit
            when ${dimension} = 'all' and :scope_dimension::text is distinct from 'affiliate' then 'day'
            when :scope_dimension::text is null then 'value_day' else 'scope_day' end
          and start = begin::date and dimension = ${dimension} and scope_id = (select id from scope) and ${IN_CURRENCY}`;

const OF_AFFILIATE = "(:scope_dimension::text is not distinct from 'affiliate')";

/** SQL: each start of each piece. */
const STARTS = `
    piece cross join lateral generate_series(piece.starts, piece.ends - 1, ('1 ' || piece.unit)::interval) as begin`;

const PRESENT = TOTALS.map(
  (total) => `coalesce(sum(${total}) filter (where not is_previous), 0)::bigint as ${total}`,
);
const PREVIOUS = TOTALS.map(
  (total) => `coalesce(sum(${total}) filter (where is_previous), 0)::bigint as previous_${total}`,
);
const BOTH = [...TOTALS, ...TOTALS.map((total) => `previous_${total}` as const)];
const TEXTS = BOTH.map((total) => `page.${total}::text as ${total}`).join(", ");

const ORDER = `case :sort::text
      when 'conversion_rate' then conversions::numeric / nullif(clicks, 0)
      when 'earnings_per_click' then commission_minor::numeric / nullif(clicks, 0)
      ${TOTALS.map((total) => `when '${total}' then ${total}::numeric`).join(" ")} end`;

const AFFILIATE_TEXT = "affiliate.first_name || ' ' || affiliate.last_name || ' ' || affiliate.email";

const READ = statement<
  PerformanceTableRow,
  Parameter | "sort" | "descending" | "search" | "limit" | "offset"
>(`
  with ${RECENT},
  part as materialized (
    select is_previous, part, value_id, ${SIGNED_ROWS}
    from ${STARTS}
    cross join unnest(case when ${OF_AFFILIATE} then array['all', :dimension::text]::total_dimension[]
      else array[:dimension::text]::total_dimension[] end) as part
    cross join lateral (
      select value_id, ${TOTALS.join(", ")} from performance_totals ${stored("part")}
      offset 0
    ) as stored
  ),
  summed as (
    select is_previous, value_id, null::text as fresh, ${TOTALS.join(", ")} from part
    union all
    -- The rest of an affiliate's everything has no value.
    select is_previous, ${NO_VALUE}, null, ${NEGATED} from part where ${OF_AFFILIATE} and part.part <> 'all'
    union all
    select is_previous, value_id, fresh, ${TOTALS.join(", ")} from recent
  ),
  counted as (
    select value_id, fresh, ${[...PRESENT, ...PREVIOUS].join(", ")} from summed group by value_id, fresh
    having ${BOTH.map((total) => `sum(${total.replace("previous_", "")}) filter (where ${total.startsWith("previous_") ? "" : "not "}is_previous) <> 0`).join(" or ")}
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
        else position(:search::text in lower(fresh)) > 0 end
      or value_id in (
        select known.id from total_values known
        left join affiliates affiliate on known.dimension = 'affiliate'
          and affiliate.organization_id = known.organization_id and affiliate.id::text = known.value
        left join campaigns campaign on known.dimension = 'campaign'
          and campaign.organization_id = known.organization_id and campaign.id::text = known.value
        where known.organization_id = :organization_id::uuid and known.dimension = :dimension::total_dimension
          and position(:search::text in lower(case known.dimension
            when 'affiliate' then ${AFFILIATE_TEXT}
            when 'campaign' then campaign.name else known.value end)) > 0)
  ),
  page as materialized (
    select *, row_number() over (
      order by case when :descending::boolean then -${ORDER} else ${ORDER} end nulls last, value_id, fresh) as place
    from found order by place offset :offset::bigint limit :limit::bigint
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
      left join affiliates affiliate on affiliate.organization_id = :organization_id::uuid
        and affiliate.id = case :dimension::text when 'affiliate' then coalesce(fresh, known.value)::uuid end
      left join campaigns campaign on campaign.organization_id = :organization_id::uuid
        and campaign.id = case :dimension::text when 'campaign' then coalesce(fresh, known.value)::uuid end
      order by place) as line) as rows`);

/** A page of a dimension's values, the totals of all of them, and both of the period before. */
export async function readPerformance(
  sql: Connection,
  organizationId: string,
  { filter, page }: { filter: PerformanceFilter; page: PerformancePage },
): Promise<PerformanceTableRow> {
  const [row] = await READ.run(sql, { organization_id: organizationId, ...parametersOf(filter), ...page });
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

/** An affiliate's days of everything are those of `daily_totals`, which are kept. */
const READ_POINTS = statement<PerformancePointRow, Parameter | "kinds" | "values" | "point_unit">(`
  with ${RECENT},
  chosen as materialized (
    select (number - 1)::int as series, wanted.value as fresh,
      case kind when 'none' then ${NO_VALUE} when 'other' then ${OTHER_VALUES} else known.id end as value_id
    from unnest(:kinds::text::text[], :values::text::text[]) with ordinality as wanted (kind, value, number)
    left join total_values known on kind = 'value' and known.organization_id = :organization_id::uuid
      and known.dimension = :dimension::total_dimension and known.value = wanted.value
  ),
  own_day as materialized (
    select piece.is_previous, series, piece.bucket, ${SIGNED}
    from ${STARTS}
    cross join chosen
    cross join lateral (
      select ${TOTALS.join(", ")} from daily_totals
      where organization_id = :organization_id::uuid and generation = (select generation from period) and ${IN_CURRENCY}
        and day = begin::date and affiliate_id = :scope_id::text::uuid
      offset 0
    ) as stored
    where :scope_dimension::text = 'affiliate' and :dimension::text = 'all' and piece.unit = 'day'
    group by 1, 2, 3
  ),
  summed as (
    select is_previous, series, bucket, ${TOTALS.join(", ")} from own_day
    union all
    select is_previous, series, bucket, ${SIGNED}
    from ${STARTS}
    cross join chosen
    cross join lateral (
      select ${TOTALS.join(", ")} from performance_totals ${stored(":dimension::total_dimension")} and value_id = chosen.value_id
      offset 0
    ) as stored
    where not (${OF_AFFILIATE} and :dimension::text = 'all' and piece.unit = 'day')
      and (chosen.value_id <> ${NO_VALUE} or not ${OF_AFFILIATE})
    group by is_previous, series, bucket
    union all
    -- The rest of an affiliate's everything has no value.
    select is_previous, series, bucket, ${SIGNED}
    from ${STARTS}
    cross join chosen
    cross join lateral (
      select ${TOTALS.join(", ")} from performance_totals ${stored("'all'")}
      union all
      select ${NEGATED} from performance_totals ${stored(":dimension::total_dimension")} and :dimension::text <> 'all'
      offset 0
    ) as stored
    where not (${OF_AFFILIATE} and :dimension::text = 'all' and piece.unit = 'day')
      and chosen.value_id = ${NO_VALUE} and ${OF_AFFILIATE}
    group by is_previous, series, bucket
    union all
    select recent.is_previous, series, greatest(date_trunc(:point_unit::text, day)::date, span.starts), ${TOTALS.map((total) => `recent.${total}`).join(", ")}
    from recent join span using (is_previous)
    join chosen on recent.value_id = chosen.value_id or recent.fresh = chosen.fresh
  )
  select is_previous, series, bucket::text as day, ${TOTALS.map((total) => `sum(${total})::text as ${total}`).join(", ")}
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
    units: arrayText(pieces.map(({ unit }) => unit)),
    froms: arrayText(pieces.map(({ from }) => from)),
    untils: arrayText(pieces.map(({ until }) => until)),
    signs: arrayText(pieces.map(({ sign }) => sign)),
    are_previous: arrayText(pieces.map(({ is_previous }) => is_previous)),
    present_from: present.from,
    present_until: present.until,
    previous_from: previous?.from ?? null,
    previous_until: previous?.until ?? null,
  };
}
