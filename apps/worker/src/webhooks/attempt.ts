import type { DeliveryResult } from "@findersfee/database/delivery-results";
import type { DueDelivery } from "@findersfee/database/pending-deliveries";
import { nextState } from "@findersfee/domain/webhooks/next-state";
import { signWebhook } from "@findersfee/domain/webhooks/signature";
import type { Logger } from "pino";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import { keysAt } from "./endpoint.ts";
import type { Lane } from "./lane.ts";
import { type Verdict, verdictOf } from "./outcome.ts";
import type { ProxyHealth } from "./proxy-health.ts";
import type { Recorder } from "./recorder.ts";
import type { AttemptOutcome, Sender } from "./send.ts";

export interface AttemptParts {
  log: Logger;
  sender: Sender;
  recorder: Recorder;
  metrics: DeliveryMetrics;
  proxy_health: ProxyHealth;
  /** A result was recorded. */
  onRecorded: (lane: Lane, result: DeliveryResult) => void;
  /** Disables an endpoint that answered that it wants no more. */
  onGone: (lane: Lane) => void;
}

/**
 * Makes one attempt, signed with the timestamp of this moment (webhooks, on the wire), and has its result recorded.
 * Never rejects.
 */
export async function attempt(
  parts: AttemptParts,
  { lane, delivery }: { lane: Lane; delivery: DueDelivery },
): Promise<Verdict> {
  const { recorder, metrics, proxy_health, log, onRecorded, onGone } = parts;
  const attempted_at = new Date();
  const outcome = await send(parts, { lane, delivery, attempted_at });
  const now = new Date();
  const next = nextState(delivery.failures, outcome, { now, random: Math.random() });
  const { organization_id, event_id, endpoint_id, attempts } = delivery;
  const verdict = verdictOf(outcome);
  const result: DeliveryResult = {
    organization_id,
    event_id,
    endpoint_id,
    attempts,
    state: next.state,
    sent: verdict !== "unsent",
    failures: next.failures,
    next_attempt_in: next.next_attempt_at === null ? null : next.next_attempt_at.getTime() - now.getTime(),
    attempted_at,
    duration_milliseconds: Math.round(outcome.duration_milliseconds),
    status: outcome.status,
    error_code: outcome.error_code,
    error_message: outcome.error_message,
    response: outcome.response,
  };
  recorder.add({
    result,
    onRecorded: () => {
      onRecorded(lane, result);
      // Disabling cancels pending deliveries; the answer has ended this one already.
      if (outcome.gone) onGone(lane);
    },
  });
  metrics.count(outcome, next.state);
  proxy_health.note(outcome);
  logAttempt(log, { delivery, outcome, state: next.state });
  return verdict;
}

async function send(
  { sender }: AttemptParts,
  { lane, delivery, attempted_at }: { lane: Lane; delivery: DueDelivery; attempted_at: Date },
): Promise<AttemptOutcome> {
  const { endpoint } = lane;
  const { event_id: id, body } = delivery;
  if (endpoint === null || body === null) return lostOutcome(endpoint === null ? "endpoint" : "event");
  const timestamp = Math.floor(attempted_at.getTime() / 1000);
  const signature = signWebhook({ id, timestamp, body }, keysAt(endpoint, attempted_at.getTime()));
  const { url, headers } = endpoint;
  return await sender.send({ url, id, timestamp, signature, body, headers });
}

/** The delivery's event or endpoint was deleted in the database by hand: it ends. */
function lostOutcome(lost: "endpoint" | "event"): AttemptOutcome {
  return {
    delivered: false,
    status: null,
    error_code: "bad_response",
    error_message: `the ${lost} no longer exists`,
    response: "",
    retry_after_seconds: null,
    gone: true,
    duration_milliseconds: 0,
  };
}

function logAttempt(
  log: Logger,
  { delivery, outcome, state }: { delivery: DueDelivery; outcome: AttemptOutcome; state: string },
): void {
  const { organization_id, event_id, endpoint_id } = delivery;
  const { status, error_code, error_message } = outcome;
  const duration_milliseconds = Math.round(outcome.duration_milliseconds);
  const line = { organization_id, event_id, endpoint_id, status, duration_milliseconds };
  if (outcome.delivered) log.info(line, "delivered");
  else log.info({ ...line, state, error_code, error_message }, "attempt failed");
}
