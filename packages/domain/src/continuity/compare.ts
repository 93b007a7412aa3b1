import type { KnownHistory, Present } from "@findersfee/database/history";
import type { KnownEvent } from "@findersfee/database/postgres/written";

/** How far the clocks of two database servers may differ. */
const CLOCK_MILLISECONDS = 60_000;

/** Retention deletes events of 90 days: from this age on, one that is missing says nothing. */
const FORGOTTEN_MILLISECONDS = 85 * 24 * 60 * 60 * 1000;

/** Without the events that retention may have deleted. */
export function withoutOld<Event extends KnownEvent>(events: readonly Event[], now: Date): Event[] {
  return events.filter(({ event_id }) => timeOfId(event_id) > now.getTime() - FORGOTTEN_MILLISECONDS);
}

/** The time at which an event's id was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/** Whether somebody accepted the present history after the process had last seen the former one. */
export function isAccepted(memory: KnownHistory, { accepted, system_identifier }: Present): boolean {
  if (accepted === null || accepted.system_identifier !== system_identifier) return false;
  if (memory.accepted_id !== null && accepted.id <= memory.accepted_id) return false;
  return accepted.accepted_at.getTime() > memory.seen_at.getTime() - CLOCK_MILLISECONDS;
}

/**
 * Why the present history is not a continuation of the known one, as a sentence; null: it is one. A failover without a loss is one:
 * its timeline is higher, and each known event exists.
 */
export function findStepBack(memory: KnownHistory, present: Present): string | null {
  const { system_identifier, timeline, next_position, missing, accepted } = present;
  if (
    memory.system_identifier !== null &&
    system_identifier !== null &&
    system_identifier !== memory.system_identifier
  ) {
    return `This is another database cluster: its system identifier is ${system_identifier}, not ${memory.system_identifier}.`;
  }
  // A standby may lag.
  if (timeline === null) return null;
  if (timeline < memory.timeline) {
    return `The database went back from timeline ${memory.timeline} to ${timeline}.`;
  }
  if (next_position <= memory.position) {
    return `The database went back from position ${memory.position} of the events to below ${next_position}.`;
  }
  if (memory.accepted_id !== null && (accepted === null || accepted.id < memory.accepted_id)) {
    return "The database went back to before its history was last accepted.";
  }
  if (missing.length === 0) return null;
  const [first] = missing;
  const others = missing.length === 1 ? "" : ` and ${missing.length - 1} others`;
  const branched =
    timeline > memory.timeline ? ` Timeline ${timeline} branched off before they were committed.` : "";
  return `Events that were committed do not exist: ${first?.event_id}${others}.${branched}`;
}
