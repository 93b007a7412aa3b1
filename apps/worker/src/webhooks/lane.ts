import type { DueDelivery, PendingEndpoint } from "@findersfee/database/pending-deliveries";
import { FAILING, probeSeconds } from "@findersfee/domain/webhooks/probes";
import type { Endpoint } from "./endpoint.ts";
import type { Verdict } from "./outcome.ts";
import { Rate } from "./rate.ts";
import type { Share } from "./share.ts";

/** Attempts at once to one endpoint: at first, and at most when it answers well. */
const FIRST_LIMIT = 2;
const MOST_LIMIT = 32;
/** An endpoint that has answered nothing for so long gets no further attempts beside those it has. */
const STALLED_MILLISECONDS = 1_000;
/** Deliveries that are read ahead for an endpoint: about a second's worth. */
const LEAST_AHEAD = 32;
const MOST_AHEAD = 256;

/** While the proxy fails, the longest pause of an endpoint: deliveries continue so soon after it works again. */
const LONGEST_PROXY_PAUSE_SECONDS = 30;

/** One endpoint's queue and pace in one worker. No other worker sends to the endpoint: this one owns its shard. */
export class Lane {
  readonly shard: number;
  readonly organization_id: string;
  readonly endpoint_id: string;
  readonly share: Share<Lane>;
  /** As of the last read. */
  endpoint: Endpoint | null = null;
  readonly queue: DueDelivery[] = [];
  /** Events that are queued, under way, or not yet recorded: reads that begin now leave them out. */
  readonly known = new Set<string>();
  is_reading = false;
  /** Something was announced while a read was under way. */
  is_announced = false;
  /** The database may have more that is due. */
  has_more = false;
  /** Of these, one that somebody asked for by hand: it does not wait for the next probe. */
  has_manual = false;
  /** When the first delivery that is not due yet becomes due, as far as known; on the monotonic clock. */
  next_due_at = Number.POSITIVE_INFINITY;
  in_flight = 0;
  /** Failed attempts in a row. */
  failures = 0;
  /** Whether it stands among those that may send. */
  is_ready = false;
  /** Whether a timer lets it enter as soon as its own rate allows. */
  is_throttled = false;
  /** Whether its shard was given up: nothing more is begun. */
  is_closed = false;
  last_used_at = 0;
  /** When a result was recorded last. */
  recorded_at = Number.NEGATIVE_INFINITY;
  /** The first due time that became known since the last read began. */
  #noted_due_at = Number.POSITIVE_INFINITY;
  #limit = FIRST_LIMIT;
  #last_answer_at = 0;
  #probe_at = 0;
  /** Attempts in a row that failed at the proxy. They pause the endpoint, and say nothing about it. */
  #unsent = 0;
  /** When the endpoint's own rate allows the next attempt. */
  #free_at = 0;
  readonly #answers = new Rate();

  constructor(share: Share<Lane>, { shard, endpoint_id }: { shard: number; endpoint_id: string }) {
    this.shard = shard;
    this.organization_id = share.organization_id;
    this.endpoint_id = endpoint_id;
    this.share = share;
  }

  /** Whether it is only probed. */
  get is_failing(): boolean {
    return this.failures + this.#unsent >= FAILING;
  }

  get is_idle(): boolean {
    return this.in_flight === 0 && this.known.size === 0 && !this.is_reading;
  }

  /** The health that the database knows, unless its answer may be older than the last result. */
  setHealth(
    { failures, failed_ago }: Pick<PendingEndpoint, "failures" | "failed_ago">,
    { asked_at, now }: { asked_at: number; now: number },
  ): void {
    if (this.in_flight > 0 || this.known.size > 0 || this.recorded_at >= asked_at) return;
    this.failures = failures;
    // Another worker may have seen further failures, and not have been able to record them.
    if (failures > 0 && this.#last_answer_at === 0) this.#limit = 1;
    if (this.#unsent > 0) return;
    this.#probe_at = this.is_failing ? now - (failed_ago ?? 0) + probeSeconds(failures) * 1000 : 0;
  }

  /** Begins a read: its answer may lack what becomes known from here on. */
  beginRead(): void {
    this.is_reading = true;
    this.is_announced = false;
    this.#noted_due_at = Number.POSITIVE_INFINITY;
  }

  /** A delivery becomes due at this moment of the monotonic clock. */
  noteDueAt(due_at: number): void {
    this.next_due_at = Math.min(this.next_due_at, due_at);
    this.#noted_due_at = Math.min(this.#noted_due_at, due_at);
  }

  /** According to a read, the first delivery that was not due yet is due then. */
  setNextDueAt(due_at: number): void {
    this.next_due_at = Math.min(due_at, this.#noted_due_at);
  }

  /** When something can be read for it, as far as known. */
  readableAt(): number {
    const due_at = this.has_more ? 0 : this.next_due_at;
    return this.is_failing && !this.has_manual ? Math.max(due_at, this.#probe_at) : due_at;
  }

  /** Whether a delivery that was read may be sent: to a failing endpoint, as a probe or by hand. */
  mayTake({ manual }: DueDelivery, now: number): boolean {
    return manual || !this.is_failing || now >= this.#probe_at;
  }

  /** How many deliveries to read for it now. */
  wanted(now: number): number {
    if (this.is_closed || this.is_reading || this.hasStalled(now)) return 0;
    if (this.is_failing) return this.is_idle ? 1 : 0;
    // What follows a failure must not be read before it is recorded.
    if (this.endpoint?.ordered === true && this.known.size > 0) return 0;
    const ahead = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, this.#answers.most(now)));
    return this.queue.length > ahead / 2 ? 0 : ahead - this.queue.length;
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_answer_at > STALLED_MILLISECONDS;
  }

  maySend(now: number): boolean {
    if (this.queue.length === 0 || this.is_closed || now < this.#free_at) return false;
    const is_single = this.is_failing || this.endpoint?.ordered === true;
    return this.in_flight < (is_single ? 1 : this.#limit) && !this.hasStalled(now);
  }

  /** When its own rate allows another attempt; 0: now. */
  freeAt(now: number): number {
    return now < this.#free_at ? this.#free_at : 0;
  }

  started(now: number): void {
    if (this.in_flight === 0) this.#last_answer_at = now;
    this.in_flight += 1;
    this.last_used_at = now;
    const rate = this.endpoint?.requests_per_second ?? null;
    if (rate !== null) this.#free_at = Math.max(this.#free_at, now) + 1000 / rate;
  }

  answered(verdict: Verdict, now: number): void {
    this.in_flight -= 1;
    this.#last_answer_at = now;
    if (verdict === "succeeded") this.failures = 0;
    else if (verdict === "failed") this.failures += 1;
    this.#unsent = verdict === "unsent" ? this.#unsent + 1 : 0;
    if (this.is_failing) this.#probe_at = now + this.#pauseSeconds() * 1000;
    this.#limit =
      verdict === "succeeded" ? Math.min(MOST_LIMIT, this.#limit * 2) : Math.max(1, this.#limit >> 1);
    this.#answers.count(now);
  }

  #pauseSeconds(): number {
    const own = this.failures < FAILING ? 0 : probeSeconds(this.failures);
    if (this.#unsent === 0) return own;
    return Math.max(own, Math.min(LONGEST_PROXY_PAUSE_SECONDS, probeSeconds(this.failures + this.#unsent)));
  }
}
