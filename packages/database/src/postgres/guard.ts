import type { DriverQuery } from "./interest.ts";
import type { KnownEvent } from "./written.ts";

/** Decides whether statements of a pool may be sent. Its functions must not throw. */
export interface HistoryGuard {
  /** Null: the statement may be sent. Otherwise it is sent once the promise resolves, and fails as the promise rejects. */
  hold: (query: DriverQuery) => Promise<void> | null;
  /** A connection of the pool has closed: the next one may be to another server. */
  closed: () => void;
  /** The pool has committed events. */
  committed: (events: readonly KnownEvent[]) => void;
}

/** Has the guard hold a query that was just made. */
export function holdQuery(query: DriverQuery, guard: HistoryGuard): void {
  const { handler } = query;
  query.handler = (run) => {
    const held = guard.hold(run);
    if (held === null) return handler(run);
    return held.then(
      () => void handler(run),
      (error: unknown) => run.reject(error),
    );
  };
}

/** Words of statements that write, lock, or send notifications, and the functions of the schema and of the queue that write. */
const WRITES =
  /\b(insert|update|delete|merge|truncate|create|alter|drop|lock|nextval|setval|set_config|pg_notify|pg_advisory_\w+|add_jobs?|add_referral_to_totals|write_affiliate_texts)\b/i;

/** Whether a statement certainly changes nothing; a transaction is one if it is read-only. */
export function isRead(query: Pick<DriverQuery, "strings" | "args">): boolean {
  const text = textOf(query).trimStart();
  if (/^begin\b/i.test(text)) return /\bread only\b/i.test(text);
  return /^\(?\s*(select|with|show)\b/i.test(text) && !WRITES.test(text);
}

function textOf({ strings, args }: Pick<DriverQuery, "strings" | "args">): string {
  const parts = args.flatMap((arg) => (isQuery(arg) ? [textOf(arg)] : []));
  return [...strings, ...parts].join(" ");
}

function isQuery(value: unknown): value is Pick<DriverQuery, "strings" | "args"> {
  return (
    typeof value === "object" &&
    value !== null &&
    "strings" in value &&
    "args" in value &&
    Array.isArray(value.strings) &&
    Array.isArray(value.args)
  );
}
