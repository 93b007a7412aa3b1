import { timestampInput } from "@findersfee/contract/fields";
import { messageIdInput } from "@findersfee/contract/processors/processors";
import type { NewMessage } from "@findersfee/database/processors/messages";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { dueAt } from "../stripe/event-types.ts";

/** The fields of a Stripe event that are read before it is stored; processing reads the rest. */
const stripeEvent = z.object({
  id: messageIdInput,
  type: z.unknown().optional(),
  account: z.unknown().optional(),
  created: z.unknown().optional(),
  livemode: z.unknown().optional(),
});

const genericMessage = z.object({
  type: z.unknown().optional(),
  occurred_at: z.unknown().optional(),
});

const UNKNOWN_TYPE = "unknown";
const UNKNOWN_ACCOUNT = "unknown";
const LATEST_SECONDS = 253_402_300_799;

/** A Stripe event as it is stored. Errors: `invalid_request` when it is not one. */
export function readStripeEvent(
  body: string,
  { livemode, now }: { livemode: boolean; now: Date },
): NewMessage {
  const read = stripeEvent.safeParse(parse(body));
  if (!read.success) throw invalid("The body is not an event of Stripe: an object with an `id`.");
  const event = read.data;
  const type = typeOf(event.type);
  const occurred_at = timeOf(event.created) ?? now;
  const is_other_mode = typeof event.livemode === "boolean" && event.livemode !== livemode;
  return {
    processor: "stripe",
    id: event.id,
    type,
    account: accountOf(event.account),
    body,
    occurred_at,
    received_at: now,
    due_at: dueAt(type, { occurred_at, now }),
    ...(is_other_mode
      ? { state: "skipped", reason: otherMode(livemode) }
      : { state: "received", reason: null }),
  };
}

function otherMode(livemode: boolean): string {
  return livemode
    ? "The event is in Stripe's test mode, but the organization is connected in live mode."
    : "The event is in Stripe's live mode, but the organization is connected in test mode.";
}

/** A message of the generic processor as it is stored. Errors: `invalid_request` when it is not a JSON object. */
export function readGenericMessage(body: string, { id, now }: { id: string; now: Date }): NewMessage {
  // A dot separates the parts of the signed text.
  if (!messageIdInput.safeParse(id).success || id.includes(".")) {
    throw invalid("The header webhook-id must be 1 to 255 visible ASCII characters other than dots.");
  }
  const read = genericMessage.safeParse(parse(body));
  if (!read.success) throw invalid("The body is not a JSON object.");
  const { type, occurred_at } = read.data;
  return {
    processor: "generic",
    id,
    type: typeOf(type),
    account: null,
    body,
    occurred_at: timeOf(occurred_at) ?? now,
    received_at: now,
    due_at: now,
    state: "received",
    reason: null,
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
}

function typeOf(type: unknown): string {
  return typeof type === "string" && /^[\x20-\x7e]{1,255}$/.test(type) ? type : UNKNOWN_TYPE;
}

/** Connect events name their account. An id in another format matches no connected account. */
function accountOf(account: unknown): string | null {
  if (account === undefined || account === null) return null;
  return typeof account === "string" && /^[\x21-\x7e]{1,255}$/.test(account) ? account : UNKNOWN_ACCOUNT;
}

/** Unix seconds, or ISO 8601 as in the newer types of Stripe events. */
function timeOf(time: unknown): Date | null {
  if (typeof time === "number") {
    return time >= 0 && time <= LATEST_SECONDS ? new Date(time * 1000) : null;
  }
  const { data } = timestampInput.safeParse(time);
  return data === undefined ? null : new Date(data);
}

function invalid(message: string): DomainError {
  return new DomainError("invalid_request", { message });
}
