import {
  type NotificationFrequencies,
  type Notifications,
  notification_topics,
  type UpdateNotifications,
} from "@findersfee/contract/mails";
import {
  listNotifications,
  type NotificationRow,
  setNotification,
} from "@findersfee/database/mails/notifications";
import { readWorkers } from "@findersfee/database/work/workers";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";

/**
 * The acting person's notifications. In test data: their choice for its organization.
 *
 * @throws DomainError `not_a_member`
 */
export async function getNotifications({ database, organization, actor }: Context): Promise<Notifications> {
  const [rows, workers] = await Promise.all([
    actor.kind === "user" ? listNotifications(database, organization.id, actor.id) : [],
    readWorkers(database),
  ]);
  return view(rows, workers.mail_delivery);
}

/**
 * Changes the frequencies of the given topics for the acting person.
 *
 * @throws DomainError `not_a_member`
 */
export async function updateNotifications(
  context: Context,
  changes: UpdateNotifications,
): Promise<Notifications> {
  const { organization, actor } = context;
  if (actor.kind !== "user") throw new DomainError("not_a_member");
  await inTransaction(context, async (sql) => {
    for (const topic of notification_topics) {
      const frequency = changes[topic];
      if (frequency === undefined) continue;
      await setNotification(sql, organization.id, { user_id: actor.id, topic, frequency });
    }
  });
  return await getNotifications(context);
}

function view(
  rows: readonly NotificationRow[],
  mail_delivery: Notifications["mail_delivery"],
): Notifications {
  const [first] = rows;
  if (first === undefined) throw new DomainError("not_a_member");
  const frequencies = Object.fromEntries(rows.map(({ topic, frequency }) => [topic, frequency]));
  return { email: first.email, frequencies: frequencies as NotificationFrequencies, mail_delivery };
}
