import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";
import type { ProcessorName } from "./processors.ts";

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
  /** The request that brought it, which its processing continues, as the header `traceparent`; null or absent: it is not recorded. */
  traceparent?: string | null;
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
  | "due"
  | "traceparents";

const INSERT = statement<{ count: number }, "organization_id" | "source" | Columns>(`
  with stored as (
    insert into processor_messages (organization_id, processor, id, type, account, body, state, reason,
      due_at, occurred_at, received_at, source, traceparent)
    select :organization_id::uuid, message.processor, message.id, message.type, message.account, message.body,
      message.state, message.reason, case when message.state = 'received' then message.due_at end, message.occurred_at,
      message.received_at, :source::text, message.traceparent
    from unnest(:processors::text::text[], :ids::text::text[], :types::text::text[],
      :accounts::text::text[], :bodies::text::text[], :states::text::text[], :reasons::text::text[],
      :occurred::text::timestamptz[], :received::text::timestamptz[], :due::text::timestamptz[], :traceparents::text::text[])
      as message (processor, id, type, account, body, state, reason, occurred_at, received_at, due_at, traceparent)
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
    arrayText(messages.map((message) => message[name] ?? null));
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
    traceparents: column("traceparent"),
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

export interface MessageFilter {
  processors: readonly ProcessorName[];
  state?: MessageState | undefined;
  type?: string | undefined;
  /** The beginning of the ids, and these ids unless they are too many. */
  text?: { prefix: string; ids: string[] | null } | undefined;
  received_from?: Date | undefined;
  received_until?: Date | undefined;
}

interface MessageRange {
  below: MessagePosition | null;
  limit: number;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/**
 * Returns messages, newest first, after `below`. `searched`: the messages by processor, state, id and time, which indexes
 * have in this order, that are read for the other conditions.
 */
export async function listMessages(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: { filter: MessageFilter; range: MessageRange; searched: number },
): Promise<MessageSummaryRow[]> {
  const { type, text } = filter;
  const within = ofProcessors(sql, organizationId, { filter, range: { ...range, limit: searched } });
  return await sql<MessageSummaryRow[]>`
    select * from (${within}) as message
    where true ${type === undefined ? sql`` : sql`and type = ${type}`}
      ${text === undefined || text.ids !== null ? sql`` : sql`and starts_with(id, ${text.prefix})`}
    order by received_at desc, processor desc, id desc limit ${range.limit}`;
}

/** The position of the last of the messages that `listMessages` searched; null when it searched all. */
export async function findLastSearchedMessage(
  sql: Connection,
  organizationId: string,
  { filter, below, searched }: { filter: MessageFilter; below: MessagePosition | null; searched: number },
): Promise<MessagePosition | null> {
  const [last, next] = await sql<MessagePosition[]>`
    select received_at, processor, id
    from (${ofProcessors(sql, organizationId, { filter, range: { below, limit: searched + 1 } })}) as message
    order by received_at desc, processor desc, id desc offset ${searched - 1} limit 2`;
  return last === undefined || next === undefined ? null : last;
}

/** The first messages of each processor, and of these the first ones. Only literal states match partial indexes. */
function ofProcessors(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: MessageFilter; range: MessageRange },
): Fragment {
  const { processors, state, text, received_from, received_until } = filter;
  const { below, limit } = range;
  const order = sql`order by received_at desc, processor desc, id desc limit ${limit}`;
  const parts = processors.map((processor, index) => {
    const rows = sql`
      select ${sql.unsafe(SUMMARY)} from processor_messages
      where organization_id = ${organizationId} and processor = ${processor}
        ${state === undefined ? sql`` : sql`and state = ${sql.unsafe(`'${state}'`)}`}
        ${state === "received" ? sql`and due_at is not null` : sql``}
        ${text === undefined || text.ids === null ? sql`` : sql`and id = any (${text.ids}::text[])`}
        ${received_from === undefined ? sql`` : sql`and received_at >= ${received_from}`}
        ${received_until === undefined ? sql`` : sql`and received_at < ${received_until}`}
        ${
          below === null
            ? sql``
            : sql`and received_at <= ${below.received_at}
          and (received_at, processor, id) < (${below.received_at}, ${below.processor}, ${below.id})`
        }
      order by received_at desc, id desc limit ${limit}`;
    return index === 0 ? sql`(${rows})` : sql`union all (${rows})`;
  });
  return sql`select * from (${parts}) as first ${order}`;
}

/** Returns the ids that begin with a text; null: more than `most`. */
export async function findMessageIds(
  sql: Connection,
  organizationId: string,
  { processors, prefix, most }: { processors: readonly ProcessorName[]; prefix: string; most: number },
): Promise<string[] | null> {
  const { from, until } = prefixBounds(prefix);
  const rows = await sql<{ id: string }[]>`
    select first.id from unnest(${[...processors]}::text[]) as asked (processor)
    cross join lateral (
      select id from processor_messages
      where organization_id = ${organizationId} and processor = asked.processor and id >= ${from} and id < ${until}
        and starts_with(id, ${prefix})
      limit ${most + 1}) as first
    limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** Messages by state, at most `most` of each: those that need somebody or a worker, and the newest ones of a time. */
export interface MessageCountsRow {
  received: number;
  parked: number;
  last_received: number;
  last_done: number;
  last_skipped: number;
  last_parked: number;
}

export async function countMessages(
  sql: Connection,
  organizationId: string,
  { processors, since, most }: { processors: readonly ProcessorName[]; since: Date; most: number },
): Promise<MessageCountsRow> {
  const names = sql`processor = any (${[...processors]}::text[])`;
  const last = (state: MessageState) => sql`(select count(*) from newest where state = ${state})::int`;
  const [row] = await sql<[MessageCountsRow]>`
    with newest as materialized (
      select state from processor_messages
      where organization_id = ${organizationId} and ${names} and received_at >= ${since}
      limit ${most}
    )
    select
      (select count(*) from (
        select from processor_messages
        where organization_id = ${organizationId} and ${names} and due_at is not null limit ${most}) as first
      )::int as received,
      (select count(*) from (
        select from processor_messages
        where organization_id = ${organizationId} and ${names} and state = 'parked' limit ${most}) as first
      )::int as parked,
      ${last("received")} as last_received, ${last("done")} as last_done, ${last("skipped")} as last_skipped,
      ${last("parked")} as last_parked`;
  return row;
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
  { processors, limit }: { processors: readonly ProcessorName[]; limit: number },
): Promise<number> {
  const result = await sql`
    update processor_messages set state = 'received', due_at = now(), failures = 0, reason = null
    where organization_id = ${organizationId} and state = 'parked' and (processor, id) in (
      select first.processor, first.id from unnest(${[...processors]}::text[]) as asked (processor)
      cross join lateral (
        select processor, id, received_at from processor_messages
        where organization_id = ${organizationId} and processor = asked.processor and state = 'parked'
        order by received_at, id limit ${limit}) as first
      order by first.received_at, first.processor, first.id limit ${limit})`;
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
      cross join (values ('stripe'), ('generic')) as processor (name)
      cross join lateral (
        select message.organization_id, message.processor, message.id from processor_messages message
        where message.organization_id = organization.id and message.processor = processor.name
          and message.received_at < ${before} and message.state in ('done', 'skipped')
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
