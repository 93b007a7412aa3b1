import type { Attempt, Delivery } from "@findersfee/contract/webhooks/deliveries";
import { attemptErrorCodes } from "@findersfee/contract/webhooks/deliveries";
import type { EventType } from "@findersfee/contract/webhooks/events";
import type { AttemptRow, DeliveryRow } from "@findersfee/database/webhooks/deliveries";

export function viewDelivery(row: DeliveryRow): Delivery {
  return {
    event_id: row.event_id,
    endpoint_id: row.endpoint_id,
    // Written by the service itself, from the same list.
    event_type: row.event_type as EventType,
    state: row.state,
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function viewAttempt(row: AttemptRow): Attempt {
  return {
    number: row.number,
    attempted_at: row.attempted_at.toISOString(),
    duration_milliseconds: row.duration_milliseconds,
    status: row.status,
    error_code: attemptErrorCodes.find((code) => code === row.error_code) ?? null,
    error_message: row.error_message,
    response: row.response,
    webhook_timestamp: Math.floor(row.attempted_at.getTime() / 1000),
  };
}
