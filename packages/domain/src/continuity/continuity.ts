import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type AcceptedHistory,
  type KnownHistory,
  mayReadIdentifier,
  type Present,
  readPresent,
} from "@findersfee/database/history";
import { connectAlone, type Database, guardHistory } from "@findersfee/database/postgres/connect";
import { hasCode } from "@findersfee/database/postgres/error-code";
import { errorClass, isOutage, isTimeLimit } from "@findersfee/database/postgres/errors";
import { isRead } from "@findersfee/database/postgres/guard";
import { HistoryError } from "@findersfee/database/postgres/history-error";
import { isEnd } from "@findersfee/database/postgres/interest";
import type { KnownEvent } from "@findersfee/database/postgres/written";
import { findStepBack, isAccepted, withoutOld } from "./compare.ts";
import type { Delivered } from "./journal.ts";
import { Keeper } from "./keeper.ts";

/** A step back of the database's history. */
export interface StepBack {
  /** As a sentence. */
  reason: string;
  noticed_at: Date;
}

export interface ContinuityLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface ContinuityOptions {
  log: ContinuityLog;
  /** Where the memory and the journal are kept; null: in the process only, and no journal. */
  folder: string | null;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** Between two checks. */
  seconds?: number;
}

const CHECK_SECONDS = 2;
/** While it is not known whether the history is the same. */
const RETRY_SECONDS = 0.25;
/** For the answer of a check; one takes a millisecond. */
const ANSWER_SECONDS = 3;
/** The time that statements wait for a check. Then they fail at once until the database answers. */
const HOLD_SECONDS = 3;
/** Committed events that a process remembers. */
const REMEMBERED = 256;
/** Organizations with new events that one check looks at. */
const ORGANIZATIONS = 64;

/** Whether writes may go to the database. */
type State = "unknown" | "same" | "stepped_back";

/**
 * Compares the history of the database with this process's memory of it: at the start, after each loss of a
 * connection, and every two seconds. Until it is known to be the same history, statements wait, or fail once
 * it is not.
 */
export class Continuity {
  readonly #database: Database;
  readonly #log: ContinuityLog;
  readonly #keeper: Keeper;
  readonly #milliseconds: number;
  readonly #listeners = new Set<() => void>();
  #reads_identifier: boolean | null = null;
  #state: State = "unknown";
  #step_back: StepBack | null = null;
  #memory: KnownHistory | null = null;
  /** Committed events by id, oldest first. */
  readonly #known = new Map<string, KnownEvent>();
  /** When the process began to know this history, by its own clock. */
  #began_at = new Date();
  /** Of organizations with new events; null: the process has just started. */
  #organizations: Set<string> | null = null;
  /** Changes when a connection is lost: a check that began before says nothing about the next one. */
  #connections = 0;
  #checking: Promise<void> | null = null;
  /** The same with a bound of time: statements wait for it. */
  #settling: Promise<void> | null = null;
  /** Why the last check said nothing; null: it did. */
  #failure: Error | null = null;
  #timer: NodeJS.Timeout | null = null;
  #is_closed = false;

  constructor(database: Database, { log, folder, name, seconds = CHECK_SECONDS }: ContinuityOptions) {
    const limits = { statement_seconds: ANSWER_SECONDS, long_statement_seconds: ANSWER_SECONDS, session: {} };
    this.#database = connectAlone(database, { name, limits });
    this.#log = log;
    this.#keeper = new Keeper(folder, log);
    this.#milliseconds = seconds * 1000;
  }

  /** Reads the memory of earlier processes and checks for the first time. Throws if the folder or the database is unavailable. */
  async start(): Promise<void> {
    const kept = await this.#keeper.open();
    if (kept !== null) {
      const { events, ...memory } = kept;
      this.#memory = memory;
      this.#addKnown(events);
    }
    await this.#check();
    this.#schedule();
  }

  /** Has a pool's statements wait for the check. `reads`: reads of it never wait. */
  guard(database: Database, { reads }: { reads: boolean }): void {
    watched.set(database.options, this);
    guardHistory(database, {
      hold: (query) => {
        if (this.#state === "same" || isEnd(query) || (reads && isRead(query))) return null;
        return this.#settled();
      },
      closed: () => this.#lost(),
      committed: (events) => this.#noteCommitted(events),
    });
  }

  /** Null: the history is the known one, or not known yet. */
  get stepBack(): StepBack | null {
    return this.#step_back;
  }

  /** Failures to write the memory or the journal, since the start. */
  get failedWrites(): number {
    return this.#keeper.failedWrites;
  }

  /** Calls `listener` whenever `stepBack` becomes or ceases to be null, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Organizations have events that were committed. */
  noteEvents(organization_ids: readonly string[]): void {
    if (this.#organizations === null || this.#step_back !== null) return;
    for (const id of organization_ids) {
      if (this.#organizations.size < ORGANIZATIONS) this.#organizations.add(id);
    }
  }

  /** Receivers have confirmed events. */
  noteDelivered(deliveries: readonly (Delivered & { attempted_at: Date })[]): void {
    this.#keeper.append(deliveries);
    // Attempts may take longer than it takes somebody to accept that their events are gone.
    this.#noteCommitted(deliveries.filter(({ attempted_at }) => attempted_at >= this.#began_at));
  }

  #noteCommitted(events: readonly KnownEvent[]): void {
    if (this.#step_back === null) this.#addKnown(events);
  }

  #addKnown(events: readonly KnownEvent[]): void {
    for (const { organization_id, event_id } of events) {
      this.#known.delete(event_id);
      this.#known.set(event_id, { organization_id, event_id });
      if (this.#known.size <= REMEMBERED) continue;
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
  }

  /** Ends the checks, after everything that uses the guarded pools. */
  async close(): Promise<void> {
    this.#is_closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    // biome-ignore lint/plugin/swallowed-failure: the caller that asked for the check reports it
    await this.#checking?.catch(() => {});
    await this.#keeper.close();
    await this.#database.end({ timeout: 1 });
  }

  /** A connection was lost: the database may come back with another history. */
  #lost(): void {
    this.#connections += 1;
    this.#failure = null;
    if (this.#is_closed || this.#state !== "same") return;
    this.#state = "unknown";
    this.#schedule(0);
  }

  /**
   * Resolves when the history is known to be the same. Rejects when it is not, when the last check failed, or when the present one has
   * no answer in time.
   */
  async #settled(): Promise<void> {
    // A caller that tries again at once must not starve the process.
    if (this.#refusal !== null) await nextTurn();
    while (this.#state !== "same") {
      const refusal = this.#refusal;
      if (refusal !== null) throw refusal;
      this.#settling ??= this.#checkInTime().finally(() => {
        this.#settling = null;
      });
      await this.#settling;
    }
  }

  /** Why statements fail at once; null: they wait for the check. */
  get #refusal(): Error | null {
    if (this.#step_back !== null) return new HistoryError(this.#step_back.reason);
    return this.#is_closed ? new HistoryError("The process is stopping.") : this.#failure;
  }

  async #checkInTime(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#failure = new HistoryError("The database does not answer.");
        reject(this.#failure);
      }, HOLD_SECONDS * 1000).unref();
    });
    await Promise.race([this.#check(), late]).finally(() => clearTimeout(timer));
  }

  #schedule(milliseconds?: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#is_closed) return;
    const wait = milliseconds ?? (this.#state === "same" ? this.#milliseconds : RETRY_SECONDS * 1000);
    this.#timer = setTimeout(() => {
      this.#check().then(
        () => this.#schedule(),
        (error: unknown) => {
          this.#failed(error);
          this.#schedule();
        },
      );
    }, wait).unref();
  }

  /** The server is gone, perhaps behind a pooler that keeps the connections. Too many connections, or a slow answer, say nothing. */
  #failed(error: unknown): void {
    if (!isOutage(error) && !isTimeLimit(error)) {
      this.#log.error({ err: error }, "failed to check the history of the database");
    }
    if (errorClass(error) !== "outage" || hasCode(error, "QUERY_TIMEOUT")) return;
    if (this.#state === "same") this.#state = "unknown";
  }

  #check(): Promise<void> {
    this.#checking ??= this.#checkOnce()
      .catch((error: unknown) => {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        throw error;
      })
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  async #checkOnce(): Promise<void> {
    const connections = this.#connections;
    const organizations = this.#organizations;
    if (organizations !== null) this.#organizations = new Set();
    const memory = this.#memory;
    const known = withoutOld([...this.#known.values()], new Date());
    const present = await this.#read(organizations, known);
    if (this.#is_closed) return;
    const is_accepted = memory !== null && isAccepted(memory, present);
    const reason = memory === null || is_accepted ? null : findStepBack(memory, present);
    if (reason !== null) {
      this.#stepBack(reason);
      return;
    }
    if (present.timeline === null) {
      this.#onStandby();
      return;
    }
    if (is_accepted && present.accepted !== null) this.#accept(present.accepted);
    const accepted_id = present.accepted?.id ?? null;
    if (memory === null || accepted_id !== memory.accepted_id) this.#keeper.begin(accepted_id);
    if (organizations === null || this.#step_back !== null) this.#keeper.deleteAlarm();
    this.#remember(present, present.timeline, is_accepted || memory === null);
    this.#same(connections);
  }

  async #read(organizations: ReadonlySet<string> | null, events: readonly KnownEvent[]): Promise<Present> {
    try {
      this.#reads_identifier ??= await mayReadIdentifier(this.#database);
      return await readPresent(this.#database, {
        organizations: organizations === null ? null : [...organizations],
        events,
        reads_identifier: this.#reads_identifier,
      });
    } catch (error) {
      // For the next check.
      if (organizations !== null) this.noteEvents([...organizations]);
      throw error;
    }
  }

  #stepBack(reason: string): void {
    this.#state = "stepped_back";
    const is_new = this.#step_back === null;
    this.#step_back = { reason, noticed_at: this.#step_back?.noticed_at ?? new Date() };
    if (!is_new) return;
    if (this.#memory !== null)
      this.#keeper.storeAlarm({ ...this.#memory, events: [...this.#known.values()] });
    this.#log.error(
      { reason },
      "the database went back to an older state; writes and deliveries stop. Run `findersfee verify continuity`",
    );
    this.#changed();
  }

  /** Which may become the primary. Its reads say nothing about the history. */
  #onStandby(): void {
    if (this.#state === "same") this.#state = "unknown";
    this.#failure = new HistoryError("The database is a standby.");
  }

  #accept({ id, accepted_at, accepted_by }: AcceptedHistory): void {
    this.#began_at = new Date();
    this.#log.info({ accepted_id: id, accepted_at, accepted_by }, "the history of the database was accepted");
  }

  #same(connections: number): void {
    const was_stepped_back = this.#step_back !== null;
    this.#step_back = null;
    this.#failure = null;
    if (connections === this.#connections) this.#state = "same";
    else this.#state = "unknown";
    if (!was_stepped_back) return;
    this.#log.info({}, "the history of the database is right; writes and deliveries go on");
    this.#changed();
  }

  #remember(present: Present, timeline: number, is_first: boolean): void {
    if (is_first) this.#known.clear();
    this.#addKnown(present.newest);
    const former = is_first ? null : this.#memory;
    const positions = present.newest.map(({ position }) => position);
    this.#organizations ??= new Set();
    this.#memory = {
      system_identifier: present.system_identifier,
      timeline,
      position: [former?.position ?? 0n, ...positions].reduce((most, each) => (each > most ? each : most)),
      accepted_id: present.accepted?.id ?? null,
      seen_at: present.read_at,
    };
    this.#keeper.store(this.#memory, [...this.#known.values()]);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const watched = new WeakMap<object, Continuity>();

/** The check that guards a pool; null: none does. */
export function continuityOf(database: Database): Continuity | null {
  return watched.get(database.options) ?? null;
}
