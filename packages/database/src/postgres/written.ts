/** An event that a process wrote, or knows to be committed. */
export interface KnownEvent {
  organization_id: string;
  event_id: string;
}

const listeners = new WeakMap<object, (events: readonly KnownEvent[]) => void>();
const written = new WeakMap<object, KnownEvent[]>();

/** A pool or a connection inside a transaction; only a pool has options. */
type Writer = object & { options?: object };

/** Has `listener` hear of the events that a pool has committed. It must not throw. */
export function onCommitted(
  pool: { options: object },
  listener: (events: readonly KnownEvent[]) => void,
): void {
  listeners.set(pool.options, listener);
}

/** A statement has written events: they are committed now, or with the transaction. */
export function noteWritten(sql: Writer, organization_id: string, event_ids: readonly string[]): void {
  const events = event_ids.map((event_id) => ({ organization_id, event_id }));
  if (sql.options === undefined) addTo(sql, events);
  else listeners.get(sql.options)?.(events);
}

/** The transaction was committed; a savepoint has become a part of its transaction. */
export function noteCommitted(sql: Writer, outer: Writer): void {
  const events = written.get(sql);
  if (events === undefined) return;
  if (outer.options === undefined) addTo(outer, events);
  else listeners.get(outer.options)?.(events);
}

function addTo(sql: Writer, events: readonly KnownEvent[]): void {
  const known = written.get(sql);
  if (known === undefined) written.set(sql, [...events]);
  else known.push(...events);
}
