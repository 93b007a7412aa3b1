import type { Database } from "@findersfee/database/connect";
import { type EndpointNotice, findEndpointNotice } from "@findersfee/database/endpoint-disabling";
import type { Logger } from "pino";
import { z } from "zod";
import type { SendMail } from "../mail.ts";

const payloadSchema = z.object({ organization_id: z.uuid(), endpoint_id: z.uuid() });

/** Tells an organization's owners that an endpoint was disabled, unless it is enabled again by now. */
export async function tellOwners(
  payload: unknown,
  { database, log, sendMail }: { database: Database; log: Logger; sendMail: SendMail },
): Promise<void> {
  const endpoint = payloadSchema.parse(payload);
  const notice = await findEndpointNotice(database, endpoint);
  if (notice === null) return;
  if (notice.owner_emails.length === 0) {
    log.warn(endpoint, "an endpoint was disabled, and its organization has no owner's address to tell");
    return;
  }
  await sendMail({
    to: notice.owner_emails,
    subject: `Webhook endpoint disabled: ${new URL(notice.url).host}`,
    text: textOf(notice),
  });
}

function textOf({ organization_name, url, disabled_reason, disabled_at }: EndpointNotice): string {
  const reason =
    disabled_reason === "gone"
      ? "it answered a delivery with 410 Gone, which says that it wants no more"
      : "every delivery to it has failed for 5 days";
  return `The webhook endpoint ${url} of ${organization_name} was disabled at ${disabled_at.toISOString()}, because ${reason}.

Events from then on are not delivered to it. When it works again, enable it, and choose to replay what it
missed; events are kept for 90 days.
`;
}
