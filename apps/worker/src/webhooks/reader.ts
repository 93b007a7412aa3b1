import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/connect";
import {
  cancelPending,
  type DueAnswer,
  type DueQuestion,
  type PendingEndpoint,
  readDue,
} from "@findersfee/database/pending-deliveries";
import { FAILING, probeSeconds } from "@findersfee/domain/webhooks/probes";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { Logger } from "pino";
import { readEndpoints } from "./endpoint.ts";
import { Finder } from "./finder.ts";
import type { Lane } from "./lane.ts";
import type { Lanes } from "./lanes.ts";
import type { Share } from "./share.ts";

/** Endpoints and deliveries of one read, at most. */
const ENDPOINTS = 200;
const DELIVERIES = 400;
const CANCELED = 500;
/** Failing endpoints that are probed together, so that their reads and connections hold up nobody. */
const PROBES = 20;
/** How often lanes are looked at that become due later. */
const TICK_MILLISECONDS = 50;
const TIDY_MILLISECONDS = 250;
const ERROR_MILLISECONDS = 500;
/** Organizations with so many endpoints or fewer have all of them read when they are woken. */
const FEW = 32;
/** Longer than two scans of all owned shards are apart. */
const SOON_MILLISECONDS = 25_000;

export interface ReaderParts {
  database: Database;
  log: Logger;
  lanes: Lanes;
  secrets_key: SecretsKey;
  /** The token of each shard that this process owns. */
  tokens: ReadonlyMap<number, bigint>;
  /** Another process has taken a shard. */
  onFenced: (shard: number) => void;
}

/**
 * Reads due deliveries into the lanes, as many as each has room for. The database does not record reads, so a reader
 * that fails or dies leaves nothing behind.
 */
export class Reader {
  readonly #parts: ReaderParts;
  /** Organizations with lanes that have something to read; the one that has waited longest first. */
  readonly #due = new Set<Share<Lane>>();
  /** Searches beside the reads of endpoints that are known. */
  readonly #finder: Finder;
  #tick_at = 0;
  #tidy_at = 0;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #resume: (() => void) | null = null;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    const { database, log, tokens } = parts;
    const onFound = this.#announce.bind(this);
    this.#finder = new Finder({ database, log, tokens, onFound });
    parts.lanes.onRoom = (lane) => {
      if (lane.has_more) this.#enter(lane);
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#resume?.();
    await this.#running;
    await this.#finder.ended();
  }

  /**
   * Organizations have new deliveries. The endpoints that are known are read at once, if they are few; for those that
   * are not known yet, the database is asked.
   */
  wake(organization_ids: Iterable<string>): void {
    for (const id of organization_ids) {
      const lanes = this.#parts.lanes.lanesOf(id);
      const has_unknown = lanes.size === 0 || lanes.size > FEW;
      this.#finder.wake(id, { has_unknown });
      if (!has_unknown) for (const lane of lanes) this.#mayHaveMore(lane);
    }
    this.#resume?.();
  }

  #mayHaveMore(lane: Lane): void {
    lane.has_more = true;
    if (lane.is_reading) lane.is_announced = true;
    else if (lane.readableAt() <= performance.now()) this.#enter(lane);
  }

  /** Has all owned shards looked through at once. */
  scan(): void {
    this.#finder.scan();
    this.#resume?.();
  }

  /** A delivery of a lane becomes due after so many milliseconds. */
  dueIn(lane: Lane, milliseconds: number): void {
    lane.noteDueAt(performance.now() + milliseconds);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#turn();
        await this.#pause();
      } catch (error) {
        this.#parts.log.error({ err: error }, "due deliveries could not be read");
        await delay(ERROR_MILLISECONDS);
      }
    }
  }

  async #turn(): Promise<void> {
    if (this.#parts.tokens.size === 0) return;
    this.#finder.search();
    this.#tick(performance.now());
    const questions = this.#questions(performance.now());
    if (questions.size > 0) await this.#read(questions);
  }

  async #pause(): Promise<void> {
    const now = performance.now();
    if (this.#hasReadable(now)) return;
    const owns = this.#parts.tokens.size > 0;
    const rest = owns ? this.#finder.dueAt() - now : TICK_MILLISECONDS;
    const milliseconds = Math.max(0, Math.min(TICK_MILLISECONDS, rest));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#resume = null;
  }

  #announce(endpoints: readonly PendingEndpoint[], asked_at: number): void {
    const now = performance.now();
    for (const endpoint of endpoints) {
      if (!this.#parts.tokens.has(endpoint.shard) || !isSoon(endpoint)) continue;
      const lane = this.#parts.lanes.of(endpoint);
      lane.setHealth(endpoint, { asked_at, now });
      if (lane.is_reading) lane.is_announced = true;
      if (endpoint.due_in > 0) this.dueIn(lane, endpoint.due_in);
      else lane.has_more = true;
      // A read finds out when there is none any more.
      lane.has_manual ||= endpoint.has_manual;
      // Probes come with the ticks, a few at a time.
      if (!lane.is_failing && lane.readableAt() <= now) this.#enter(lane);
    }
  }

  #enter(lane: Lane): void {
    if (lane.is_closed || lane.is_reading) return;
    lane.share.due.add(lane);
    this.#due.add(lane.share);
    this.#resume?.();
  }

  /** Lanes that have become due since the last tick. */
  #tick(now: number): void {
    if (now < this.#tick_at) return;
    this.#tick_at = now + TICK_MILLISECONDS;
    if (now >= this.#tidy_at) {
      this.#tidy_at = now + TIDY_MILLISECONDS;
      this.#parts.lanes.tidy(now);
    }
    let probes = 0;
    for (const lane of this.#parts.lanes.values()) {
      if (lane.readableAt() > now || lane.share.due.has(lane) || lane.wanted(now) === 0) continue;
      if (lane.is_failing && ++probes > PROBES) continue;
      this.#enter(lane);
    }
  }

  #hasReadable(now: number): boolean {
    const { lanes } = this.#parts;
    for (const share of this.#due) {
      if (!lanes.hasRoom(share)) continue;
      for (const lane of share.due) if (lanes.roomOf(lane, now) > 0) return true;
    }
    return false;
  }

  /** One lane of each organization in turn, until the read is full. */
  #questions(now: number): Map<Lane, DueQuestion> {
    const { lanes, tokens } = this.#parts;
    const questions = new Map<Lane, DueQuestion>();
    let deliveries = 0;
    const waiting = new Set(this.#due);
    while (waiting.size > 0 && questions.size < ENDPOINTS && deliveries < DELIVERIES) {
      for (const share of waiting) {
        const lane = this.#nextOf(share, { now, questions });
        if (lane === null) {
          waiting.delete(share);
          continue;
        }
        const token = tokens.get(lane.shard);
        if (token === undefined) continue;
        const limit = Math.min(lanes.roomOf(lane, now), DELIVERIES - deliveries);
        const { shard, organization_id, endpoint_id } = lane;
        questions.set(lane, { shard, token, organization_id, endpoint_id, limit, known: [...lane.known] });
        deliveries += limit;
        if (questions.size >= ENDPOINTS || deliveries >= DELIVERIES) break;
      }
    }
    for (const { share } of questions.keys()) {
      // Behind those that were not asked.
      this.#due.delete(share);
      if (share.due.size > 0) this.#due.add(share);
    }
    return questions;
  }

  /** Takes the next lane of an organization that has room. */
  #nextOf(
    share: Share<Lane>,
    { now, questions }: { now: number; questions: Map<Lane, DueQuestion> },
  ): Lane | null {
    if (!this.#parts.lanes.hasRoom(share)) return null;
    for (const lane of share.due) {
      if (questions.has(lane) || this.#parts.lanes.roomOf(lane, now) === 0) continue;
      share.due.delete(lane);
      return lane;
    }
    if (share.due.size === 0) this.#due.delete(share);
    return null;
  }

  async #read(questions: Map<Lane, DueQuestion>): Promise<void> {
    const { database, lanes } = this.#parts;
    for (const lane of questions.keys()) lane.beginRead();
    try {
      const answers = await readDue(database, [...questions.values()]);
      await this.#refreshEndpoints(questions, answers);
      for (const [lane, question] of questions)
        await this.#take(lane, question, answers.get(lane.endpoint_id));
    } catch (error) {
      for (const lane of questions.keys()) lane.has_more = true;
      throw error;
    } finally {
      lanes.readEnded(questions.keys());
    }
    const now = performance.now();
    for (const lane of questions.keys()) if (lane.readableAt() <= now) this.#enter(lane);
  }

  /** Reads the endpoints that have changed since they were read. */
  async #refreshEndpoints(
    questions: Map<Lane, DueQuestion>,
    answers: ReadonlyMap<string, DueAnswer>,
  ): Promise<void> {
    const changed: Lane[] = [];
    for (const lane of questions.keys()) {
      const version = answers.get(lane.endpoint_id)?.endpoint_version;
      if (version === null) lane.endpoint = null;
      else if (version !== undefined && version !== lane.endpoint?.version) changed.push(lane);
    }
    if (changed.length > 0) await readEndpoints(this.#parts, changed);
  }

  async #take(lane: Lane, { shard, limit }: DueQuestion, answer: DueAnswer | undefined): Promise<void> {
    const { lanes, onFenced } = this.#parts;
    if (answer === undefined) {
      onFenced(shard);
      return;
    }
    const now = performance.now();
    const is_full = answer.deliveries.length >= limit;
    lane.has_more = is_full || lane.is_announced;
    // As long as the answer had some, there may be more.
    lane.has_manual =
      answer.deliveries.some(({ manual }) => manual) || (lane.has_manual && lane.is_announced);
    lane.setNextDueAt(answer.next_due_in === null ? Number.POSITIVE_INFINITY : now + answer.next_due_in);
    if (lane.is_closed || (answer.deliveries.length === 0 && lane.known.size === 0)) return;
    if (lane.endpoint?.enabled !== true) {
      await this.#cancel(lane);
      return;
    }
    for (const delivery of answer.deliveries) {
      if (lane.mayTake(delivery, now)) lanes.add(lane, delivery);
      else lane.has_more = true;
    }
  }

  /** An error must not delay other endpoints; the next scan finds the deliveries that were not canceled. */
  async #cancel(lane: Lane): Promise<void> {
    const { database, log } = this.#parts;
    const { organization_id, endpoint_id } = lane;
    try {
      lane.has_more = (await cancelPending(database, lane, { limit: CANCELED, waits: false })) === CANCELED;
    } catch (error) {
      lane.has_more = false;
      log.error({ err: error, organization_id, endpoint_id }, "deliveries could not be canceled");
    }
  }
}

/** Whether something can be sent to an endpoint before the next scan; of the others, no lane is kept. */
function isSoon({ due_in, failures, failed_ago, has_manual }: PendingEndpoint): boolean {
  const probe_in = failures < FAILING || has_manual ? 0 : probeSeconds(failures) * 1000 - (failed_ago ?? 0);
  return Math.max(due_in, probe_in) < SOON_MILLISECONDS;
}
