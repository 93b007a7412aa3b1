/** For so long events can be read again. */
export const EVENTS_KEPT_DAYS = 90;

/** The moment from which on events are kept. */
export function eventsKeptSince(now = new Date()): Date {
  return new Date(now.getTime() - EVENTS_KEPT_DAYS * 24 * 60 * 60 * 1000);
}
