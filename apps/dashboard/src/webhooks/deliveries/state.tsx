import type { StateTone } from "@findersfee/ui/components/state";
import type { DeliveryRow } from "./queries.ts";

/** Whether a delivery has not arrived, and its last attempt failed. */
export function hasFailed({
  state,
  last_error_code,
}: Pick<DeliveryRow, "state" | "last_error_code">): boolean {
  return state !== "delivered" && last_error_code !== null;
}

export function toneOf(row: Pick<DeliveryRow, "state" | "last_error_code">): StateTone {
  if (row.state === "delivered") return "done";
  if (row.state === "canceled") return "stopped";
  return hasFailed(row) ? "failed" : "waiting";
}
