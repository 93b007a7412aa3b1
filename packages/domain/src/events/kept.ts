/** The retention of events. */
export const EVENTS_KEPT_DAYS = 90;

/** Events from this time on are retained. */
export function eventsKeptSince(now = new Date()): Date {
  return new Date(now.getTime() - EVENTS_KEPT_DAYS * 24 * 60 * 60 * 1000);
}
