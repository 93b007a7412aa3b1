import type { Transaction } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import {
  grains,
  knownValues,
  lines,
  OWN_DIMENSIONS,
  ownMonths,
  spanned,
  storedLines,
  storedOwn,
} from "./performance.ts";
import { movedSubjects, movedTotals, withSources } from "./referral-sources.ts";
import {
  BEGINNING,
  CAMPAIGNS,
  changedBefore,
  FIRST_CLICK,
  NO_CURRENCY,
  recordedIn,
  SUMS,
  TOTALS,
} from "./sources.ts";

/** Their clicks may be stored only in part. */
const OLD_HOUR = `currency = '${NO_CURRENCY}' and hour < ${FIRST_CLICK}`;
const OLD_DAY = `currency = '${NO_CURRENCY}'
  and day::timestamp at time zone (select time_zone from seal) < ${FIRST_CLICK}`;
const GENERATION = "generation = (select generation from seal)";

export interface BrokenTotalRow {
  /** The hour of a campaign, or the day of an affiliate. */
  subject: string;
  /** The totals that differ, with the difference. */
  finding: string;
}

const FINDING = TOTALS.map(
  (total) =>
    `case when sum(${total}) <> 0 then '${total} ' || to_char(sum(${total}), 'FMSG999999999999999990') end`,
).join(", ");

const NEGATED = TOTALS.map((total) => `-${total} as ${total}`).join(", ");

const SEALED_UNTIL = "(select sealed_until from seal)";

/**
 * The negated totals of the rows; their sum with the stored totals is zero. Refunds count from the first
 * rebuild after an upgrade on.
 */
const EXPECTED = `
  select affiliate_id, currency, date_trunc('hour', counted_at, seal.time_zone) as hour,
    ${NEGATED.replace("-refunds", "case when seal.has_performance then -refunds else 0 end")}
  from (${recordedIn({
    from: `'${BEGINNING.toISOString()}'::timestamptz`,
    until: SEALED_UNTIL,
  })}) as counted, seal`;

const CHANGED = `
  select affiliate_id, currency, date_trunc('hour', counted_at, seal.time_zone) as hour, ${TOTALS.join(", ")}
  from (${changedBefore(SEALED_UNTIL)}) as change, seal`;

function differing(key: string, rows: string): string {
  return `
    select ${key} as subject, concat_ws(', ', ${FINDING}) as finding
    from (${rows}) as line group by ${key}
    having ${TOTALS.map((total) => `sum(${total}) <> 0`).join(" or ")}`;
}

const FIND_BROKEN = statement<BrokenTotalRow, "organization_id" | "limit">(`
  with seal as materialized (
    select sealed_until, time_zone, generation, has_performance from total_seals
    where organization_id = :organization_id::uuid
  ),
  bucket as materialized (
    select affiliate_id, currency, hour, ${SUMS}
    from (${EXPECTED} union all ${CHANGED}) as line group by 1, 2, 3
  )
  ${differing(
    "format('hour %s of campaign %s in %s', to_json(hour) #>> '{}', campaign_id, currency)",
    `select hour, campaign_id, currency, ${TOTALS.join(", ")} from hourly_totals
      where organization_id = :organization_id::uuid and ${GENERATION} and not (${OLD_HOUR})
     union all
     select hour, campaign_id, currency, ${TOTALS.join(", ")} from bucket
     join ${CAMPAIGNS} on id = affiliate_id
     where not (${OLD_HOUR})`,
  )}
  union all
  ${differing(
    "format('day %s of affiliate %s in %s', day, affiliate_id, currency)",
    `select day, affiliate_id, currency, ${TOTALS.join(", ")} from daily_totals
      where organization_id = :organization_id::uuid and ${GENERATION} and not (${OLD_DAY})
     union all
     select day, affiliate_id, currency, ${TOTALS.join(", ")}
     from (select *, (hour at time zone seal.time_zone)::date as day from bucket, seal) as bucket
     where not (${OLD_DAY})`,
  )}
  order by subject limit :limit::bigint`);

const CHANGES = changedBefore(SEALED_UNTIL);

/** The lines that the rows say. */
const LINES = `
  ${movedSubjects()},
  ${grains(
    "expected",
    withSources(recordedIn({ from: `'${BEGINNING.toISOString()}'::timestamptz`, until: SEALED_UNTIL })),
    "(select time_zone from seal)",
  )},
  ${grains(
    "waiting",
    `${withSources(CHANGES)} union all ${movedTotals({
      created: SEALED_UNTIL,
      converted: SEALED_UNTIL,
      changes: CHANGES,
    })}`,
    "(select time_zone from seal)",
  )},
  ${knownValues(["expected", "waiting"])},
  ${lines("expected")},
  ${lines("waiting")}`;

const GENERATION_OF_SEAL = "(select generation from seal)";
const ALL = TOTALS.join(", ");
const COALESCED = TOTALS.map((total) => `coalesce(${total}, 0) as ${total}`).join(", ");
const NEGATED_TOTALS = TOTALS.map((total) => `-coalesce(${total}, 0)`).join(", ");

/** SQL: clicks that may be stored only in part. */
const oldClick = (day: string) =>
  `(currency = '${NO_CURRENCY}' and ${day} < (${FIRST_CLICK} at time zone (select time_zone from seal)))`;

const KEY = "scope_id, dimension, starts, ends, currency, value_id";
const OWN_KEY = ["affiliate", "month", "day", "currency", ...OWN_DIMENSIONS.map((name) => `${name}_id`)].join(
  ", ",
);

const dayLines = (name: string, totals: string) => `
      select scope_id, dimension, day as starts, day + 1 as ends, currency, value_id, ${totals} from ${name}_line
      where not ${oldClick("day")}`;
const ownLines = (name: string, totals: string) => `
      select ${OWN_KEY}, ${totals} from ${name}_own where not ${oldClick("month + day - 1")}`;

const DAYS = `select scope_id, dimension, starts as day, currency, value_id, ${ALL} from day_row where ends = starts + 1`;

/** Days. The other spans are sums of them. */
const SPANS = `
      select ${KEY}, ${ALL} from day_row
      where ends = starts + 1 and not ${oldClick("starts")}
      union all ${dayLines("waiting", ALL)}
      union all ${dayLines("expected", NEGATED_TOTALS)}
      union all
      select ${KEY}, ${ALL} from (${spanned(DAYS)}) as span where ends <> starts + 1
      union all
      select ${KEY}, ${NEGATED_TOTALS} from day_row where ends <> starts + 1
      union all
      select ${KEY}, ${COALESCED} from (${storedLines(GENERATION_OF_SEAL, "scope_id < 0")}) as month
      union all
      select ${KEY}, ${NEGATED_TOTALS} from (${ownMonths(storedOwn(GENERATION_OF_SEAL, "is_summed"))}) as month`;

const OWN = `
      select ${OWN_KEY}, ${COALESCED} from (${storedOwn(GENERATION_OF_SEAL)}) as own where not ${oldClick("month + day - 1")}
      union all ${ownLines("waiting", ALL)}
      union all ${ownLines("expected", NEGATED_TOTALS)}`;

const DIFFERS = TOTALS.map((total) => `sum(${total}) <> 0`).join(" or ");

const FIND_BROKEN_PERFORMANCE = statement<BrokenTotalRow, "organization_id" | "limit">(`
  with seal as materialized (
    select sealed_until, time_zone, generation from total_seals
    where organization_id = :organization_id::uuid and has_performance
  ),
  ${LINES},
  day_row as materialized (
    select ${KEY}, ${COALESCED} from (${storedLines(GENERATION_OF_SEAL, "scope_id >= 0")}) as line
  )
  select subject, finding from (
    select format('days from %s until %s of %s %s in scope %s in %s', starts, ends, dimension, value_id, scope_id, currency)
      as subject, concat_ws(', ', ${FINDING}) as finding
    from (${SPANS}) as line group by ${KEY} having ${DIFFERS}
    union all
    select format('day %s of affiliate %s by source in %s', month + day - 1, affiliate, currency),
      concat_ws(', ', ${FINDING})
    from (${OWN}) as line group by ${OWN_KEY} having ${DIFFERS}
  ) as different
  where exists (select from seal)
  order by subject limit :limit::bigint`);

/** Totals that differ from the sum of their rows; `limit` null: all. In one snapshot, so that nothing changes between. */
export async function findBrokenTotals(
  sql: Transaction,
  organizationId: string,
  limit: number | null,
): Promise<BrokenTotalRow[]> {
  const broken = await FIND_BROKEN.run(sql, { organization_id: organizationId, limit });
  const left = limit === null ? null : limit - broken.length;
  return [
    ...broken,
    ...(await FIND_BROKEN_PERFORMANCE.run(sql, { organization_id: organizationId, limit: left })),
  ];
}
