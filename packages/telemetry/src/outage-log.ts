import { isOutage } from "@findersfee/database/postgres/errors";
import type { EndedStatement, PoolObserver } from "@findersfee/database/postgres/observer";
import type { Logger } from "pino";

/** An outage has ended when a statement succeeds and none has failed for this long: connections fail one by one. */
const CALM_MILLISECONDS = 2_000;

/** Logs one line when the database becomes unavailable, and one when it is back, in place of one for each failure. */
export class OutageLog implements PoolObserver {
  readonly #log: Logger;
  /** The start of the outage under way. */
  #began_at: number | null = null;
  #last_failure_at = 0;
  #failed = 0;
  /** Errors of statements that these lines stand for. */
  readonly #logged = new WeakSet<object>();

  constructor(log: Logger) {
    this.#log = log;
  }

  opened(): void {}

  made(): (ended: EndedStatement) => void {
    return ({ error }) => {
      if (error === null) this.#succeeded();
      else if (isOutage(error)) this.#failedBy(error as Error);
    };
  }

  /**
   * The same logger, without warnings and errors with an `err` that is the failure of a statement in an
   * outage.
   */
  quiet(log: Logger): Logger {
    const quiet = Object.create(log) as Logger;
    const pass = (level: "warn" | "error"): Logger["warn"] =>
      ((facts: unknown, ...rest: [string?]) => {
        if (!this.#isLogged(facts)) (log[level] as (...line: unknown[]) => void)(facts, ...rest);
      }) as Logger["warn"];
    return Object.assign(quiet, { warn: pass("warn"), error: pass("error") });
  }

  #isLogged(facts: unknown): boolean {
    if (typeof facts !== "object" || facts === null || !("err" in facts)) return false;
    const { err } = facts;
    if (typeof err === "object" && err !== null && this.#logged.has(err)) return true;
    // The queue has a pool of its own.
    return this.#began_at !== null && isOutage(err);
  }

  #failedBy(error: Error): void {
    this.#logged.add(error);
    this.#failed += 1;
    this.#last_failure_at = performance.now();
    if (this.#began_at !== null) return;
    this.#began_at = this.#last_failure_at;
    this.#log.error(
      { reason: String(error) },
      "the database is unavailable; its failures are not logged one by one",
    );
  }

  #succeeded(): void {
    if (this.#began_at === null) return;
    const now = performance.now();
    if (now - this.#last_failure_at < CALM_MILLISECONDS) return;
    const seconds = Math.round((this.#last_failure_at - this.#began_at) / 100) / 10;
    this.#log.info({ seconds, failed_statements: this.#failed }, "the database is available again");
    this.#began_at = null;
    this.#failed = 0;
  }
}
