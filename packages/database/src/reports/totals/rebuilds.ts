import type { Connection, Transaction } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import { addDays, addHours, hoursOf, withCampaigns, withDays } from "./additions.ts";
import { addLines, grains, lines, newValues, oldClicks } from "./performance.ts";
import { movedSubjects, movedTotals, withSources } from "./referral-sources.ts";
import {
  BEGINNING,
  CAMPAIGNS,
  changedBefore,
  createdIn,
  FIRST_CLICK,
  LOST_KINDS,
  NO_CURRENCY,
  TOTALS,
} from "./sources.ts";

/*
 * A rebuild sums up all rows again, from the oldest on, in parts: docs/totals.md. The seal is locked by an earlier statement
 * of each transaction.
 */

/** A rebuild that is under way. */
export interface TotalRebuildRow {
  /** The generation of the new totals. */
  generation: number;
  time_zone: string;
  /** The end of the parts that are done. */
  summed_until: Date;
  /** The end of the last part. */
  until: Date;
}

const COLUMNS = "generation, time_zone, summed_until, until";

const FIND = statement<TotalRebuildRow, "organization_id">(`
  select ${COLUMNS} from total_rebuilds where organization_id = :organization_id::uuid`);

/** Null: none is under way. */
export async function findRebuild(sql: Connection, organizationId: string): Promise<TotalRebuildRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId });
  return row ?? null;
}

const BEGIN = statement<TotalRebuildRow, "organization_id" | "until" | "time_zone">(`
  with seal as (
    update total_seals set is_outdated = false, due_at = now() where organization_id = :organization_id::uuid
    returning organization_id, generation
  )
  insert into total_rebuilds as former (organization_id, generation, time_zone, summed_until, until, first_click)
  select organization_id, generation + 1, :time_zone::text, '${BEGINNING.toISOString()}'::timestamptz,
    :until::timestamptz, ${FIRST_CLICK}
  from seal
  on conflict (organization_id) do update set generation = former.generation + 1, time_zone = excluded.time_zone,
    summed_until = excluded.summed_until, until = excluded.until, first_click = excluded.first_click
  returning ${COLUMNS}`);

/** Begins a rebuild; one that is under way begins again. */
export async function beginRebuild(
  sql: Transaction,
  organizationId: string,
  range: { until: Date; time_zone: string },
): Promise<TotalRebuildRow> {
  const [row] = await BEGIN.run(sql, { organization_id: organizationId, ...range });
  if (row === undefined) throw new Error(`the organization ${organizationId} has no seal`);
  return row;
}

const IN_ORGANIZATION = "organization_id = :organization_id::uuid";

/** The time of the row `rows` rows after `:from`, by an index. */
const nthOf =
  (table: string, time: string, order: string, condition = "true") =>
  (rows: string) =>
    `
    (select ${time} as at from ${table} where ${IN_ORGANIZATION} and ${condition}
      order by ${order} offset ${rows} limit 1)`;

type RowTime = ReturnType<typeof nthOf>;

const unionOf = (sources: readonly RowTime[], rows: string) =>
  sources.map((source) => source(rows)).join(" union all ");

/** The time in a UUIDv7. */
const TIME_OF_ID = "to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)";

const ID_FROM = "id >= first_id_of(:from::timestamptz)";

const CREATED = [
  nthOf("commissions", TIME_OF_ID, "id", ID_FROM),
  nthOf("ledger_entries", "created_at", "created_at", `created_at >= :from::timestamptz and ${LOST_KINDS}`),
  nthOf("referrals", TIME_OF_ID, "id", ID_FROM),
  nthOf("clicks", TIME_OF_ID, "id", `${ID_FROM} and clicked_at >= :from::timestamptz`),
];

/** From when on clicks were stored when the rebuild began. */
const REBUILD_FIRST = `(select first_click from total_rebuilds where ${IN_ORGANIZATION})`;

/** Totals of clicks before: they are copied. */
const OF_CLICKS = `generation = :generation::int and currency = '${NO_CURRENCY}'`;
const COPIED = [
  nthOf(
    "hourly_totals",
    "hour",
    "hour",
    `${OF_CLICKS} and hour >= :from::timestamptz and hour < ${REBUILD_FIRST}`,
  ),
  nthOf(
    "daily_totals",
    "day::timestamp at time zone 'UTC'",
    "day",
    `${OF_CLICKS} and day >= (:from::timestamptz at time zone 'UTC')::date and day <= (${REBUILD_FIRST} at time zone 'UTC')::date`,
  ),
];

/** Values get ids by the month (UTC), so no part has rows of two months. */
function endStatement<Name extends string>(sources: readonly RowTime[]) {
  return statement<{ until: Date }, Name>(`
    select least(:until::timestamptz, greatest(:from::timestamptz + interval '1 hour',
        date_trunc('hour', coalesce(min(at), :until::timestamptz), 'UTC')), (
        select date_trunc('month', greatest(min(at), :from::timestamptz), 'UTC') + interval '1 month'
        from (${unionOf(CREATED, "0")}) as first)) as until
    from (${unionOf(sources, ":rows::bigint")}) as source`);
}

interface Part {
  from: Date;
  until: Date;
  /** The number of rows of each table. */
  rows: number;
}

const FIND_END = endStatement<"organization_id" | keyof Part>(CREATED);
const FIND_COPIED_END = endStatement<"organization_id" | "generation" | keyof Part>([...CREATED, ...COPIED]);

/** The end of a part with `rows` rows, at `until` at the latest; one hour can have more. */
export async function findPartEnd(sql: Connection, organizationId: string, part: Part): Promise<Date> {
  const [row] = await FIND_END.run(sql, { organization_id: organizationId, ...part });
  return row?.until ?? part.until;
}

/** The same for a part that is also copied from the totals of a generation. */
export async function findCopiedPartEnd(
  sql: Connection,
  organizationId: string,
  part: Part & { generation: number },
): Promise<Date> {
  const [row] = await FIND_COPIED_END.run(sql, { organization_id: organizationId, ...part });
  return row?.until ?? part.until;
}

/** Without the clicks of hours or days that began before the stored clicks: the totals of these are copied. */
const withoutOldClicks = (rows: string, begin: string) => `
  select *, case when ${begin} < ${REBUILD_FIRST} then 0 else clicks end as stored_clicks from (${rows}) as line`;

const REST = TOTALS.filter((total) => total !== "clicks");
const ONLY_CLICKS = `clicks, ${REST.map((total) => `0 as ${total}`).join(", ")}`;
const STORED = `stored_clicks as clicks, ${REST.join(", ")}`;

const DAY_BEGIN = "day::timestamp at time zone :new_time_zone::text";
/** The last part has all later hours and days. */
const END =
  "case when :until::timestamptz < :recorded_until::timestamptz then :until::timestamptz else 'infinity' end";
const OLD_CLICKS = `${IN_ORGANIZATION} and ${OF_CLICKS} and clicks <> 0`;

const HOURS = `
  select campaign_id, hour, currency, ${STORED} from (${withoutOldClicks(withCampaigns("summed"), "hour")}) as line
  union all
  select campaign_id, hour, currency, ${ONLY_CLICKS} from hourly_totals
  where ${OLD_CLICKS} and hour >= :from::timestamptz and hour < ${END} and hour < ${REBUILD_FIRST}`;

const DAYS = `
  select affiliate_id, day, currency, ${STORED}
  from (${withoutOldClicks(withDays("summed", ":new_time_zone::text"), DAY_BEGIN)}) as line
  union all
  select affiliate_id, day, currency, ${ONLY_CLICKS} from daily_totals
  where ${OLD_CLICKS} and day >= (:from::timestamptz at time zone :new_time_zone::text)::date
    and day < (${END} at time zone :new_time_zone::text)::date and ${DAY_BEGIN} < ${REBUILD_FIRST}`;

const FIRST_LOCAL = `(${REBUILD_FIRST} at time zone :new_time_zone::text)`;
const HAS_PERFORMANCE = `(select has_performance from total_seals where ${IN_ORGANIZATION})`;

/**
 * SQL: the time before which days are copied, since some of their clicks are no longer stored. In some time
 * zones, the first day with stored clicks begins before it. Without former totals, a rebuild has only the
 * stored clicks.
 */
const COPIED_DAYS = `(select case when ${HAS_PERFORMANCE} then ${FIRST_LOCAL} else date_trunc('day', ${FIRST_LOCAL}) end)`;

const OLD_LINES = {
  clicks: `case when day < ${COPIED_DAYS} then 0 else clicks end`,
  more: oldClicks({
    generation: ":generation::int",
    from: "(:from::timestamptz at time zone :new_time_zone::text)::date",
    until: `(${END} at time zone :new_time_zone::text)::date`,
    before: COPIED_DAYS,
  }),
};

/** Clicks that are copied count in the campaigns that their affiliates are in now. */
const ALL_CAMPAIGNS = `select 'campaign'::total_dimension, campaign_id::text from ${CAMPAIGNS}`;

const PART_CHANGES = `${changedBefore(":recorded_until::timestamptz", "change")} and created_at < :from::timestamptz`;
const SEALED_CHANGES = changedBefore(":sealed_until::timestamptz", "change");

/**
 * Nothing seals during a rebuild, so it adds changes to both generations here. It leaves out changes of rows
 * that no part has read: their part reads the changed rows.
 */
const SUM = statement<object, "organization_id" | keyof RebuiltPart>(`
  with change as (
    delete from total_changes where ${IN_ORGANIZATION} and recorded_at < :recorded_until::timestamptz returning *
  ),
  move as (delete from total_moves where ${IN_ORGANIZATION} returning *),
  counted as materialized (
    ${createdIn({
      from: ":from::timestamptz",
      until: ":until::timestamptz",
      recorded_until: ":recorded_until::timestamptz",
    })}
    union all ${PART_CHANGES}
  ),
  changed as materialized (${hoursOf(SEALED_CHANGES, ":time_zone::text")}),
  summed as materialized (${hoursOf("select * from counted", ":new_time_zone::text")}),
  ${movedSubjects("move")},
  ${grains(
    "changed",
    `${withSources(SEALED_CHANGES)} union all ${movedTotals({
      created: ":sealed_until::timestamptz",
      converted: ":sealed_until::timestamptz",
      changes: SEALED_CHANGES,
    })}`,
    ":time_zone::text",
  )},
  ${grains(
    "summed",
    `${withSources("select * from counted")} union all ${movedTotals({
      created: ":from::timestamptz",
      converted: ":recorded_until::timestamptz",
      changes: PART_CHANGES,
    })}`,
    ":new_time_zone::text",
  )},
  ${newValues(["changed", "summed"], ":until::timestamptz", ALL_CAMPAIGNS)},
  ${lines("changed")},
  ${lines("summed", OLD_LINES)},
  ${addLines("changed", ":generation::int")},
  ${addLines("summed", ":new_generation::int")},
  former_hours as (${addHours(":generation::int", withCampaigns("changed"))}),
  former_days as (${addDays(":generation::int", withDays("changed", ":time_zone::text"))}),
  hours as (${addHours(":new_generation::int", HOURS)}),
  days as (${addDays(":new_generation::int", DAYS)})
  update total_rebuilds set summed_until = :until::timestamptz where ${IN_ORGANIZATION}`);

export interface RebuiltPart {
  from: Date;
  until: Date;
  /** The end of the last part. */
  recorded_until: Date;
  new_generation: number;
  new_time_zone: string;
  /** The end of the totals that readers see. */
  sealed_until: Date;
  generation: number;
  time_zone: string;
}

/** Adds the rows created in the range to the new totals, and all waiting changes to the new and the former ones. */
export async function sumPart(sql: Transaction, organizationId: string, part: RebuiltPart): Promise<void> {
  await SUM.run(sql, { organization_id: organizationId, ...part });
}

const LOST_CLICKS = statement<{ lost: boolean }, "organization_id" | "from">(`
  select greatest(first_click, :from::timestamptz) < ${FIRST_CLICK} as lost
  from total_rebuilds where ${IN_ORGANIZATION}`);

/**
 * Whether clicks from `from` on were dropped since the rebuild began: their totals were to be summed up, and must be copied.
 * Asked after the part was summed up, which read the same partitions, or more.
 */
export async function hasLostClicks(sql: Transaction, organizationId: string, from: Date): Promise<boolean> {
  const [row] = await LOST_CLICKS.run(sql, { organization_id: organizationId, from });
  return row?.lost ?? false;
}

const FINISH = statement<object, "organization_id">(`
  with rebuilt as (delete from total_rebuilds where ${IN_ORGANIZATION} returning *)
  update total_seals set generation = rebuilt.generation, time_zone = rebuilt.time_zone, sealed_until = rebuilt.until,
    has_performance = true, due_at = now(), failures = 0, reason = null
  from rebuilt where total_seals.organization_id = rebuilt.organization_id`);

/** Shows the new totals to readers. */
export async function finishRebuild(sql: Transaction, organizationId: string): Promise<void> {
  await FINISH.run(sql, { organization_id: organizationId });
}

/** Rows with arrays of few rows of other tables. */
const LEAST_CLEARED = 1_000;

const former = (table: string) => `
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${IN_ORGANIZATION} and generation < :generation::int
      limit ${/performance/.test(table) ? `greatest(:rows::bigint, ${LEAST_CLEARED})` : ":rows::bigint"}))
    returning 1`;

const FORMER = [
  "hourly_totals",
  "daily_totals",
  "affiliate_clicks",
  "performance_totals",
  "affiliate_performance",
];

const CLEAR = statement<{ deleted: number }, "organization_id" | "generation" | "rows">(`
  with ${FORMER.map((table) => `former_${table} as (${former(table)})`).join(", ")}
  select (${FORMER.map((table) => `(select count(*) from former_${table})`).join(" + ")})::int as deleted`);

/**
 * Deletes rows of totals before a generation, at most a number of each table. Returns how many were deleted.
 */
export async function clearFormerTotals(
  sql: Transaction,
  organizationId: string,
  { generation, rows }: { generation: number; rows: number },
): Promise<number> {
  const [row] = await CLEAR.run(sql, { organization_id: organizationId, generation, rows });
  return row?.deleted ?? 0;
}
