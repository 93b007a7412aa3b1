import {
  default_notifications,
  type NotificationFrequency,
  type NotificationTopic,
} from "@findersfee/contract/mails";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

const DEFAULTS = Object.entries(default_notifications)
  .map(([topic, { owner, admin }]) => `('${topic}', '${owner}', '${admin}')`)
  .join(", ");

/**
 * SQL: owners and admins who are not disabled, with the frequency of each topic: `organization_id`, `user_id`, `email`, `topic`,
 * `frequency`.
 */
export const NOTIFIED = `(
    select member.organization_id, member.user_id, reader.email, preset.topic,
      coalesce(setting.frequency, case member.role when 'owner' then preset.owner else preset.admin end) as frequency
    from members member
    join users reader on reader.id = member.user_id and reader.disabled_at is null
    cross join (values ${DEFAULTS}) as preset (topic, owner, admin)
    left join notification_settings setting
      on setting.organization_id = member.organization_id and setting.user_id = member.user_id
        and setting.topic = preset.topic
    where member.role in ('owner', 'admin')
  )`;

export interface NotificationRow {
  user_id: string;
  email: string;
  topic: NotificationTopic;
  frequency: NotificationFrequency;
}

const OF_USER = statement<NotificationRow, "organization_id" | "user_id">(`
  select notified.user_id, notified.email, notified.topic, notified.frequency from ${NOTIFIED} as notified
  where notified.organization_id = (
      select coalesce(test_of, id) from organizations where id = :organization_id::uuid)
    and notified.user_id = :user_id::uuid`);

/**
 * Returns the frequency of each topic for a member; in test data, its organization's. None: the person gets
 * no such mails.
 */
export async function listNotifications(
  sql: Connection,
  organizationId: string,
  userId: string,
): Promise<NotificationRow[]> {
  return await OF_USER.run(sql, { organization_id: organizationId, user_id: userId });
}

const OF_EMAIL = statement<NotificationRow, "organization_id" | "email">(`
  select notified.user_id, notified.email, notified.topic, notified.frequency from ${NOTIFIED} as notified
  where notified.organization_id = :organization_id::uuid and notified.email = :email::text`);

/** The same for the member with an address. */
export async function listNotificationsOf(
  sql: Connection,
  organizationId: string,
  email: string,
): Promise<NotificationRow[]> {
  return await OF_EMAIL.run(sql, { organization_id: organizationId, email });
}

const UPSERT = statement<object, "organization_id" | "user_id" | "topic" | "frequency">(`
  insert into notification_settings (organization_id, user_id, topic, frequency)
  select member.organization_id, member.user_id, :topic::text, :frequency::text
  from members member
  where member.organization_id = (
      select coalesce(test_of, id) from organizations where id = :organization_id::uuid)
    and member.user_id = :user_id::uuid and member.role in ('owner', 'admin')
  on conflict (organization_id, user_id, topic) do update set frequency = excluded.frequency`);

/** Stores the frequency of a topic for a member; in test data, for its organization. Others than owners and admins have none. */
export async function setNotification(
  sql: Connection,
  organizationId: string,
  chosen: { user_id: string; topic: NotificationTopic; frequency: NotificationFrequency },
): Promise<void> {
  await UPSERT.run(sql, { organization_id: organizationId, ...chosen });
}
