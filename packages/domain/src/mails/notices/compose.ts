import type { NotificationFrequency, NotificationTopic } from "@findersfee/contract/mails";
import type { DueMail, NoticeMail } from "@findersfee/database/mails/mails";
import { findLastNotice } from "@findersfee/database/mails/notices";
import { listNotificationsOf } from "@findersfee/database/mails/notifications";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Block, type MemberMailContent, paragraph } from "../content.ts";
import type { Dropped } from "../dropped.ts";
import type { NotificationSubscriber } from "../unsubscribe-token.ts";
import { digest, notice, type WaitingTopic } from "./content.ts";
import { kindOfMails } from "./topics.ts";
import { listWaitingItems } from "./waiting.ts";

/** An owner or admin with the topics that they want to know of, by frequency. */
export interface NotifiedReader {
  user_id: string;
  frequencies: ReadonlyMap<NotificationTopic, NotificationFrequency>;
}

type MemberMail = Pick<DueMail, "organization_id"> & { recipient: string };

/** The reader of a mail to a member. */
export async function findReader(
  sql: Connection,
  { organization_id, recipient }: MemberMail,
): Promise<NotifiedReader | Dropped> {
  const rows = await listNotificationsOf(sql, organization_id, recipient);
  const [first] = rows;
  if (first === undefined) return { dropped: "the address no longer belongs to an owner or admin" };
  return {
    user_id: first.user_id,
    frequencies: new Map(rows.map(({ topic, frequency }) => [topic, frequency])),
  };
}

/** Why a mail at once about a topic is not sent to its reader; null: it is. */
export function rejectionOf({ frequencies }: NotifiedReader, topic: NotificationTopic): Dropped | null {
  if (frequencies.get(topic) === "at_once") return null;
  return { dropped: "the person does not want these mails at once any more" };
}

const TOPICS_OF_KINDS = {
  applications_waiting: "applications",
  claims_waiting: "claims",
  connections_failed: "connections",
} as const;

/** Topics that a digest reports only once: nobody decides them. */
const REPORTED_ONCE: readonly NotificationTopic[] = ["connections", "endpoints", "payouts"];

interface ComposedNotice {
  content: MemberMailContent;
  /** The ids of the reported items. */
  reported: string[];
  about: NotificationSubscriber["about"];
  reader: NotifiedReader;
}

/** Composes a notice or a digest of the items that wait now. */
export async function composeNotice(
  sql: Connection,
  mail: DueMail & NoticeMail,
  dashboard_url: string | null,
): Promise<ComposedNotice | Dropped> {
  const reader = await findReader(sql, mail);
  const topic = mail.kind === "daily_digest" ? null : TOPICS_OF_KINDS[mail.kind];
  if ("dropped" in reader) return reader;
  const rejection = topic === null ? null : rejectionOf(reader, topic);
  if (rejection !== null) return rejection;
  const last = await findLastNotice(sql, mail.organization_id, mail);
  if (last.is_replaced) return { dropped: "a later mail has the same" };
  const place = { organization_name: mail.organization_name, url: dashboard_url };
  const { organization_id } = mail;
  const known = new Set(last.reported);
  const waits = async (one: NotificationTopic): Promise<WaitingTopic & { is_new: boolean }> => {
    const items = await listWaitingItems(sql, { organization_id, user_id: reader.user_id }, one);
    const unknown = items.filter(({ key }) => !known.has(key));
    return {
      topic: one,
      items: [...unknown, ...items.filter(({ key }) => known.has(key))],
      is_new: unknown.length > 0,
    };
  };
  const topics = topic === null ? dailyTopics(reader) : [topic];
  const found: (WaitingTopic & { is_new: boolean })[] = [];
  for (const one of topics) found.push(await waits(one));
  const waiting = found.filter(({ items }) => items.length > 0);
  const [first] = waiting;
  const is_due = waiting.some((one) => one.is_new || (topic === null && !REPORTED_ONCE.includes(one.topic)));
  if (first === undefined || !is_due) return { dropped: "nothing waits that was not reported" };
  const reported = waiting.flatMap(({ items }) => items.map(({ key }) => key));
  const content = topic === null ? digest(waiting, place) : notice(first, place);
  return { content, reported, about: topic ?? "digest", reader };
}

function dailyTopics({ frequencies }: NotifiedReader): NotificationTopic[] {
  return [...frequencies].flatMap(([topic, frequency]) => (frequency === "daily" ? [topic] : []));
}

/** The organization in the dashboard; null: the service's address is not known. */
export function dashboardUrl(
  public_url: string | null,
  { organization_slug }: Pick<DueMail, "organization_slug">,
): string | null {
  return public_url === null ? null : `${public_url}/o/${organization_slug}`;
}

/** The end of each mail to an owner or admin: why it came, and how it is turned off. */
export function memberFooter(
  { organization_name, ...mail }: Pick<DueMail, "organization_name" | "organization_slug">,
  about: NotificationSubscriber["about"],
  { public_url, turn_off_url }: { public_url: string | null; turn_off_url: string | null },
): Block[] {
  const settings = dashboardUrl(public_url, mail);
  return [
    paragraph(`You're receiving this email because you're an owner or admin of ${organization_name}.`),
    ...(turn_off_url === null
      ? []
      : [{ kind: "link", label: `Turn off ${kindOfMails(about)}`, url: turn_off_url } as const]),
    ...(settings === null
      ? []
      : [
          {
            kind: "link",
            label: "Change your notifications",
            url: `${settings}/settings/notifications`,
          } as const,
        ]),
  ];
}
