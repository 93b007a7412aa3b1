import { insertNotices } from "../mails/notices.ts";
import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import { ShardLost, type ShardOwner } from "../work/shards.ts";
import type { MessageKey, ProcessorMessageRow } from "./messages.ts";

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

export type DueMessage = Pick<
  ProcessorMessageRow,
  "processor" | "id" | "type" | "account" | "body" | "failures" | "occurred_at"
> & {
  /** The request that brought it, as the header `traceparent`; null: it is not recorded. */
  traceparent: string | null;
};

const DUE_COLUMNS = "processor, id, type, account, body, failures, occurred_at, traceparent";

const READ_DUE = statement<DueMessage, "organization_id" | "limit" | Fence>(`
  select ${DUE_COLUMNS} from processor_messages
  where organization_id = :organization_id::uuid and due_at <= now() and ${OWNS_SHARD}
  order by due_at limit :limit::int`);

/**
 * An organization's due messages, longest due first; none without its shard. The caller has the payments' lock.
 */
export function readDueMessages(
  sql: Connection,
  organizationId: string,
  { owner, limit }: { owner: ShardOwner; limit: number },
): Promise<DueMessage[]> {
  return READ_DUE.run(sql, { organization_id: organizationId, limit, ...owner });
}

const READ_DUE_MESSAGE = statement<DueMessage, "organization_id" | "processor" | "id" | Fence>(`
  select ${DUE_COLUMNS} from processor_messages
  where organization_id = :organization_id::uuid and processor = :processor::text and id = :id::text
    and due_at <= now() and ${OWNS_SHARD}`);

/** One message, if it still is due; the caller has the payments' lock. */
export async function readDueMessage(
  sql: Connection,
  organizationId: string,
  { processor, id }: MessageKey,
  owner: ShardOwner,
): Promise<DueMessage | null> {
  const [row] = await READ_DUE_MESSAGE.run(sql, { organization_id: organizationId, processor, id, ...owner });
  return row ?? null;
}

export interface CompletedMessage extends MessageKey {
  state: "done" | "skipped" | "parked";
  reason: string | null;
}

const COMPLETE = statement<object, "organization_id" | "processors" | "ids" | "states" | "reasons" | Fence>(`
  update processor_messages message
  set state = completed.state, reason = completed.reason, due_at = null
  from unnest(:processors::text::text[], :ids::text::text[], :states::text::text[], :reasons::text::text[])
    as completed (processor, id, state, reason)
  where message.organization_id = :organization_id::uuid and message.processor = completed.processor
    and message.id = completed.id and ${OWNS_SHARD}
  returning 1`);

/**
 * Records the outcome of messages in the transaction of all that they changed.
 *
 * @throws ShardLost which rolls all of it back
 */
export async function completeMessages(
  sql: Connection,
  organizationId: string,
  { owner, messages }: { owner: ShardOwner; messages: readonly CompletedMessage[] },
): Promise<void> {
  if (messages.length === 0) return;
  const completed = await COMPLETE.run(sql, {
    organization_id: organizationId,
    processors: arrayText(messages.map(({ processor }) => processor)),
    ids: arrayText(messages.map(({ id }) => id)),
    states: arrayText(messages.map(({ state }) => state)),
    reasons: arrayText(messages.map(({ reason }) => reason)),
    ...owner,
  });
  if (completed.length === 0) throw new ShardLost(owner);
  if (messages.some(({ state }) => state === "parked"))
    await insertNotices(sql, organizationId, "connections");
}

const POSTPONE = statement<object, "organization_id" | keyof MessageKey | "seconds" | "reason" | Fence>(`
  update processor_messages set ${POSTPONED},
    state = case when :seconds::float8 is null then 'parked' else 'received' end
  where organization_id = :organization_id::uuid and processor = :processor::text and id = :id::text
    and state = 'received' and ${OWNS_SHARD}`);

/** Records a failed attempt: the message is due again after `seconds`, or dead-lettered (null). */
export async function postponeMessage(
  sql: Connection,
  organizationId: string,
  { processor, id }: MessageKey,
  retry: { owner: ShardOwner; seconds: number | null; reason: string },
): Promise<void> {
  const { owner, seconds, reason } = retry;
  await POSTPONE.run(sql, { organization_id: organizationId, processor, id, seconds, reason, ...owner });
}
