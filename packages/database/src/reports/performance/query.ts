import { arrayText } from "../../postgres/statement.ts";
import {
  AMOUNTS,
  COUNTS,
  DIMENSION_VALUES,
  type Dimension,
  grains,
  NO_VALUE,
  ORGANIZATION_SCOPE,
  OTHER_VALUES,
  OWN_DIMENSIONS,
} from "../totals/performance.ts";
import { movedSubjects, movedTotals, withSources } from "../totals/referral-sources.ts";
import { changedBefore, NO_CURRENCY, recordedIn, TOTALS, type Total } from "../totals/sources.ts";

/*
 * What the table and the chart of performance share. Both have totals by value of a dimension: the stored totals and the rows since,
 * in one statement, as in ../totals/overview.ts. Days are dates in the organization's time zone.
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

export const IN_CURRENCY = `currency in (:currency::text, '${NO_CURRENCY}')`;
const SEALED_UNTIL = "(select sealed_until from period)";
const TIME_ZONE = "(select time_zone from period)";

export type Parameter =
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

const VALUE = `case :dimension::text ${Object.entries(DIMENSION_VALUES)
  .map(([dimension, column]) => `when '${dimension}' then ${column}`)
  .join(" ")} end`;

const CHANGES = changedBefore(SEALED_UNTIL);

/**
 * SQL, common table expressions: `recent_grain` has the rows of the scope that the sealed totals lack, with
 * the id of their value, or the value itself (`fresh`) if it has none yet.
 */
export const RECENT = `
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

export const OF_AFFILIATE = "(:scope_dimension::text is not distinct from 'affiliate')";
export const OF_GENERATION =
  "organization_id = :organization_id::uuid and generation = (select generation from period)";

/** Rows of counts have no amounts, and rows of amounts have no counts. */
export const HALVES = [
  { totals: COUNTS, currency: `'${NO_CURRENCY}'` },
  { totals: AMOUNTS, currency: ":currency::text" },
] as const;

export type Half = (typeof HALVES)[number];

export const unnestedOf = ({ totals }: Half) =>
  totals.map((total) => `unnest(stored.${total}) as ${total}`).join(", ");
const isCount = (total: Total) => (COUNTS as readonly Total[]).includes(total);
/** Sums of `bigint` are computed as `numeric`; counts need none. */
export const typeOf = (total: Total) => (isCount(total) ? "int" : "bigint");
export const inHalf = (half: Half, value: (total: Total) => string) =>
  TOTALS.map((total) =>
    (half.totals as readonly Total[]).includes(total) ? value(total) : `null::${typeOf(total)}`,
  );

/** SQL: the column of affiliate_performance with the ids of a dimension. */
export const OWN_IDS = `case :dimension::text ${OWN_DIMENSIONS.map(
  (dimension) => `when '${dimension}' then stored.${dimension}_ids`,
).join(" ")} end`;

/**
 * SQL, common table expressions: the months of an affiliate in the periods. Values that are summed up suffice for months that are
 * whole in both; others are summed up from their elements.
 */
export const OWN = `
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

export function parametersOf({
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
