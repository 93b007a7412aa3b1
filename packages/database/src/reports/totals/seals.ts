import type { Connection, Transaction } from "../../postgres/connect.ts";
import { statement } from "../../postgres/statement.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../../work/due-work.ts";
import type { ShardOwner } from "../../work/shards.ts";
import { addDays, addHours, hoursOf, withCampaigns, withDays } from "./additions.ts";
import { addLines, grains, lines, newValues } from "./performance.ts";
import { movedSubjects, movedTotals, withSources } from "./referral-sources.ts";
import { changedBefore, RECENTLY, recordedIn } from "./sources.ts";

/** The state of an organization's sealed totals, and the hour that they can be sealed until. */
export interface TotalSealRow {
  sealed_until: Date;
  /** The time zone of the sealed hours and days. */
  sealed_time_zone: string;
  /** The organization's. */
  time_zone: string;
  /** The generation of the sealed totals. */
  generation: number;
  /** Whether all of them must be summed up again. */
  is_outdated: boolean;
  failures: number;
  /** The last full hour that is over for an hour. */
  until: Date;
  /** The end of the hours that deliveries are counted of, and the end that these can have. */
  deliveries_until: Date;
  countable_until: Date;
}

function lockStatement<Name extends string>(condition: string) {
  return statement<TotalSealRow, Name>(`
    select seal.sealed_until, seal.time_zone as sealed_time_zone, organization.time_zone, seal.generation,
      -- Conversions of longer ago are found only by reading all referrals, which a rebuild does in parts.
      seal.is_outdated or seal.time_zone <> organization.time_zone or seal.sealed_until < ${RECENTLY} as is_outdated,
      seal.failures, seal.deliveries_until, date_trunc('hour', now() - interval '1 hour', 'UTC') as countable_until,
      greatest(seal.sealed_until, date_trunc('hour', now() - interval '1 hour', 'UTC')) as until
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

const CHANGES = changedBefore(":from::timestamptz", "change");

/**
 * Hours are full ones in the time zone, so that each belongs to one day. The worker's next turn is when the next hour can
 * be sealed, up to 10 minutes later, so that not all organizations have theirs at once.
 */
const SEAL = statement<object, "organization_id" | keyof SealedHours>(`
  with change as (
    delete from total_changes where organization_id = :organization_id::uuid and recorded_at < :until::timestamptz
    returning *
  ),
  move as (delete from total_moves where organization_id = :organization_id::uuid returning *),
  counted as materialized (
    ${recordedIn({ from: ":from::timestamptz", until: ":until::timestamptz" })}
    union all ${changedBefore(":from::timestamptz", "change")}
  ),
  bucket as materialized (${hoursOf("select * from counted", ":time_zone::text")}),
  ${movedSubjects("move")},
  ${grains(
    "sealed",
    `${withSources("select * from counted")} union all ${movedTotals({
      created: ":from::timestamptz",
      converted: ":from::timestamptz",
      changes: CHANGES,
    })}`,
    ":time_zone::text",
  )},
  ${newValues(["sealed"], ":until::timestamptz")},
  ${lines("sealed")},
  ${addLines("sealed", ":generation::int")},
  hourly as (${addHours(":generation::int", withCampaigns("bucket"))}),
  daily as (${addDays(":generation::int", withDays("bucket", ":time_zone::text"))})
  update total_seals set sealed_until = :until::timestamptz, due_at = :until::timestamptz + interval '2 hours'
      + abs(hashtext(organization_id::text)) % 600 * interval '1 second',
    failures = 0, reason = null
  where organization_id = :organization_id::uuid`);

export interface SealedHours {
  /** The hours that were sealed before end here. */
  from: Date;
  until: Date;
  /** The time zone of the sealed totals, as the generation. */
  time_zone: string;
  generation: number;
}

/**
 * Adds the records of the range of hours to the sealed totals, and the changes of sealed records. The seal is
 * locked by an earlier statement, so that this one sees the changes of its last holder. No rebuild is under way.
 */
export async function sealTotals(
  sql: Transaction,
  organizationId: string,
  range: SealedHours,
): Promise<void> {
  await SEAL.run(sql, { organization_id: organizationId, ...range });
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
