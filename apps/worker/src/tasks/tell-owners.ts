import { type Database, transaction } from "@findersfee/database/connect";
import {
  type DisabledEndpoint,
  type EndpointNotice,
  findEndpointNotice,
} from "@findersfee/database/endpoint-disabling";
import { addJob } from "@findersfee/database/queue";
import { TELL_OWNERS } from "@findersfee/domain/webhooks/disable-endpoints";
import type { Logger } from "pino";
import { z } from "zod";
import type { SendMail } from "../mail.ts";

const payloadSchema = z.object({
  organization_id: z.uuid(),
  endpoint_id: z.uuid(),
  /** Whom this job tells; without it, it makes such a job for every owner. */
  owner_email: z.string().optional(),
});

/**
 * Tells an organization's owners that an endpoint was disabled, unless it is enabled again by now. A mail
 * each: were one address refused, a mail to all would be lost to that one, or come to the others again.
 */
export async function tellOwners(
  payload: unknown,
  { database, log, sendMail }: { database: Database; log: Logger; sendMail: SendMail },
): Promise<void> {
  const { owner_email, ...endpoint } = payloadSchema.parse(payload);
  const notice = await findEndpointNotice(database, endpoint);
  if (notice === null) return;
  const { disabled_reason } = notice;
  // Somebody has enabled it since, and disabled it by hand.
  if (disabled_reason === "operator") return;
  if (notice.owner_emails.length === 0) {
    log.warn(endpoint, "an endpoint was disabled, and its organization has no owner's address to tell");
  } else if (owner_email === undefined) {
    await tellEach(database, endpoint, notice.owner_emails);
  } else if (notice.owner_emails.includes(owner_email)) {
    await sendMail({
      to: [owner_email],
      subject: `Webhook endpoint disabled: ${new URL(notice.url).host}`,
      text: textOf({ ...notice, disabled_reason }),
    });
  }
}

/** By their keys an owner's job is there once, also if this one is done again. */
async function tellEach(
  database: Database,
  { organization_id, endpoint_id }: DisabledEndpoint,
  owner_emails: string[],
): Promise<void> {
  await transaction(database, async (sql) => {
    for (const owner_email of new Set(owner_emails)) {
      await addJob(sql, TELL_OWNERS, {
        payload: { organization_id, endpoint_id, owner_email },
        key: `${TELL_OWNERS}:${endpoint_id}:${owner_email}`,
      });
    }
  });
}

type Reason = Exclude<EndpointNotice["disabled_reason"], "operator">;

const REASONS: Record<Reason, [cause: string, remedy: string]> = {
  gone: [
    "it answered a delivery with 410 Gone, which says that it wants no more",
    "When it works again, enable it",
  ],
  failing: ["every delivery to it has failed for 5 days", "When it works again, enable it"],
  secret: [
    "its signing secret or its custom headers cannot be read",
    "Rotate the secret and give the new one to the receiver, or set the headers again; then enable it",
  ],
};

function textOf({
  organization_name,
  url,
  disabled_reason,
  disabled_at,
}: EndpointNotice & { disabled_reason: Reason }): string {
  const [reason, remedy] = REASONS[disabled_reason];
  return `The webhook endpoint ${url} of ${organization_name} was disabled at ${disabled_at.toISOString()}, because ${reason}.

Events from then on are not delivered to it. ${remedy}, and choose to replay what it
missed; events are kept for 90 days.
`;
}
