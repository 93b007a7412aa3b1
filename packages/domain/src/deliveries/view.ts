import type { Attempt, Delivery, DeliveryState } from "@findersfee/contract/deliveries";
import { attemptErrorCodes } from "@findersfee/contract/deliveries";
import type { EventType } from "@findersfee/contract/events";
import type { AttemptRow, DeliveryRow, DeliveryRowState } from "@findersfee/database/deliveries";

/** Which rows a state means. */
export const ROW_STATES: Record<DeliveryState, readonly DeliveryRowState[]> = {
  pending: ["scheduled", "waiting", "sending"],
  delivered: ["delivered"],
  exhausted: ["exhausted"],
  canceled: ["canceled"],
};

export function viewDelivery(row: DeliveryRow): Delivery {
  return {
    event_id: row.event_id,
    endpoint_id: row.endpoint_id,
    // Written by the service itself, from the same list.
    event_type: row.event_type as EventType,
    state: viewState(row.state),
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function viewState(state: DeliveryRowState): DeliveryState {
  switch (state) {
    case "scheduled":
    case "waiting":
    case "sending":
      return "pending";
    case "delivered":
    case "exhausted":
    case "canceled":
      return state;
  }
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
  };
}
