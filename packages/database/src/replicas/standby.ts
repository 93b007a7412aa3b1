import { setTimeout as delay } from "node:timers/promises";
import { type ConnectOptions, connect, type Database } from "../postgres/connect.ts";
import { type Probe, probe } from "./probe.ts";

const PROBE_MILLISECONDS = 500;
/** A server without an answer for this time is unreachable. */
const PATIENCE_MILLISECONDS = 2_000;

/** Asks a server where it is, twice a second, on a connection of its own: the pool's may all be in use. */
export class Watch {
  readonly #database: Database;
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>;

  /** `onProbe` gets each answer with the moment of its question, `onFailure` each question without one. */
  constructor(
    options: ConnectOptions,
    listener: { onProbe: (at: number, found: Probe) => void; onFailure: (error: unknown) => void },
  ) {
    // The client ends a probe itself, even if the server is gone.
    const limits = { statement_seconds: 0, long_statement_seconds: 0, session: {} };
    this.#database = connect({ ...options, name: `${options.name} position`, poolSize: 1, limits });
    this.#ended = this.#run(listener);
  }

  async #run({ onProbe, onFailure }: ConstructorParameters<typeof Watch>[1]): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const at = performance.now();
      const timer = setTimeout(() => onFailure(new Error("no answer")), PATIENCE_MILLISECONDS);
      try {
        onProbe(at, await probe(this.#database));
      } catch (error) {
        onFailure(error);
      } finally {
        clearTimeout(timer);
      }
      await delay(PROBE_MILLISECONDS, undefined, { signal, ref: false }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  async end(): Promise<void> {
    this.#stopped.abort();
    await this.#database.end({ timeout: 0 });
    await this.#ended;
  }
}

/** A standby that reads may use, with its pool. */
export class Standby {
  readonly host: string;
  readonly database: Database;
  /** Its last answer; null: it has not answered yet, or not the last time. */
  found: Probe | null = null;
  /** Reads under way, which end when the standby is lost. */
  readonly #reads = new Set<(error: unknown) => void>();
  readonly #watch: Watch;

  constructor(host: string, options: ConnectOptions) {
    this.host = host;
    this.database = connect(options);
    this.#watch = new Watch(options, {
      onProbe: (_, found) => {
        this.found = found;
      },
      onFailure: (error) => this.lose(error),
    });
  }

  /** Nothing is read here until it answers again, and reads under way fail. */
  lose(error: unknown): void {
    this.found = null;
    for (const fail of this.#reads) fail(error);
  }

  /** Runs a read. Throws its error, or the earlier error by which the standby was lost. */
  async read<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    let fail: (error: unknown) => void = () => {};
    const lost = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#reads.add(fail);
    try {
      return await Promise.race([work(this.database), lost]);
    } finally {
      this.#reads.delete(fail);
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#watch.end(), this.database.end({ timeout: 5 })]);
  }
}
