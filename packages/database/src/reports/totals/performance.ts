import { CAMPAIGNS, NO_CURRENCY, SUMS, TOTALS } from "./sources.ts";

/*
 * Totals by value of each dimension, in SQL: rows with sources are summed up by all their values (the grain), each value gets its
 * id, and each grain becomes a line of each scope and dimension. docs/totals.md.
 */

/** Of total_dimension; `all` has one value, and so the totals of its scope. */
const DIMENSIONS = [
  "all",
  "affiliate",
  "campaign",
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** New values of a month, of each dimension that strangers can invent values of. */
export const MAX_NEW_VALUES = 300;

/** Whole months before the present one of which days are kept: of an organization's values, and of campaigns and affiliates. */
export const STORED_MONTHS = { value_day: 13, scope_day: 2 } as const;

/** Ids of values. */
export const NO_VALUE = 0;
export const OTHER_VALUES = -1;

/** The scope of the whole organization. */
export const ORGANIZATION_SCOPE = 0;

const NOT_ZERO = TOTALS.map((total) => `sum(${total}) <> 0`).join(" or ");
const REST = TOTALS.filter((total) => total !== "clicks");

const INVENTED = "('landing_page', 'referrer', 'sub_id')";

/** SQL: the value of each dimension in a grain. */
const VALUES: Record<Dimension, string> = {
  all: "null::text",
  affiliate: "affiliate_id::text",
  campaign: "campaign_id::text",
  link: "link",
  landing_page: "landing_page",
  referrer: "referrer",
  sub_id: "sub_id",
  visitor_country: "visitor_country",
  customer_country: "customer_country",
};

const NAMED = DIMENSIONS.map((dimension) => `('${dimension}'::total_dimension, ${VALUES[dimension]})`);

/** SQL, common table expressions: rows with sources (`withSources`), summed up by their values, and the values. */
export function grains(name: string, rows: string, time_zone: string): string {
  return `
  ${name}_grain as materialized (
    select row_number() over () as number, grain.*, campaign_id
    from (
      select affiliate_id, currency, (counted_at at time zone ${time_zone})::date as day,
        date_trunc('month', created_at at time zone 'UTC')::date as created_in, code as link,
        landing_page_of(landing_url) as landing_page, referrer_host_of(referrer) as referrer, sub_id,
        country as visitor_country, customer_country, ${SUMS}
      from (${rows}) as counted group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) as grain
    join ${CAMPAIGNS} on affiliate.id = affiliate_id
  ),
  ${name}_named as materialized (
    select number, created_in, dimension, value
    from ${name}_grain cross join lateral (values ${NAMED.join(", ")}) as named (dimension, value)
  )`;
}

/**
 * SQL, common table expressions: gives new values ids, and reads the known ones. All rows were recorded in the month (UTC) before
 * `until`, or earlier. A value that got no id in a month gets none for the rows of that month ever.
 */
export function newValues(names: readonly string[], until: string): string {
  const month = `date_trunc('month', (${until} - interval '1 microsecond') at time zone 'UTC')::date`;
  const named = names.map((name) => `select dimension, value from ${name}_named where value is not null`);
  return `
  distinct_value as materialized (
    select dimension, value, count(*) as rows from (${named.join(" union all ")}) as named group by 1, 2
  ),
  stored_value as materialized (
    select dimension, value, id, since from distinct_value
    join total_values known using (dimension, value) where known.organization_id = :organization_id::uuid
  ),
  room as materialized (
    select part, ${MAX_NEW_VALUES} - (
      select count(*) from total_values known
      where known.organization_id = :organization_id::uuid and known.dimension = part and known.since = ${month}) as rows
    from unnest(enum_range(null::total_dimension)) as part where part in ${INVENTED}
  ),
  new_value as (
    insert into total_values (organization_id, dimension, value, since)
    select :organization_id::uuid, dimension, value,
      case when dimension in ${INVENTED} then ${month} else '-infinity' end
    from (
      select dimension, value, row_number() over (partition by dimension order by distinct_value.rows desc, value) as place
      from distinct_value
      -- By the key: a join of two lists could compare all of one with all of the other.
      where not exists (
        select from total_values known
        where known.organization_id = :organization_id::uuid and known.dimension = distinct_value.dimension
          and known.value = distinct_value.value
        offset 0)
    ) as unknown
    left join room on part = dimension
    where part is null or place <= room.rows
    returning dimension, value, id, since
  ),
  known_value as materialized (
    select * from stored_value union all select * from new_value
  )`;
}

/** SQL, a common table expression as `newValues`, without new ones. */
export function knownValues(names: readonly string[]): string {
  const named = names.map(
    (name) => `select distinct dimension, value from ${name}_named where value is not null`,
  );
  return `
  known_value as materialized (
    select dimension, value, id, since
    from (${named.join(" union ")}) as distinct_value
    join total_values known using (dimension, value) where known.organization_id = :organization_id::uuid
  )`;
}

/** SQL, common table expressions: the sums of each day by scope, dimension and value. Of an affiliate, rows without a value are in `all` alone. */
export function lines(name: string): string {
  return `
  ${name}_value as materialized (
    select number, named.dimension,
      case when named.value is null then ${NO_VALUE} else coalesce(known.id, ${OTHER_VALUES}) end as id
    from ${name}_named named
    left join known_value known
      on known.dimension = named.dimension and known.value = named.value and known.since <= named.created_in
  ),
  ${name}_scope as materialized (
    select number, 'all'::total_dimension as scope, ${ORGANIZATION_SCOPE} as scope_id from ${name}_grain
    union all
    select number, dimension, id from ${name}_value where dimension in ('campaign', 'affiliate')
  ),
  ${name}_line as materialized (
    select scope, scope_id, dimension, day, currency, id as value_id, ${SUMS}
    from ${name}_grain join ${name}_scope using (number) join ${name}_value using (number)
    where case scope when 'affiliate' then dimension not in ('affiliate', 'campaign')
      when 'campaign' then dimension <> 'campaign' else true end
      and (scope <> 'affiliate' or dimension = 'all' or id <> ${NO_VALUE})
    group by scope, scope_id, dimension, day, currency, id
    having ${NOT_ZERO}
  )`;
}

const KEY = "unit, start, dimension, scope_id, value_id, currency";

/** SQL: the first day that is kept at a time, of a unit. Readers ask for no earlier ones. */
export const storedFrom = (unit: keyof typeof STORED_MONTHS, at: string) =>
  `(date_trunc('month', ${at} at time zone 'UTC') - interval '${STORED_MONTHS[unit]} months')::date`;

/** SQL: the unit of a day of a line. */
const DAY_UNIT = `case when dimension = 'all' and scope <> 'affiliate' then 'day'::total_unit
      when scope = 'all' then 'value_day' else 'scope_day' end`;

interface Units {
  /** SQL: the time of which the kept days are counted. */
  at: string;
  /** SQL: the clicks that count for the total that begins on the day `begin`. */
  clicks?: string;
}

/** SQL: lines by days that are kept, months and, of the organization, years. */
export function withUnits(rows: string, { at, clicks = "clicks" }: Units): string {
  return `
    select unit, start, dimension, scope_id, value_id, currency, ${clicks} as clicks, ${REST.join(", ")}
    from (${rows}) as line
    cross join lateral (values (${DAY_UNIT}, day, day), ('month', date_trunc('month', day)::date, date_trunc('month', day)::date),
      ('year', date_trunc('year', day)::date, date_trunc('month', day)::date)) as span (unit, start, begin)
    where case unit when 'value_day' then start >= ${storedFrom("value_day", at)}
      when 'scope_day' then start >= ${storedFrom("scope_day", at)}
      when 'year' then scope = 'all' else true end`;
}

/** Adds totals by units to a generation. */
export function addUnits(generation: string, rows: string): string {
  const added = TOTALS.map((total) => `${total} = known.${total} + excluded.${total}`).join(", ");
  return `
    insert into performance_totals as known (organization_id, generation, ${KEY}, ${TOTALS.join(", ")})
    select :organization_id::uuid, ${generation}, ${KEY}, ${SUMS} from (${rows}) as line
    group by ${KEY} having ${NOT_ZERO}
    on conflict (organization_id, generation, ${KEY}) do update set ${added}`;
}

interface OldClicks {
  /** SQL: the former generation, and the days on which totals begin. */
  generation: string;
  from: string;
  until: string;
  /** SQL: the time of which the kept days are counted. */
  at: string;
  /** SQL: the day before which they begin, too. */
  before: string;
}

/** SQL: the clicks of days and months, with the years of these. */
export function clickUnits({ generation, from, until, at, before }: OldClicks): string {
  const others = REST.map((total) => `0 as ${total}`);
  return `
    select span.unit, span.start, dimension, scope_id, value_id, currency, clicks, ${others.join(", ")}
    from performance_totals known
    cross join lateral (
      select known.unit, known.start
      union all
      select 'year', date_trunc('year', known.start)::date
      where known.unit = 'month' and scope_id = ${ORGANIZATION_SCOPE}
    ) as span
    where organization_id = :organization_id::uuid and generation = ${generation}
      and known.unit in ('day', 'value_day', 'scope_day', 'month') and known.start >= ${from} and known.start < ${until} and known.start < ${before}
      and currency = '${NO_CURRENCY}' and clicks <> 0
      and case known.unit when 'value_day' then known.start >= ${storedFrom("value_day", at)}
        when 'scope_day' then known.start >= ${storedFrom("scope_day", at)} else true end`;
}
