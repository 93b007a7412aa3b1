import type { Connection } from "./connect.ts";
import type { ProcessorName } from "./processors.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

export type MessageState = "received" | "done" | "skipped" | "parked";

export interface ProcessorMessageRow {
  organization_id: string;
  processor: ProcessorName;
  /** The processor's id of the event. */
  id: string;
  type: string;
  /** The Connect account that the event belongs to; null: the organization's own account. */
  account: string | null;
  body: string;
  state: MessageState;
  reason: string | null;
  failures: number;
  due_at: Date | null;
  occurred_at: Date;
  received_at: Date;
  source: "webhook" | "reconciliation" | "lookup";
}

export type MessageSummaryRow = Omit<ProcessorMessageRow, "body">;

export type NewMessage = Pick<
  ProcessorMessageRow,
  "processor" | "id" | "type" | "account" | "body" | "reason" | "occurred_at" | "received_at"
> & {
  state: "received" | "skipped";
  /** The time at which a received message is due for processing. */
  due_at: Date;
};

type Columns =
  | "processors"
  | "ids"
  | "types"
  | "accounts"
  | "bodies"
  | "states"
  | "reasons"
  | "occurred"
  | "received"
  | "due";

const INSERT = statement<{ count: number }, "organization_id" | "source" | Columns>(`
  with stored as (
    insert into processor_messages (organization_id, processor, id, type, account, body, state, reason,
      due_at, occurred_at, received_at, source)
    select :organization_id::uuid, message.processor, message.id, message.type, message.account, message.body,
      message.state, message.reason, case when message.state = 'received' then message.due_at end, message.occurred_at,
      message.received_at, :source::text
    from unnest(:processors::text::text[], :ids::text::text[], :types::text::text[],
      :accounts::text::text[], :bodies::text::text[], :states::text::text[], :reasons::text::text[],
      :occurred::text::timestamptz[], :received::text::timestamptz[], :due::text::timestamptz[])
      as message (processor, id, type, account, body, state, reason, occurred_at, received_at, due_at)
    -- Ordered by id, so that two statements that store the same messages do not deadlock.
    order by message.processor, message.id
    on conflict do nothing
    returning 1
  )
  select count(*)::int as count from stored`);

/** Stores messages of one source, without those that are stored already; returns the number of new ones. */
export async function insertMessages(
  sql: Connection,
  organizationId: string,
  { source, messages }: { source: ProcessorMessageRow["source"]; messages: NewMessage[] },
): Promise<number> {
  const column = <Name extends keyof NewMessage>(name: Name) =>
    arrayText(messages.map((message) => message[name]));
  const [row] = await INSERT.run(sql, {
    organization_id: organizationId,
    source,
    processors: column("processor"),
    ids: column("id"),
    types: column("type"),
    accounts: column("account"),
    bodies: column("body"),
    states: column("state"),
    reasons: column("reason"),
    occurred: column("occurred_at"),
    received: column("received_at"),
    due: column("due_at"),
  });
  return row?.count ?? 0;
}

const SUMMARY = `organization_id, processor, id, type, account, state, reason, failures, due_at, occurred_at,
  received_at, source`;

export interface MessageKey {
  processor: ProcessorName;
  id: string;
}

export async function findMessage(
  sql: Connection,
  organizationId: string,
  { processor, id }: MessageKey,
): Promise<ProcessorMessageRow | null> {
  const [row] = await sql.unsafe<ProcessorMessageRow[]>(
    `select ${SUMMARY}, body from processor_messages where organization_id = $1 and processor = $2 and id = $3`,
    [organizationId, processor, id],
  );
  return row ?? null;
}

/** The position of a page in the log. */
export interface MessagePosition extends MessageKey {
  received_at: Date;
}

/** Returns messages, newest first, after `below`. (Only a literal state matches the partial index of dead letters.) */
export async function listMessages(
  sql: Connection,
  organizationId: string,
  {
    processor,
    state,
    type,
    received_from,
    received_until,
    below,
    limit,
  }: {
    processor: ProcessorName | null;
    state: MessageState | null;
    type: string | null;
    received_from?: Date | undefined;
    received_until?: Date | undefined;
    below: MessagePosition | null;
    limit: number;
  },
): Promise<MessageSummaryRow[]> {
  return await sql<MessageSummaryRow[]>`
    select ${sql.unsafe(SUMMARY)} from processor_messages
    where organization_id = ${organizationId}
      ${processor === null ? sql`` : sql`and processor = ${processor}`}
      ${state === null ? sql`` : state === "parked" ? sql`and state = 'parked'` : sql`and state = ${state}`}
      ${type === null ? sql`` : sql`and type = ${type}`}
      ${received_from === undefined ? sql`` : sql`and received_at >= ${received_from}`}
      ${received_until === undefined ? sql`` : sql`and received_at < ${received_until}`}
      ${below === null ? sql`` : sql`and (received_at, processor, id) < (${below.received_at}, ${below.processor}, ${below.id})`}
    order by received_at desc, processor desc, id desc limit ${limit}`;
}

/** Makes a message due in any state and resets its attempts; one that is already due stays unchanged. */
export async function makeMessageDue(
  sql: Connection,
  organizationId: string,
  { processor, id }: MessageKey,
): Promise<void> {
  await sql`
    update processor_messages set state = 'received', due_at = now(), failures = 0, reason = null
    where organization_id = ${organizationId} and processor = ${processor} and id = ${id}`;
}

/** Makes at most `limit` dead-lettered messages due, the oldest first; returns the number. */
export async function makeDeadLettersDue(
  sql: Connection,
  organizationId: string,
  { processor, limit }: { processor: ProcessorName | null; limit: number },
): Promise<number> {
  const result = await sql`
    update processor_messages set state = 'received', due_at = now(), failures = 0, reason = null
    where organization_id = ${organizationId} and state = 'parked' and (processor, id) in (
      select processor, id from processor_messages
      where organization_id = ${organizationId} and state = 'parked'
        ${processor === null ? sql`` : sql`and processor = ${processor}`}
      order by received_at, processor, id limit ${limit})`;
  return result.count;
}

/**
 * Deletes at most `limit` old messages that are done or skipped; returns the number. Organization by organization, in
 * the order of the index.
 */
export async function deleteOldMessages(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await sql<[{ deleted: number }]>`
    with old as materialized (
      select old.organization_id, old.processor, old.id
      from organizations organization
      cross join lateral (
        select message.organization_id, message.processor, message.id from processor_messages message
        where message.organization_id = organization.id and message.received_at < ${before}
          and message.state in ('done', 'skipped')
        order by message.received_at limit ${limit}
      ) as old
      limit ${limit}
    ),
    gone as (
      delete from processor_messages message using old
      where message.organization_id = old.organization_id and message.processor = old.processor
        and message.id = old.id
      returning 1
    )
    select count(*)::int as deleted from gone`;
  return row.deleted;
}
