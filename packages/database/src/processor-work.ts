import type { Connection } from "./connect.ts";
import type { MessageKey, ProcessorMessageRow } from "./processor-messages.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

/** The advisory lock on an organization's payments, for processing its messages or changing their results. */
const LOCK = "hashtextextended('payments:' || :organization_id::text, 0)";

/**
 * Batch statements are planned again each time: a cached plan from a time when the tables were small scans whole
 * tables.
 */
const PLAN = "set_config('plan_cache_mode', 'force_custom_plan', true)";

const TRY_LOCK = statement<{ locked: boolean }, "organization_id">(
  `select pg_try_advisory_xact_lock(${LOCK}) as locked, ${PLAN}`,
);
const WAIT_LOCK = statement<object, "organization_id">(`select pg_advisory_xact_lock(${LOCK}), ${PLAN}`);

/** Locks the organization's payments until the transaction ends. False: another transaction holds the lock. */
export async function tryLockPayments(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await TRY_LOCK.run(sql, { organization_id: organizationId });
  return row?.locked === true;
}

/** Same, but waits for the lock, which workers hold only briefly. */
export async function lockPayments(sql: Connection, organizationId: string): Promise<void> {
  await WAIT_LOCK.run(sql, { organization_id: organizationId });
}

/**
 * Skips from one organization with messages to the next in the index, which starts with each organization's first due
 * message: the cost depends on the number of organizations, not of messages.
 */
const DUE_ORGANIZATIONS = statement<{ organization_id: string }, "after" | "limit">(`
  with recursive waiting as (
    (select organization_id, next_attempt_at from processor_messages
      where state = 'received' and organization_id > :after::uuid
      order by organization_id, next_attempt_at limit 1)
    union all
    select next.organization_id, next.next_attempt_at
    from waiting
    cross join lateral (
      select message.organization_id, message.next_attempt_at from processor_messages message
      where message.state = 'received' and message.organization_id > waiting.organization_id
      order by message.organization_id, message.next_attempt_at limit 1
    ) as next
  )
  select organization_id from waiting where next_attempt_at <= now() limit :limit::int`);

/** The smallest id, before all organizations. */
export const NO_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

/** Returns organizations with due messages, by id, after `after`. */
export async function dueOrganizations(
  sql: Connection,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await DUE_ORGANIZATIONS.run(sql, { after, limit });
  return rows.map(({ organization_id }) => organization_id);
}

export type DueMessage = Pick<
  ProcessorMessageRow,
  "processor" | "id" | "type" | "account" | "body" | "attempts" | "occurred_at"
>;

const DUE_COLUMNS = "processor, id, type, account, body, attempts, occurred_at";

const DUE = statement<DueMessage, "organization_id" | "limit">(`
  select ${DUE_COLUMNS} from processor_messages
  where organization_id = :organization_id::uuid and state = 'received' and next_attempt_at <= now()
  order by next_attempt_at limit :limit::int`);

/** Returns an organization's due messages, longest due first; the caller holds its payments' lock. */
export async function dueMessages(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<DueMessage[]> {
  return await DUE.run(sql, { organization_id: organizationId, limit });
}

const DUE_ONE = statement<DueMessage, "organization_id" | "processor" | "id">(`
  select ${DUE_COLUMNS} from processor_messages
  where organization_id = :organization_id::uuid and processor = :processor::text and id = :id::text
    and state = 'received' and next_attempt_at <= now()`);

/** Returns one message if it is still due; the caller holds the payments' lock. */
export async function dueMessage(
  sql: Connection,
  organizationId: string,
  { processor, id }: MessageKey,
): Promise<DueMessage | null> {
  const [row] = await DUE_ONE.run(sql, { organization_id: organizationId, processor, id });
  return row ?? null;
}

export interface SettledMessage extends MessageKey {
  state: "done" | "skipped" | "parked";
  reason: string | null;
}

const SETTLE = statement<object, "organization_id" | "processors" | "ids" | "states" | "reasons">(`
  update processor_messages message
  set state = settled.state, reason = settled.reason, next_attempt_at = null
  from unnest(:processors::text::text[], :ids::text::text[], :states::text::text[], :reasons::text::text[])
    as settled (processor, id, state, reason)
  where message.organization_id = :organization_id::uuid and message.processor = settled.processor
    and message.id = settled.id`);

/** Records the results of processed messages. */
export async function settleMessages(
  sql: Connection,
  organizationId: string,
  messages: SettledMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await SETTLE.run(sql, {
    organization_id: organizationId,
    processors: arrayText(messages.map(({ processor }) => processor)),
    ids: arrayText(messages.map(({ id }) => id)),
    states: arrayText(messages.map(({ state }) => state)),
    reasons: arrayText(messages.map(({ reason }) => reason)),
  });
}

/** Records a failed attempt: the message is due again after so long, or dead-lettered (null). */
export async function failMessage(
  sql: Connection,
  organizationId: string,
  { processor, id, reason, again_seconds }: MessageKey & { reason: string; again_seconds: number | null },
): Promise<void> {
  await sql`
    update processor_messages set attempts = attempts + 1, reason = ${reason},
      state = ${again_seconds === null ? "parked" : "received"},
      next_attempt_at = case when ${again_seconds !== null} then now() + make_interval(secs => ${again_seconds ?? 0}) end
    where organization_id = ${organizationId} and processor = ${processor} and id = ${id}
      and state = 'received'`;
}

export interface MessageBacklog {
  /** Due messages, counted up to 100,000. */
  due: number;
  parked: number;
  oldest_due_seconds: number;
}

/** Counts waiting messages for the metrics. */
export async function readMessageBacklog(sql: Connection): Promise<MessageBacklog> {
  const [row] = await sql<[MessageBacklog]>`
    with due as (
      select next_attempt_at from processor_messages
      where state = 'received' and next_attempt_at <= now() limit 100000
    )
    select (select count(*) from due)::int as due,
      (select count(*) from (select from processor_messages where state = 'parked' limit 100000) as parked)::int
        as parked,
      coalesce((select extract(epoch from now() - min(next_attempt_at)) from due), 0)::float as oldest_due_seconds`;
  return row;
}
