import { performanceDimensions } from "@findersfee/contract/reports/performance";
import { CAMPAIGNS, NO_CURRENCY, SUMS, TOTALS, type Total } from "./sources.ts";

/*
 * Totals by value of each dimension, in SQL: rows with sources are summed up by all their values (the grain), each value gets its
 * id, and each grain becomes a line of each scope and dimension, and one of its affiliate. docs/totals.md.
 */

/** The values of total_dimension; `all` has one value, which has the totals of its scope. */
const DIMENSIONS = ["all", ...performanceDimensions] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** New values of a month, of each dimension that strangers can invent values of. */
export const MAX_NEW_VALUES = 300;

/** Elements of an affiliate's month from which on its values are summed up, too. */
const SUMMED_ELEMENTS = 1_000;

/** Ids of values. */
export const NO_VALUE = 0;
export const OTHER_VALUES = -1;

/** The scope of the whole organization. */
export const ORGANIZATION_SCOPE = 0;

const NOT_ZERO = TOTALS.map((total) => `sum(${total}) <> 0`).join(" or ");

/** Totals of rows without a currency. */
export const COUNTS = ["clicks", "signups", "conversions"] as const satisfies Total[];
/** Those of rows with one. */
export const AMOUNTS = [
  "revenue_minor",
  "commission_minor",
  "lost_minor",
  "refunds",
] as const satisfies Total[];

const isCount = (total: Total) => (COUNTS as readonly Total[]).includes(total);
const typeOf = (total: Total) => (total.endsWith("_minor") ? "bigint" : "integer");

/** The dimensions of an affiliate's own performance. */
export const OWN_DIMENSIONS = [
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const satisfies Dimension[];

/** The columns of affiliate_performance with the ids of values. */
const OWN_IDS = OWN_DIMENSIONS.map((dimension) => `${dimension}_ids`);

const INVENTED = "('landing_page', 'referrer', 'sub_id')";

/** SQL: the value of each dimension in a grain. */
export const DIMENSION_VALUES: Record<Dimension, string> = {
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

const NAMED = DIMENSIONS.map(
  (dimension) => `('${dimension}'::total_dimension, ${DIMENSION_VALUES[dimension]})`,
);

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
    cross join lateral (
      select campaign_id from affiliates where organization_id = :organization_id::uuid and id = grain.affiliate_id
      offset 0
    ) as affiliate
  ),
  ${name}_named as materialized (
    select number, created_in, dimension, value
    from ${name}_grain cross join lateral (values ${NAMED.join(", ")}) as named (dimension, value)
  )`;
}

/**
 * SQL, common table expressions: gives new values ids, and reads the known ones. All rows were recorded in the month (UTC) before
 * `until`, or earlier. A value that got no id in a month gets none for the rows of that month ever. `more`: SQL, dimensions and values.
 */
export function newValues(names: readonly string[], until: string, more?: string): string {
  const month = `date_trunc('month', (${until} - interval '1 microsecond') at time zone 'UTC')::date`;
  const named = names.map((name) => `select dimension, value from ${name}_named where value is not null`);
  if (more !== undefined) named.push(more);
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

const IDS = DIMENSIONS.filter((dimension) => dimension !== "all").map((dimension) => ({
  dimension,
  column: `${dimension}_id`,
}));
const ID_COLUMNS = IDS.map(({ column }) => column).join(", ");
const OWN_COLUMNS = OWN_DIMENSIONS.map((dimension) => `${dimension}_id`).join(", ");
const PARTS = [
  `('all'::total_dimension, ${NO_VALUE})`,
  ...IDS.map(({ dimension, column }) => `('${dimension}', ${column})`),
].join(", ");
const OWN_PARTS = OWN_DIMENSIONS.map(
  (dimension) => `('${dimension}'::total_dimension, ${dimension}_id)`,
).join(", ");

interface Lines {
  /** SQL: the clicks of a grain that count. */
  clicks?: string;
  /** SQL: more rows, with the columns of `WIDE`. */
  more?: string;
}

const REST = TOTALS.filter((total) => total !== "clicks").join(", ");

/** SQL, common table expressions: the sums of each day by scope, dimension and value, and those of affiliates by all their values. */
export function lines(name: string, { clicks = "clicks", more }: Lines = {}): string {
  const pivoted = IDS.map(
    ({ dimension, column }) => `max(id) filter (where dimension = '${dimension}') as ${column}`,
  );
  return `
  ${name}_id as materialized (
    select number, ${pivoted.join(", ")}
    from (
      select number, named.dimension,
        case when named.value is null then ${NO_VALUE} else coalesce(known.id, ${OTHER_VALUES}) end as id
      from ${name}_named named
      left join known_value known
        on known.dimension = named.dimension and known.value = named.value and known.since <= named.created_in
    ) as valued
    group by number
  ),
  ${name}_wide as materialized (
    select day, currency, ids.${ID_COLUMNS.replaceAll(", ", ", ids.")}, ${clicks} as clicks, ${REST}
    from ${name}_grain join ${name}_id as ids using (number)
    ${more === undefined ? "" : `union all ${more}`}
  ),
  ${name}_line as materialized (
    select scope_id, dimension, day, currency, value_id, ${SUMS}
    from ${name}_wide
    cross join lateral (values (${ORGANIZATION_SCOPE}), (campaign_id)) as scope (scope_id)
    cross join lateral (values ${PARTS}) as part (dimension, value_id)
    where scope_id = ${ORGANIZATION_SCOPE} or dimension <> 'campaign'
    group by scope_id, dimension, day, currency, value_id
    having ${NOT_ZERO}
  ),
  ${name}_own as materialized (
    select affiliate_id as affiliate, date_trunc('month', day::timestamp)::date as month, extract(day from day)::smallint as day,
      currency, ${OWN_COLUMNS}, ${SUMS}
    from ${name}_wide group by affiliate_id, ${name}_wide.day, currency, ${OWN_COLUMNS}
    having ${NOT_ZERO}
  )`;
}

const KEY = "scope_id, dimension, starts, ends, currency";
const OWN_KEY = "affiliate, month, currency";
const ALL = TOTALS.join(", ");
/** SQL: sums of integers are cheaper than sums of bigints, which are numerics. */
const summed = (total: Total) => (typeOf(total) === "integer" ? `${total}::integer` : total);
const COALESCED = TOTALS.map((total) => `coalesce(sum(${summed(total)}), 0) as ${total}`).join(", ");
const UNNESTED = TOTALS.map((total) => `unnest(stored.${total}) as ${total}`).join(", ");
const REPLACED = TOTALS.map((total) => `${total} = excluded.${total}`).join(", ");

/** SQL: rows in their order as the arrays of a currency. */
const ARRAYS = TOTALS.map(
  (total) =>
    `case when currency ${isCount(total) ? "=" : "<>"} '${NO_CURRENCY}' then array_agg(${total}::${typeOf(total)}) end as ${total}`,
).join(", ");

const IN_GENERATION = (generation: string) =>
  `stored.organization_id = :organization_id::uuid and stored.generation = ${generation}`;

/** Rows of counts and rows of amounts are written apart: each has few columns to sum up and to sort. */
const HALVES = [
  { half: "counts", totals: COUNTS as readonly Total[], condition: `currency = '${NO_CURRENCY}'` },
  { half: "amounts", totals: AMOUNTS as readonly Total[], condition: `currency <> '${NO_CURRENCY}'` },
];

type Half = (typeof HALVES)[number];

/** SQL, common table expressions: writes rows of all of a span's values. */
const replace = (name: string, generation: string, rowsOf: (half: Half) => string) =>
  HALVES.map((half) => {
    const { totals } = half;
    const sums = totals.map((total) => `coalesce(sum(${summed(total)}), 0) as ${total}`).join(", ");
    const arrays = totals.map((total) => `array_agg(${total}::${typeOf(total)}) as ${total}`).join(", ");
    const replaced = totals.map((total) => `${total} = excluded.${total}`).join(", ");
    return `
  ${name}_${half.half} as (
    insert into performance_totals (organization_id, generation, ${KEY}, value_ids, ${totals.join(", ")})
    select :organization_id::uuid, ${generation}, ${KEY}, array_agg(value_id), ${arrays}
    from (
      select ${KEY}, value_id, ${sums} from (${rowsOf(half)}) as line group by ${KEY}, value_id order by ${KEY}, value_id
    ) as element
    group by ${KEY}
    on conflict (organization_id, generation, ${KEY}) do update set value_ids = excluded.value_ids, ${replaced}
  )`;
  }).join(", ");

/** SQL: stored totals, a row for each value. */
export const storedLines = (generation: string, condition = "true") => `
    select scope_id, dimension, starts, ends, currency, unnest(value_ids) as value_id, ${UNNESTED}
    from performance_totals stored where ${IN_GENERATION(generation)} and ${condition}`;

const OWN_UNNESTED = [
  "unnest(days) as day",
  ...OWN_DIMENSIONS.map((dimension) => `unnest(${dimension}_ids) as ${dimension}_id`),
].join(", ");

/** SQL: stored totals of affiliates, a row for each element. */
export const storedOwn = (generation: string, condition = "true") => `
    select ${OWN_KEY}, is_summed, ${OWN_UNNESTED}, ${UNNESTED}
    from affiliate_performance stored where ${IN_GENERATION(generation)} and ${condition}`;

/** SQL: the sums of an affiliate's month by value, of rows with all values. */
export const ownMonths = (rows: string) => `
    select -affiliate as scope_id, dimension, month as starts, (month + interval '1 month')::date as ends, currency, value_id, ${ALL}
    from (${rows}) as own cross join lateral (values ${OWN_PARTS}) as part (dimension, value_id)`;

const MONTH_OF = (day: string) => `date_trunc('month', ${day}::timestamp)::date`;

/** SQL: spans of several days, by the lines of a first day. All other days have the same spans. */
const longer = (rows: string, first_day: string, condition: string) => `
    select scope_id, dimension, starts, ends, currency, value_id, ${ALL}
    from (
      select scope_id, dimension, ${first_day} as first_day, currency, value_id, ${SUMS}
      from (${rows}) as line group by scope_id, dimension, first_day, currency, value_id
    ) as line
    join (
      select first_day, span.* from (select distinct ${first_day} as first_day from (${rows}) as line) as counted
      cross join lateral total_spans(first_day) as span
      cross join lateral (select (${MONTH_OF("first_day")} + interval '1 month')::date as next_month) as next
      where ${condition}
    ) as spans using (first_day)`;

/** SQL: lines of days as those of all spans that have the days. Days are first summed up that have the same longer spans. */
export const spanned = (rows: string) => `
    select scope_id, dimension, day as starts, day + 1 as ends, currency, value_id, ${ALL} from (${rows}) as line
    union all ${longer(rows, `${MONTH_OF("day")} + 5 * least((extract(day from day)::int - 1) / 5, 5)`, "ends > starts + 1 and ends <= next_month")}
    union all ${longer(rows, MONTH_OF("day"), "ends > next_month")}`;

/**
 * SQL, common table expressions: adds lines to a generation. Arrays are read, added to and written again, which the lock of the seal
 * allows. Values with sums of zero stay, so that none is left out.
 */
export function addLines(name: string, generation: string): string {
  const known = (table: string, key: string) => `select distinct ${key} from ${table}`;
  return `
  ${name}_spanned as materialized (${spanned(`select * from ${name}_line`)}),
  ${name}_span as materialized (${known(`${name}_spanned`, KEY)}),
  ${replace(
    `${name}_performance`,
    generation,
    ({ totals, condition }) => `
      select ${KEY}, value_id, ${totals.join(", ")} from ${name}_spanned where ${condition}
      union all
      select ${KEY}, value_id, ${totals.join(", ")} from (
        select stored.${KEY.replaceAll(", ", ", stored.")}, unnest(value_ids) as value_id,
          ${totals.map((total) => `unnest(stored.${total}) as ${total}`).join(", ")}
        from ${name}_span cross join lateral (
          select * from performance_totals stored
          where ${IN_GENERATION(generation)} and stored.scope_id = ${name}_span.scope_id
            and stored.dimension = ${name}_span.dimension and stored.starts = ${name}_span.starts
            and stored.ends = ${name}_span.ends and stored.currency = ${name}_span.currency
          offset 0
        ) as stored
        where ${name}_span.${condition}
      ) as known`,
  )},
  ${name}_own_key as materialized (${known(`${name}_own`, OWN_KEY)}),
  ${name}_month as materialized (
    select ${OWN_KEY}, count(*) > ${SUMMED_ELEMENTS} as is_summed, array_agg(day) as days,
      ${OWN_DIMENSIONS.map((dimension) => `array_agg(${dimension}_id) as ${dimension}_ids`).join(", ")}, ${ARRAYS}
    from (
      select ${OWN_KEY}, day, ${OWN_COLUMNS}, ${COALESCED}
      from (
        select ${OWN_KEY}, day, ${OWN_COLUMNS}, ${ALL} from ${name}_own
        union all
        select ${OWN_KEY}, day, ${OWN_COLUMNS}, ${ALL} from (
          select stored.affiliate, stored.month, stored.currency, ${OWN_UNNESTED}, ${UNNESTED}
          from ${name}_own_key cross join lateral (
            select * from affiliate_performance stored
            where ${IN_GENERATION(generation)} and stored.affiliate = ${name}_own_key.affiliate
              and stored.month = ${name}_own_key.month and stored.currency = ${name}_own_key.currency
            offset 0
          ) as stored
        ) as known
      ) as line
      group by ${OWN_KEY}, day, ${OWN_COLUMNS} order by ${OWN_KEY}, day
    ) as element
    group by ${OWN_KEY}
  ),
  ${name}_months as (
    insert into affiliate_performance (organization_id, generation, ${OWN_KEY}, is_summed, days, ${OWN_IDS.join(", ")}, ${ALL})
    select :organization_id::uuid, ${generation}, ${OWN_KEY}, is_summed, days, ${OWN_IDS.join(", ")}, ${ALL} from ${name}_month
    on conflict (organization_id, generation, ${OWN_KEY}) do update set is_summed = excluded.is_summed, days = excluded.days,
      ${[...OWN_IDS].map((column) => `${column} = excluded.${column}`).join(", ")}, ${REPLACED}
  ),
  ${replace(
    `${name}_summed_months`,
    generation,
    ({ totals, condition }) => `
      select ${KEY}, value_id, ${totals.join(", ")} from (${ownMonths(
        `select ${OWN_KEY}, ${OWN_UNNESTED}, ${UNNESTED} from ${name}_month stored where is_summed and ${condition}`,
      )}) as month`,
  )}`;
}

interface OldClicks {
  /** SQL: the former generation, and the days of the clicks. */
  generation: string;
  from: string;
  until: string;
  before: string;
}

/** SQL: the stored clicks of days as `more` of lines, with the campaigns of their affiliates now. `newValues` has all campaigns. */
export function oldClicks({ generation, from, until, before }: OldClicks): string {
  const ids = IDS.map(({ dimension, column }) =>
    dimension === "affiliate" ? "affiliate" : dimension === "campaign" ? "campaign.id" : column,
  );
  const none = TOTALS.filter((total) => total !== "clicks").map(() => "0");
  return `
    select at, currency, ${ids.join(", ")}, clicks, ${none.join(", ")}
    from (
      select *, month + day - 1 as at from (${storedOwn(generation, `currency = '${NO_CURRENCY}' and month < ${before} and month < ${until} and month + 31 > ${from}`)}) as stored
    ) as old
    join total_values known on known.organization_id = :organization_id::uuid and known.id = old.affiliate
    join ${CAMPAIGNS} on affiliate.id = known.value::uuid
    join known_value campaign on campaign.dimension = 'campaign' and campaign.value = affiliate.campaign_id::text
    where at >= ${from} and at < ${until} and at < ${before} and clicks <> 0`;
}
