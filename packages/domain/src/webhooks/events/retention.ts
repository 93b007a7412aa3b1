/** The retention of events. */
export const EVENTS_RETENTION_DAYS = 90;

/** Events from this time on are retained. */
export function oldestRetainedAt(now = new Date()): Date {
  return new Date(now.getTime() - EVENTS_RETENTION_DAYS * 24 * 60 * 60 * 1000);
}
