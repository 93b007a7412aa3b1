import { connectAlone, type Database, guardQueries } from "./connect.ts";
import { isOutage, isStatementError } from "./errors.ts";
import type { DriverQuery } from "./interest.ts";

/**
 * Time is counted in ticks of a timer, since a process that was busy itself has fewer of them: the answers that it has not read yet
 * are no silence of the database.
 */
const TICK_MILLISECONDS = 100;
/** Statements without any answer are suspicious after this time. */
const SUSPICIOUS_TICKS = 10;
/** Then the database has this time to answer a probe. */
const PROBE_TICKS = 20;
/** The time after which an unanswered probe is given up: its connection may be dead. */
const LOST_PROBE_TICKS = 100;
const RETRY_TICKS = 2;
/** Not even a short silence is normal, while requests pile up. */
const DOUBTFUL_TICKS = 2;
/** Statements that wait longer for a connection of the pool would make further ones wait as long. */
const WAITING_TICKS = 50;

/** A statement that was not sent, because the database does not answer (`DATABASE_AWAY`) or the pool is exhausted (`POOL_EXHAUSTED`). */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
  readonly code: "DATABASE_AWAY" | "POOL_EXHAUSTED";

  constructor(code: "DATABASE_AWAY" | "POOL_EXHAUSTED") {
    super(
      code === "DATABASE_AWAY"
        ? "the database does not answer"
        : "statements have waited for a connection for too long",
    );
    this.code = code;
  }
}

interface Running {
  made_at: number;
  is_sent: boolean;
  giveUp: () => void;
}

/**
 * Notices that a pool's database does not answer, as when connections fail, or when a pooler takes statements and holds them. From then
 * on, statements of the pool fail at once, while one probe at a time looks for the database. Those within transactions that are
 * under way go on.
 */
export class OutageGuard {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Running>();
  /** The oldest first. */
  readonly #unsent = new Set<Running>();
  readonly #listeners: (() => void)[] = [];
  readonly #waits = new Set<() => void>();
  readonly #unguard: () => void;
  #handler: DriverQuery["handler"] | null = null;
  #tick = 0;
  #silent_ticks = 0;
  #answers = 0;
  #answers_at_tick = 0;
  #is_away = false;
  #is_probing = false;
  #is_stopped = false;
  #prober: Database | null = null;

  /** Guards the pool until `stop`. */
  constructor(database: Database) {
    this.#database = database;
    this.#unguard = guardQueries(database, (query) => this.#watch(query));
    // A query of the pool itself, which is never sent: queries of transactions have other handlers.
    database`select 1`;
    this.#timer = setInterval(() => this.#onTick(), TICK_MILLISECONDS).unref();
  }

  /** Whether statements fail at once. */
  get is_away(): boolean {
    return this.#is_away;
  }

  /** Whether the database may be away, so that requests that pile up are not their client's fault. */
  get is_doubtful(): boolean {
    return this.#is_away || this.#silent_ticks >= DOUBTFUL_TICKS || this.#longestWait() > SUSPICIOUS_TICKS;
  }

  /** Calls `listener` whenever statements begin to fail at once. */
  onAway(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async stop(): Promise<void> {
    this.#is_stopped = true;
    this.#unguard();
    clearInterval(this.#timer);
    for (const resolve of this.#waits) resolve();
    await this.#prober?.end({ timeout: 0 });
  }

  #longestWait(): number {
    for (const { made_at } of this.#unsent) return this.#tick - made_at;
    return 0;
  }

  #watch(query: DriverQuery): void {
    const { handler } = query;
    if (this.#handler === null) {
      this.#handler = handler;
      return;
    }
    const is_of_pool = handler === this.#handler;
    query.handler = (run) => {
      const refusal = is_of_pool ? this.#refusal() : null;
      if (refusal !== null) {
        run.reject(refusal);
        return;
      }
      this.#follow(run, is_of_pool);
      return handler(run);
    };
  }

  #refusal(): NotSentError | null {
    if (this.#is_away) return new NotSentError("DATABASE_AWAY");
    return this.#longestWait() > WAITING_TICKS ? new NotSentError("POOL_EXHAUSTED") : null;
  }

  #follow(run: DriverQuery, is_of_pool: boolean): void {
    const { resolve, reject, onsend } = run;
    let is_ended = false;
    const begins = run.options?.onexecute !== undefined;
    const running: Running = {
      made_at: this.#tick,
      is_sent: false,
      giveUp: () => {
        // A transaction that has begun keeps its connection until it ends itself.
        if (!is_of_pool || (running.is_sent && begins)) return;
        end();
        reject(new NotSentError("DATABASE_AWAY"));
        // Nobody reads the answer of a query that was sent.
        if (!running.is_sent) void run.cancel();
      },
    };
    const end = () => {
      is_ended = true;
      this.#running.delete(running);
      this.#unsent.delete(running);
    };
    this.#running.add(running);
    if (is_of_pool) this.#unsent.add(running);
    run.onsend = () => {
      running.is_sent = true;
      this.#unsent.delete(running);
      onsend?.();
    };
    run.resolve = (value) => {
      this.#answered();
      if (is_ended) return;
      end();
      resolve(value);
    };
    run.reject = (error) => {
      if (isStatementError(error)) this.#answered();
      if (is_ended) return;
      end();
      if (isOutage(error)) void this.#probe();
      reject(error);
    };
  }

  #answered(): void {
    this.#answers += 1;
    this.#silent_ticks = 0;
    this.#is_away = false;
  }

  #onTick(): void {
    this.#tick += 1;
    for (const resolve of this.#waits) resolve();
    const is_silent = this.#running.size > 0 && this.#answers === this.#answers_at_tick;
    this.#answers_at_tick = this.#answers;
    this.#silent_ticks = is_silent ? this.#silent_ticks + 1 : 0;
    if (this.#silent_ticks >= SUSPICIOUS_TICKS) void this.#probe();
  }

  /** Asks the database until something of it answers. */
  async #probe(): Promise<void> {
    if (this.#is_probing) return;
    this.#is_probing = true;
    while (!this.#is_stopped) {
      const answers = this.#answers;
      const asked = this.#ask();
      const answer = await this.#within(PROBE_TICKS, asked);
      if (answer === true || this.#answers !== answers) break;
      this.#leave();
      // The same question may be answered once the database is back, as behind a pooler.
      if (answer === null && (await this.#within(LOST_PROBE_TICKS, asked)) === true) break;
      if (this.#answers !== answers) break;
      const lost = this.#prober;
      this.#prober = null;
      await lost?.end({ timeout: 0 });
      await this.#within(RETRY_TICKS, new Promise(() => {}));
    }
    this.#is_probing = false;
    if (!this.#is_stopped) this.#answered();
  }

  /** Whether the database answers. */
  async #ask(): Promise<boolean> {
    this.#prober ??= connectAlone(this.#database);
    return await this.#prober`select 1`.then(() => true, isStatementError);
  }

  /** Null: it took too long. */
  async #within(ticks: number, asked: Promise<boolean>): Promise<boolean | null> {
    const end = this.#tick + ticks;
    let wait = () => {};
    const late = new Promise<null>((resolve) => {
      wait = () => {
        if (this.#tick >= end || this.#is_stopped) resolve(null);
      };
      this.#waits.add(wait);
    });
    return await Promise.race([asked, late]).finally(() => this.#waits.delete(wait));
  }

  #leave(): void {
    if (this.#is_away || this.#is_stopped) return;
    this.#is_away = true;
    for (const { giveUp } of [...this.#running]) giveUp();
    for (const listener of this.#listeners) listener();
  }
}
