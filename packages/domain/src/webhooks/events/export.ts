import {
  type EventListRow,
  type MatchEvents,
  matchEventsInput,
} from "@findersfee/contract/webhooks/event-rows";
import { listEventRows } from "@findersfee/database/webhooks/list-event-rows";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../../csv/export-step.ts";
import type { Cell } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";
import { eventFilter, viewEventRow } from "./list-rows.ts";

const HEADER = [
  "id",
  "type",
  "occurred",
  "about_id",
  "about_email",
  "pending",
  "delivered",
  "exhausted",
  "canceled",
];

/** The events of the list's filters as CSV, newest first, with the numbers of their deliveries. */
export const eventsExport: JobKind<MatchEvents> = {
  input: matchEventsInput,
  file: "events",
  async step({ sql, organization, input, position, done }) {
    const rows = await listEventRows(sql, organization.id, {
      ...eventFilter(input),
      below: exportPosition.parse(position)?.after ?? null,
      limit: EXPORT_PAGE,
    });
    return exportProgress(
      { done, position },
      { header: HEADER, rows, lines: rows.flatMap(viewEventRow).map(lineOf) },
    );
  },
};

function lineOf({ id, type, about_id, about_email, created_at, deliveries }: EventListRow): Cell[] {
  const { pending, delivered, exhausted, canceled } = deliveries;
  return [
    id,
    type,
    created_at,
    about_id,
    about_email ?? "",
    ...[pending, delivered, exhausted, canceled].map(String),
  ];
}
