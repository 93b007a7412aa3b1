import type { Connection } from "../../postgres/connect.ts";
import { arrayText, statement } from "../../postgres/statement.ts";
import { NO_VALUE, OTHER_VALUES } from "../totals/performance.ts";
import { TOTALS } from "../totals/sources.ts";
import {
  HALVES,
  type Half,
  IN_CURRENCY,
  inHalf,
  type MetricsText,
  OF_AFFILIATE,
  OF_GENERATION,
  OWN,
  OWN_IDS,
  type Parameter,
  type PerformanceFilter,
  parametersOf,
  RECENT,
  unnestedOf,
} from "./query.ts";

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
