import type { Replay } from "@findersfee/contract/webhooks/deliveries";
import type { ReplayRow } from "@findersfee/database/webhooks/replays";

export function viewReplay(row: ReplayRow): Replay {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    kind: row.kind,
    events_from: row.events_from.toISOString(),
    events_to: row.events_to.toISOString(),
    deliveries: row.deliveries,
    done_until: doneUntil(row),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    stopped_at: row.stopped_at?.toISOString() ?? null,
  };
}

/** The time up to which the events were replayed, from the last event's id: a UUIDv7 begins with its time. */
function doneUntil({ finished_at, stopped_at, events_to, after_event_id }: ReplayRow): string | null {
  if (finished_at !== null && stopped_at === null) return events_to.toISOString();
  if (after_event_id === null) return null;
  const milliseconds = Number.parseInt(after_event_id.replaceAll("-", "").slice(0, 12), 16);
  return new Date(milliseconds).toISOString();
}
