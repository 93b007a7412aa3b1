import { setTimeout as delay } from "node:timers/promises";
import { type ConnectOptions, type Database, observe } from "../postgres/connect.ts";
import { errorClass, isOutage } from "../postgres/errors.ts";
import type { Interest } from "../postgres/interest.ts";
import type { PoolObserver } from "../postgres/observer.ts";
import { hostOf, urlsOfHosts } from "./hosts.ts";
import { PrimaryPositions } from "./lag.ts";
import type { Position } from "./position.ts";
import { Standby, Watch } from "./standby.ts";

/** Why nothing is read from a standby now; `used`: it is. */
export type ReplicaState =
  | "used"
  | "late"
  /** It does not answer, or has not yet. */
  | "unreachable"
  /** It takes writes: it was promoted, or the address leads to a primary. */
  | "not_standby"
  /** It is one of another database, or follows an earlier primary. */
  | "other_database";

/** Why a read that a standby could answer was answered by the primary. */
export type FallbackReason =
  | Exclude<ReplicaState, "used">
  /** The standby has not replayed the reader's writes. */
  | "own_write"
  /** Postgres canceled the read, because its rows had to go. */
  | "conflict"
  /** Any other error, such as of a row that only the primary has. */
  | "failed";

export interface ReplicaReport {
  /** Host and port. */
  host: string;
  state: ReplicaState;
  /** How late it is at most; null: it is not known. */
  lag_seconds: number | null;
}

export interface ReplicasOptions {
  /** The address of the standbys, with one or more hosts. */
  url: string;
  /** The primary's. */
  primary_url: string;
  /** The options of each standby's pool. */
  pool: Omit<ConnectOptions, "url" | "limits">;
  /** The client ends statements that take longer. */
  statement_seconds: number;
  /** Nothing is read from a standby that may be later. */
  max_lag_seconds: number;
}

/** A read that a standby may answer. */
export interface Read {
  /** The position of the reader's writes, which the standby has to have replayed. */
  after: Position;
  /** The reader, who is sent to the same standby each time: another one may be later. */
  reader: string;
  /** For all other cases. */
  primary: Database;
  /** Who waits for the answer: a read of nobody is not repeated. Absent: somebody waits in any case. */
  interest?: Interest | null;
}

const LOOK_MILLISECONDS = 20;

/**
 * The standbys that answer reads. A read goes to the primary if no standby is fresh enough for it, and again if it fails on a standby:
 * nobody sees that one is late, was stopped or canceled a statement.
 */
export class Replicas {
  /** Answers to reads so far. */
  readonly reads = { primary: 0, replica: 0 };
  /** Reads that went to the primary, by reason. */
  readonly fallbacks = new Map<FallbackReason, number>();
  readonly #standbys: Standby[];
  readonly #positions = new PrimaryPositions();
  readonly #watch: Watch;
  /** Nothing is read from a standby that may be later. */
  readonly max_lag_seconds: number;
  /** The primary's database; null: it has not answered yet. */
  #place: string | null = null;

  constructor({ url, primary_url, pool, statement_seconds, max_lag_seconds }: ReplicasOptions) {
    this.max_lag_seconds = max_lag_seconds;
    const limits =
      statement_seconds === 0
        ? null
        : { statement_seconds, long_statement_seconds: statement_seconds, session: {} };
    this.#standbys = urlsOfHosts(url).map((own, index) => {
      const name = `${pool.name} replica ${index + 1}`;
      return new Standby(hostOf(own), { ...pool, url: own, name, limits });
    });
    this.#watch = new Watch(
      { ...pool, url: primary_url },
      {
        onProbe: (at, { position, place }) => {
          this.#place = place;
          this.#positions.add(at, position);
        },
        // Standbys become late by it.
        onFailure: () => {},
      },
    );
  }

  /** Has `observer` see the pools. */
  observe(observer: PoolObserver): void {
    for (const { database } of this.#standbys) observe(database, observer);
  }

  /** The standbys now. */
  report(): ReplicaReport[] {
    return this.#standbys.map((standby) => {
      const lag = this.#lag(standby);
      return {
        host: standby.host,
        state: this.#stateOf(standby),
        lag_seconds: Number.isFinite(lag) ? lag / 1000 : null,
      };
    });
  }

  /** Resolves when a standby answers reads, or at least after this time. */
  async ready(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (performance.now() < deadline && !this.report().some(({ state }) => state === "used")) {
      await delay(LOOK_MILLISECONDS);
    }
  }

  /** Reads on a standby, or on the primary. `work` may run twice, so it must change nothing. */
  async read<Result>(read: Read, work: (database: Database) => Promise<Result>): Promise<Result> {
    const standby = this.#choose(read);
    if (typeof standby === "string") return await this.#fallBack(standby, read, work);
    try {
      const result = await standby.read(work);
      this.reads.replica += 1;
      return result;
    } catch (error) {
      if (isLoss(error)) standby.lose(error);
      if (read.interest?.has_ended === true) throw error;
      return await this.#fallBack(reasonOf(error), read, work);
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#watch.end(), ...this.#standbys.map((standby) => standby.end())]);
  }

  async #fallBack<Result>(
    reason: FallbackReason,
    { primary }: Read,
    work: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    this.fallbacks.set(reason, (this.fallbacks.get(reason) ?? 0) + 1);
    this.reads.primary += 1;
    return await work(primary);
  }

  /** The reader's standby, or the next one that can answer, or why none can. */
  #choose({ after, reader }: Read): Standby | FallbackReason {
    const first = hashOf(reader) % this.#standbys.length;
    let reason: FallbackReason = "unreachable";
    for (const standby of [...this.#standbys.slice(first), ...this.#standbys.slice(0, first)]) {
      const state = this.#stateOf(standby);
      if (state !== "used") reason = state;
      else if (standby.found !== null && standby.found.position >= after) return standby;
      else return "own_write";
    }
    return reason;
  }

  #stateOf({ found }: Standby): ReplicaState {
    if (found === null || this.#place === null) return "unreachable";
    if (!found.is_standby) return "not_standby";
    if (found.place !== this.#place) return "other_database";
    const lag = this.#positions.lag(found.position, performance.now());
    return lag <= this.max_lag_seconds * 1000 ? "used" : "late";
  }

  #lag({ found }: Standby): number {
    if (found === null || !found.is_standby) return Number.POSITIVE_INFINITY;
    if (found.position >= this.#positions.newest) return 0;
    return this.#positions.lag(found.position, performance.now());
  }
}

const READ_ONLY = "25006";

/** Whether the server is gone, as opposed to one statement that it refused. */
function isLoss(error: unknown): boolean {
  return isOutage(error) && !(error instanceof Error && "code" in error && error.code === READ_ONLY);
}

function reasonOf(error: unknown): FallbackReason {
  if (isLoss(error)) return "unreachable";
  const kind = errorClass(error);
  return kind === "conflict" || kind === "time_limit" ? "conflict" : "failed";
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}
