import { z } from "zod";
import { mailDeliverySchema } from "./reports/attention.ts";

/**
 * The topics that owners and admins are notified of. Notices about the security of an account are not among
 * them: they are always sent.
 */
export const notification_topics = [
  "applications",
  "claims",
  "connections",
  "endpoints",
  "payouts",
  "payout_runs",
] as const;

export type NotificationTopic = (typeof notification_topics)[number];

const notification_frequencies = ["at_once", "daily", "never"] as const;

export type NotificationFrequency = (typeof notification_frequencies)[number];

/** The notifications of a member who has changed nothing. */
export const default_notifications: Record<
  NotificationTopic,
  Record<"owner" | "admin", NotificationFrequency>
> = {
  applications: { owner: "daily", admin: "daily" },
  claims: { owner: "daily", admin: "daily" },
  connections: { owner: "at_once", admin: "at_once" },
  endpoints: { owner: "at_once", admin: "never" },
  payouts: { owner: "at_once", admin: "never" },
  payout_runs: { owner: "at_once", admin: "at_once" },
};

const frequency = z.enum(notification_frequencies).meta({
  description:
    "`at_once`: within seconds; of applications, claims and connections, at most one email in 15 minutes. `daily`: in one email in the morning of the organization's time zone. `never`: no email.",
});

const topics = {
  applications: frequency.meta({ description: "Affiliates wait for a decision about their application." }),
  claims: frequency.meta({ description: "Affiliates report missing sales." }),
  connections: frequency.meta({
    description: "Messages of a processor cannot be processed, or Stripe does not send the required events.",
  }),
  endpoints: frequency.meta({ description: "The service has disabled a webhook endpoint." }),
  payouts: frequency.meta({ description: "Payouts failed." }),
  payout_runs: frequency.meta({
    description: "A payout run waits for an approval that the person can give.",
  }),
} satisfies Record<NotificationTopic, typeof frequency>;

const notificationFrequenciesSchema = z.object(topics).meta({ id: "NotificationFrequencies" });

export type NotificationFrequencies = z.infer<typeof notificationFrequenciesSchema>;

export const notificationsSchema = z.object({
  email: z.string().meta({ description: "The person's, to which the emails go." }),
  frequencies: notificationFrequenciesSchema,
  mail_delivery: mailDeliverySchema,
});

export type Notifications = z.infer<typeof notificationsSchema>;

/** Omitted topics keep their frequencies. */
export const updateNotificationsInput = z.strictObject(topics).partial();

export type UpdateNotifications = z.output<typeof updateNotificationsInput>;
