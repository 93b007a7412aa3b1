import { type OpenSpan, openSpan } from "@findersfee/database/postgres/tracer";
import type { DeliveryResult } from "@findersfee/database/webhooks/delivery-results";
import type { DueDelivery } from "@findersfee/database/webhooks/pending-deliveries";
import { nextState } from "@findersfee/domain/webhooks/deliveries/next-state";
import { signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import type { Logger } from "pino";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import { keysAt } from "./endpoint.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import { type Verdict, verdictOf } from "./outcome.ts";
import type { ProxyHealth } from "./proxy-health.ts";
import type { AttemptOutcome, Sender } from "./send.ts";

export interface AttemptDependencies {
  log: Logger;
  sender: Sender;
  recorder: AttemptRecorder;
  metrics: DeliveryMetrics;
  proxy_health: ProxyHealth;
  /** Called after a result was recorded. */
  onRecorded: (queue: EndpointQueue, result: DeliveryResult) => void;
  /** Disables an endpoint that responded with 410 Gone. */
  onGone: (queue: EndpointQueue) => void;
}

/** Makes one attempt, signed with the current timestamp, and queues its result for the recorder. Never rejects. */
export async function attempt(
  dependencies: AttemptDependencies,
  { queue, delivery }: { queue: EndpointQueue; delivery: DueDelivery },
): Promise<Verdict> {
  const { recorder, metrics, proxy_health, log, onRecorded, onGone } = dependencies;
  const attempted_at = new Date();
  const span = attemptSpan(queue, delivery);
  const sending = () => send(dependencies, { queue, delivery, attempted_at, span });
  const outcome = await (span === null ? sending() : span.run(sending));
  endSpan(span, outcome);
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
      onRecorded(queue, result);
      // Disabling cancels pending deliveries. This one has ended already.
      if (outcome.gone) onGone(queue);
    },
  });
  metrics.count(outcome, next.state);
  proxy_health.note(outcome);
  logAttempt(log, { delivery, outcome, state: next.state, trace_id: span?.trace_id });
  return verdict;
}

/**
 * Continues the trace of the event's cause; null: that is not recorded. The path of a URL can be a secret of
 * its owner.
 */
function attemptSpan({ endpoint }: EndpointQueue, delivery: DueDelivery): OpenSpan | null {
  const { traceparent: parent, organization_id, event_id, endpoint_id, attempts } = delivery;
  if (parent === null || endpoint === null) return null;
  const { hostname, port, protocol } = new URL(endpoint.url);
  return openSpan({
    name: "POST",
    kind: "client",
    parent,
    attributes: {
      "http.request.method": "POST",
      "http.request.resend_count": attempts,
      "server.address": hostname,
      "server.port": port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
      "url.scheme": protocol.slice(0, -1),
      "findersfee.organization.id": organization_id,
      "findersfee.event.id": event_id,
      "findersfee.endpoint.id": endpoint_id,
    },
  });
}

function endSpan(span: OpenSpan | null, { status, error_code }: AttemptOutcome): void {
  const attributes = status === null ? {} : { "http.response.status_code": status };
  span?.end({ attributes, error_type: error_code });
}

async function send(
  { sender }: AttemptDependencies,
  {
    queue,
    delivery,
    attempted_at,
    span,
  }: { queue: EndpointQueue; delivery: DueDelivery; attempted_at: Date; span: OpenSpan | null },
): Promise<AttemptOutcome> {
  const { endpoint } = queue;
  const { event_id: id, body } = delivery;
  if (endpoint === null || body === null) return lostOutcome(endpoint === null ? "endpoint" : "event");
  const timestamp = Math.floor(attempted_at.getTime() / 1000);
  const signature = signWebhook({ id, timestamp, body }, keysAt(endpoint, attempted_at.getTime()));
  const { url, headers } = endpoint;
  return await sender.send({ url, id, timestamp, signature, body, headers, traceparent: span?.traceparent });
}

/** The event or endpoint was deleted in the database directly, so the delivery ends. */
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
  {
    delivery,
    outcome,
    state,
    trace_id,
  }: { delivery: DueDelivery; outcome: AttemptOutcome; state: string; trace_id: string | undefined },
): void {
  const { organization_id, event_id, endpoint_id } = delivery;
  const { status, error_code, error_message } = outcome;
  const duration_milliseconds = Math.round(outcome.duration_milliseconds);
  const line = { trace_id, organization_id, event_id, endpoint_id, status, duration_milliseconds };
  if (outcome.delivered) log.info(line, "delivered");
  else log.info({ ...line, state, error_code, error_message }, "attempt failed");
}
