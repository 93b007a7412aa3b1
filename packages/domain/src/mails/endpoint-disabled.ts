import type { DisabledReason } from "@findersfee/database/webhooks/endpoints";
import { showTime } from "./amounts.ts";
import { facts, type MemberMailContent, paragraph } from "./content.ts";

export interface EndpointDisabled {
  organization_name: string;
  url: string;
  disabled_reason: Exclude<DisabledReason, "operator">;
  disabled_at: Date;
  /** The time zone of the time. */
  time_zone: string;
}

const REASONS: Record<EndpointDisabled["disabled_reason"], [cause: string, remedy: string]> = {
  gone: [
    "it answered a delivery with 410 Gone, which means that it no longer accepts deliveries",
    "When it works again, enable it",
  ],
  failing: ["every delivery to it has failed for 5 days", "When it works again, enable it"],
  secret: [
    "its signing secret or its custom headers can't be read",
    "Rotate the secret and give the new one to the receiver, or set the headers again; then enable it",
  ],
};

/** The mail to members about a webhook endpoint that the service disabled. */
export function endpointDisabled(disabled: EndpointDisabled): MemberMailContent {
  const { organization_name, url, disabled_reason, disabled_at, time_zone } = disabled;
  const [cause, remedy] = REASONS[disabled_reason];
  return {
    subject: `Webhook endpoint disabled: ${new URL(url).host}`,
    heading: "Webhook endpoint disabled",
    blocks: [
      paragraph(`A webhook endpoint of ${organization_name} was disabled, because ${cause}.`),
      facts({ Endpoint: url, "Disabled at": showTime(disabled_at, { language: "en", time_zone }) }),
      paragraph(
        `Events since then are not delivered to it. ${remedy}, and choose to replay the events it missed. Events are kept for 90 days.`,
      ),
    ],
  };
}
