import type { Transaction } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import { grains, knownValues, lines, ORGANIZATION_SCOPE, storedFrom, withUnits } from "./performance.ts";
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

/** The totals with the sign turned, of what the rows say; the sum of both is zero. */
const EXPECTED = `
  select affiliate_id, currency, date_trunc('hour', counted_at, seal.time_zone) as hour, ${NEGATED}
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
    select sealed_until, time_zone, generation from total_seals where organization_id = :organization_id::uuid
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

const VALUE = "scope_id, dimension, value_id, currency";

/** SQL: what is compared of totals by units: days that are kept, and no clicks that may be stored only in part. */
const COMPARED = `
  case unit when 'value_day' then start >= ${storedFrom("value_day", "now()")}
    when 'scope_day' then start >= ${storedFrom("scope_day", "now()")} else true end
  and not (currency = '${NO_CURRENCY}' and start < (${FIRST_CLICK} at time zone (select time_zone from seal)))`;

const unitsOf = (name: string) => withUnits(`select * from ${name}_line`, { at: "now()" });

/** Of a year with clicks that are no longer stored: its months. */
const OLD_YEARS = `
    select 'year'::total_unit as unit, date_trunc('year', start)::date as start, ${VALUE}, ${NEGATED}
    from performance_totals
    where organization_id = :organization_id::uuid and ${GENERATION} and unit = 'month'
      and scope_id = ${ORGANIZATION_SCOPE} and currency = '${NO_CURRENCY}'
      and date_trunc('year', start) < (${FIRST_CLICK} at time zone (select time_zone from seal))
    union all
    select unit, start, ${VALUE}, ${TOTALS.join(", ")} from performance_totals
    where organization_id = :organization_id::uuid and ${GENERATION} and unit = 'year'
      and currency = '${NO_CURRENCY}' and start < (${FIRST_CLICK} at time zone (select time_zone from seal))`;

const FIND_BROKEN_PERFORMANCE = statement<BrokenTotalRow, "organization_id" | "limit">(`
  with seal as materialized (
    select sealed_until, time_zone, generation from total_seals
    where organization_id = :organization_id::uuid and has_performance
  ),
  ${LINES}
  select format('%s %s of %s %s in scope %s in %s', replace(replace(unit::text, 'value_', ''), 'scope_', ''), start, dimension,
    value_id, scope_id, currency) as subject, finding
  from (
    select unit, start, ${VALUE}, concat_ws(', ', ${FINDING}) as finding
    from (
      select unit, start, ${VALUE}, ${TOTALS.join(", ")} from (
        select unit, start, ${VALUE}, ${TOTALS.join(", ")} from performance_totals
        where organization_id = :organization_id::uuid and ${GENERATION}
        union all
        select unit, start, ${VALUE}, ${TOTALS.join(", ")} from (${unitsOf("waiting")}) as unit
        union all
        select unit, start, ${VALUE}, ${NEGATED} from (${unitsOf("expected")}) as unit
      ) as total where exists (select from seal) and ${COMPARED}
      union all
      ${OLD_YEARS}
    ) as line
    group by unit, start, ${VALUE}
    having ${TOTALS.map((total) => `sum(${total}) <> 0`).join(" or ")}
  ) as different
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
