import { type MatchDeliveries, matchDeliveriesInput } from "@findersfee/contract/webhooks/delivery-rows";
import type { DeliveryListRow } from "@findersfee/database/webhooks/list-delivery-rows";
import { EXPORT_PAGE, exportPosition } from "../../csv/export-step.ts";
import { type Cell, writeLines } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";
import { deliveryCursor, readDeliveryCursor } from "./filter.ts";
import { findDeliveries } from "./list.ts";

const HEADER = [
  "event_id",
  "type",
  "occurred",
  "endpoint_id",
  "state",
  "attempts",
  "last_attempt",
  "next_attempt",
  "status",
  "error",
  "duration_milliseconds",
];

/** The deliveries of the list's filters as CSV, of the newest event first. */
export const deliveriesExport: JobKind<MatchDeliveries> = {
  input: matchDeliveriesInput,
  file: "deliveries",
  async step({ sql, organization, input, position, done }) {
    const after = exportPosition.parse(position)?.after;
    const { rows, next } = await findDeliveries(sql, organization.id, {
      query: input,
      after: readDeliveryCursor(after),
      limit: EXPORT_PAGE,
    });
    const lines = rows.map(lineOf);
    return {
      // A search for rare ones may have found none yet.
      position: next === null ? null : { after: deliveryCursor(next) },
      done: done + rows.length,
      content: writeLines(position === null ? [HEADER, ...lines] : lines),
    };
  },
};

function lineOf(row: DeliveryListRow): Cell[] {
  return [
    row.event_id,
    row.event_type,
    row.created_at.toISOString(),
    row.endpoint_id,
    row.state,
    String(row.attempts),
    row.last_attempt_at?.toISOString() ?? "",
    row.next_attempt_at?.toISOString() ?? "",
    row.last_status === null ? "" : String(row.last_status),
    row.last_error_code ?? "",
    row.last_duration_milliseconds === null ? "" : String(row.last_duration_milliseconds),
  ];
}
