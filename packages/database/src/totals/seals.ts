import type { Connection, Transaction } from "../connect.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../due-work.ts";
import type { ShardOwner } from "../shards.ts";
import { statement } from "../statement.ts";
import { CAMPAIGNS, changedBefore, NO_CURRENCY, recordedIn, SUMS, TOTALS } from "./sources.ts";

/** The state of an organization's sealed totals, and what they can be sealed until. */
export interface TotalSealRow {
  sealed_until: Date;
  /** Of the sealed hours and days. */
  sealed_time_zone: string;
  /** The organization's. */
  time_zone: string;
  is_outdated: boolean;
  failures: number;
  /** The last full hour that is over for an hour. */
  until: Date;
}

function lockStatement<Name extends string>(condition: string) {
  return statement<TotalSealRow, Name>(`
    select seal.sealed_until, seal.time_zone as sealed_time_zone, organization.time_zone, seal.is_outdated,
      seal.failures, greatest(seal.sealed_until, date_trunc('hour', now() - interval '1 hour', 'UTC')) as until
    from total_seals seal join organizations organization on organization.id = seal.organization_id
    where seal.organization_id = :organization_id::uuid ${condition}
    for update of seal`);
}

const LOCK = lockStatement<"organization_id">("");
const LOCK_DUE = lockStatement<"organization_id" | Fence>(`and seal.due_at <= now() and ${OWNS_SHARD}`);

/** Locks the seal of an organization, so that nothing else seals or rebuilds its totals; null: no such organization. */
export async function lockTotalSeal(sql: Transaction, organizationId: string): Promise<TotalSealRow | null> {
  const [row] = await LOCK.run(sql, { organization_id: organizationId });
  return row ?? null;
}

/** The same when the organization's totals are due; null if not, or without its shard. */
export async function lockDueTotalSeal(
  sql: Transaction,
  organizationId: string,
  owner: ShardOwner,
): Promise<TotalSealRow | null> {
  const [row] = await LOCK_DUE.run(sql, { organization_id: organizationId, ...owner });
  return row ?? null;
}

function upsert(table: "hourly_totals" | "daily_totals", key: string, rows: string): string {
  const added = TOTALS.map((total) => `${total} = known.${total} + excluded.${total}`).join(", ");
  return `
    insert into ${table} as known (organization_id, currency, ${key}, ${TOTALS.join(", ")})
    ${rows}
    on conflict (organization_id, currency, ${key}) do update set ${added}`;
}

/**
 * Hours are full ones in the time zone, so that each belongs to one day. The worker's next turn is when the next hour can
 * be sealed, up to 10 minutes later, so that not all organizations have theirs at once.
 */
const SEAL = statement<object, "organization_id" | "until" | "time_zone" | "from">(`
  with change as (
    delete from total_changes where organization_id = :organization_id::uuid and recorded_at < :until::timestamptz
    returning *
  ),
  bucket as materialized (
    select affiliate_id, currency, date_trunc('hour', counted_at, :time_zone::text) as hour, ${SUMS}
    from (
      ${recordedIn({ from: ":from::timestamptz", until: ":until::timestamptz" })}
      union all ${changedBefore(":from::timestamptz", "change")}
    ) as counted
    group by 1, 2, 3
  ),
  hourly as (
    ${upsert(
      "hourly_totals",
      "hour, campaign_id",
      `select :organization_id::uuid, currency, hour, campaign_id, ${SUMS}
      from bucket join ${CAMPAIGNS} on id = affiliate_id
      group by 2, 3, 4`,
    )}
  ),
  daily as (
    ${upsert(
      "daily_totals",
      "day, affiliate_id",
      `select :organization_id::uuid, currency, (hour at time zone :time_zone::text)::date, affiliate_id, ${SUMS}
      from bucket group by 2, 3, 4`,
    )}
  )
  update total_seals set sealed_until = :until::timestamptz, time_zone = :time_zone::text, is_outdated = false,
    due_at = :until::timestamptz + interval '2 hours' + abs(hashtext(organization_id::text)) % 600 * interval '1 second',
    failures = 0, reason = null
  where organization_id = :organization_id::uuid`);

/**
 * Adds to the sealed totals what was recorded in the range of hours, and the changes of what was sealed before. The seal is
 * locked by an earlier statement, so that this one sees the changes of its last holder.
 */
export async function sealTotals(
  sql: Transaction,
  organizationId: string,
  range: { from: Date; until: Date; time_zone: string },
): Promise<void> {
  await SEAL.run(sql, { organization_id: organizationId, ...range });
}

/** SQL: from when on clicks are stored. */
export const FIRST_CLICK = `(
  select coalesce(min(bound[1]::timestamptz), '-infinity') from pg_inherits
  join pg_class partition on partition.oid = inhrelid
  cross join lateral regexp_match(pg_get_expr(relpartbound, partition.oid), 'FROM \\(''([^'']+)''\\)') as bound
  where inhparent = 'clicks'::regclass)`;

/** Clicks that are no longer stored cannot be summed up again: their totals stay as they are. */
const OLD_HOUR = `currency = '${NO_CURRENCY}' and hour < ${FIRST_CLICK}`;
const OLD_DAY = `currency = '${NO_CURRENCY}' and day < (${FIRST_CLICK} - interval '1 day')::date`;

const CLEAR = statement<object, "organization_id">(`
  with old_hour as (
    update hourly_totals set signups = 0, conversions = 0
    where organization_id = :organization_id::uuid and ${OLD_HOUR}
  ),
  old_day as (
    update daily_totals set signups = 0, conversions = 0
    where organization_id = :organization_id::uuid and ${OLD_DAY}
  ),
  deleted as (delete from hourly_totals where organization_id = :organization_id::uuid and not (${OLD_HOUR}))
  delete from daily_totals where organization_id = :organization_id::uuid and not (${OLD_DAY})`);

/** Deletes the sealed totals, except old clicks. All rows are to be sealed again in the same transaction. */
export async function clearTotals(sql: Transaction, organizationId: string): Promise<void> {
  await CLEAR.run(sql, { organization_id: organizationId });
}

const POSTPONE = statement<object, "organization_id" | "seconds" | "reason" | Fence>(`
  update total_seals set ${POSTPONED} where organization_id = :organization_id::uuid and ${OWNS_SHARD}`);

/** Records that a turn failed, and makes the next one due after `seconds`. */
export async function postponeTotals(
  sql: Connection,
  organizationId: string,
  { owner, ...retry }: { owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  await POSTPONE.run(sql, { organization_id: organizationId, ...retry, ...owner });
}
