import type { NotificationTopic } from "@findersfee/contract/mails";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { NOTIFIED } from "./notifications.ts";

/*
 * Notices: immediate mails about waiting items, at most one in 15 minutes to each reader. A mail lists the
 * items that wait when it is sent, so a change only has to make sure that a mail is sent later. In each
 * quarter of an hour, the first change writes a mail that is due. Each further change makes sure of a mail in
 * the next quarter, since the first may be on its way without it. The second mail is dropped if the first had
 * it all.
 */

const NOTICE_MINUTES = 15;

/** The topics with many changes, and their kinds of mails. Other topics have mails of their own. */
const NOTICES = {
  applications: "applications_waiting",
  claims: "claims_waiting",
  connections: "connections_failed",
} as const satisfies Partial<Record<NotificationTopic, string>>;

export type NoticeTopic = keyof typeof NOTICES;
export type NoticeKind = (typeof NOTICES)[NoticeTopic];

const INSERT = statement<object, "organization_id" | "topic" | "kind">(`
  with quarter as (
    select floor(extract(epoch from clock_timestamp()) / ${NOTICE_MINUTES * 60})::bigint as number
  ), reader as (
    select notified.email, greatest(now(), last.at + interval '${NOTICE_MINUTES} minutes') as due_at
    from ${NOTIFIED} as notified
    cross join quarter
    -- Earlier ones are more than 15 minutes ago, or as good as due.
    cross join lateral (
      select max(coalesce(mail.finished_at, mail.due_at)) as at from mails mail
      where mail.organization_id = :organization_id::uuid and mail.kind = :kind::text
        and mail.about in ((quarter.number - 2)::text, (quarter.number - 1)::text, quarter.number::text)
        and mail.recipient = notified.email and mail.state in ('due', 'sent')
    ) as last
    where notified.organization_id = :organization_id::uuid and notified.topic = :topic::text
      and notified.frequency = 'at_once'
  ), first as (
    insert into mails (organization_id, kind, about, recipient, due_at)
    select :organization_id::uuid, :kind::text, quarter.number::text, reader.email, reader.due_at
    from reader cross join quarter
    -- In one order, so that no two transactions wait for each other.
    order by reader.email
    on conflict (organization_id, kind, about, recipient) do nothing
    returning recipient
  )
  insert into mails (organization_id, kind, about, recipient, due_at)
  select :organization_id::uuid, :kind::text, (quarter.number + 1)::text, reader.email,
    greatest(reader.due_at, to_timestamp((quarter.number + 1) * ${NOTICE_MINUTES * 60}))
  from reader cross join quarter
  where reader.email not in (select recipient from first)
  order by reader.email
  on conflict (organization_id, kind, about, recipient) do nothing`);

/** Makes sure that those who want to know at once get a mail about something new that waits, after this transaction. */
export async function insertNotices(
  sql: Connection,
  organizationId: string,
  topic: NoticeTopic,
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, topic, kind: NOTICES[topic] });
}

const LAST = statement<
  { reported: string[] | null; is_replaced: boolean },
  "organization_id" | "kind" | "recipient" | "about"
>(`
  select (
      select reported from mails
      where organization_id = :organization_id::uuid and kind = :kind::text and recipient = :recipient::text
        and reported is not null
      order by finished_at desc limit 1) as reported,
    exists (
      select from mails
      where organization_id = :organization_id::uuid and kind = :kind::text and recipient = :recipient::text
        and about > :about::text and due_at <= now()) as is_replaced`);

export interface LastNotice {
  /** The items that the last mail of the kind reported to the reader. */
  reported: string[];
  /** Whether a later mail is due, too, after an outage: it has everything of this one. */
  is_replaced: boolean;
}

/** The last notice or digest that a reader got before this one. */
export async function findLastNotice(
  sql: Connection,
  organizationId: string,
  mail: { kind: string; recipient: string; about: string },
): Promise<LastNotice> {
  const [row] = await LAST.run(sql, { organization_id: organizationId, ...mail });
  return { reported: row?.reported ?? [], is_replaced: row?.is_replaced ?? false };
}
