import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import { nextState } from "@findersfee/domain/webhooks/next-state";
import { signWebhook } from "@findersfee/domain/webhooks/signature";
import type { Logger } from "pino";
import { keysAt } from "./endpoint.ts";
import type { DeliveryFigures } from "./figures.ts";
import type { Lane } from "./lane.ts";
import type { AttemptOutcome, Sender } from "./send.ts";
import type { Settler } from "./settler.ts";

export interface AttemptParts {
  log: Logger;
  sender: Sender;
  settler: Settler;
  figures: DeliveryFigures;
  /** Ends a delivery whose endpoint was disabled or deleted since it was claimed; never rejects. */
  onDisabled: (delivery: ClaimedDelivery) => Promise<void>;
  /** Disables an endpoint that answered that it wants no more. */
  onGone: (lane: Lane) => void;
}

/**
 * Makes one attempt and has it settled under the name it was claimed by: signed anew, with this moment's
 * timestamp (webhooks, on the wire). Returns whether it succeeded; never rejects.
 */
export async function attempt(
  parts: AttemptParts,
  { lane, delivery }: { lane: Lane; delivery: ClaimedDelivery },
): Promise<boolean> {
  const { sender, settler, figures, log } = parts;
  const { endpoint } = lane;
  if (endpoint === null || !endpoint.enabled) {
    await parts.onDisabled(delivery);
    return false;
  }
  const attempted_at = new Date();
  const timestamp = Math.floor(attempted_at.getTime() / 1000);
  const signature = signWebhook(
    { id: delivery.event_id, timestamp, body: delivery.body },
    keysAt(endpoint, attempted_at.getTime()),
  );
  const outcome = await sender.send({
    url: endpoint.url,
    id: delivery.event_id,
    timestamp,
    signature,
    body: delivery.body,
  });
  const next = nextState(delivery.failures, outcome, { now: new Date(), random: Math.random() });
  settler.add({
    worker_id: delivery.worker_id,
    organization_id: delivery.organization_id,
    event_id: delivery.event_id,
    endpoint_id: delivery.endpoint_id,
    ...next,
    attempted_at,
    duration_milliseconds: Math.round(outcome.duration_milliseconds),
    status: outcome.status,
    error_code: outcome.error_code,
    error_message: outcome.error_message,
    response: outcome.response,
  });
  figures.count(outcome, next.state);
  logAttempt(log, { delivery, outcome, state: next.state });
  if (outcome.gone) parts.onGone(lane);
  return outcome.delivered;
}

function logAttempt(
  log: Logger,
  { delivery, outcome, state }: { delivery: ClaimedDelivery; outcome: AttemptOutcome; state: string },
): void {
  const { organization_id, event_id, endpoint_id } = delivery;
  const { status, error_code, error_message } = outcome;
  const duration_milliseconds = Math.round(outcome.duration_milliseconds);
  const line = { organization_id, event_id, endpoint_id, status, duration_milliseconds };
  if (outcome.delivered) log.info(line, "delivered");
  else log.info({ ...line, state, error_code, error_message }, "attempt failed");
}
