import type { DueDelivery, PendingEndpoint } from "@findersfee/database/pending-deliveries";
import { FRESH_MILLISECONDS, Fresh } from "./fresh.ts";
import { Lane } from "./lane.ts";
import type { Verdict } from "./outcome.ts";
import { type Places, Share } from "./share.ts";

/** Bounds of one worker process. `in_flight_of_organization` is of those in flight. */
export interface Bounds extends Places {
  /** Attempts at once. */
  in_flight: number;
  /** Of these, begun a moment ago. */
  fresh: number;
  /** Deliveries that were read and not begun. */
  queued: number;
}

export const BOUNDS: Bounds = {
  in_flight: 2_048,
  fresh: 64,
  in_flight_of_organization: 512,
  slow_milliseconds: 100,
  queued: 1_600,
};

const NONE: ReadonlySet<Lane> = new Set();
/** An organization with this many queued deliveries is read only when there is room for as many more. */
const LEAST_READ = 64;
const FORGET_MILLISECONDS = 60_000;

/** Sends deliveries: organizations take turns, and so do the endpoints of each. */
export class Lanes {
  /** Called when a lane may want to read more. */
  onRoom: (lane: Lane) => void = () => {};
  readonly #send: (lane: Lane, delivery: DueDelivery) => Promise<Verdict>;
  readonly #bounds: Bounds;
  readonly #lanes = new Map<string, Lane>();
  readonly #shares = new Map<string, Share<Lane>>();
  /** Organizations with ready lanes and free places. */
  readonly #turns: Share<Lane>[] = [];
  readonly #fresh = new Fresh();
  #timer: NodeJS.Timeout | null = null;
  #in_flight = 0;
  #queued = 0;
  readonly #releases = new Map<number, () => void>();

  /** `send` makes the attempt; it never rejects. */
  constructor(send: (lane: Lane, delivery: DueDelivery) => Promise<Verdict>, bounds: Bounds = BOUNDS) {
    this.#send = send;
    this.#bounds = bounds;
  }

  get in_flight(): number {
    return this.#in_flight;
  }

  get size(): number {
    return this.#lanes.size;
  }

  /** All lanes; closing some of them during the iteration is safe. */
  values(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  /** The lanes of an organization that are open. */
  lanesOf(organization_id: string): ReadonlySet<Lane> {
    return this.#shares.get(organization_id)?.lanes ?? NONE;
  }

  /** The lane of an endpoint, which is opened if there is none. */
  of({
    shard,
    organization_id,
    endpoint_id,
  }: Pick<PendingEndpoint, "shard" | "organization_id" | "endpoint_id">): Lane {
    let lane = this.#lanes.get(endpoint_id);
    if (lane === undefined) {
      const share = this.#shares.get(organization_id) ?? new Share<Lane>(organization_id);
      lane = new Lane(share, { shard, endpoint_id });
      share.lanes.add(lane);
      this.#shares.set(organization_id, share);
      this.#lanes.set(endpoint_id, lane);
    }
    lane.last_used_at = performance.now();
    return lane;
  }

  /** Whether a read for an organization is worth its while: many small ones cost more than a few large ones. */
  hasRoom(share: Share<Lane>): boolean {
    return share.queued < LEAST_READ || this.#roomOf(share) >= LEAST_READ;
  }

  /** How many deliveries may be read for a lane now: an organization may take half of the room that is left. */
  roomOf(lane: Lane, now: number): number {
    const left = this.#bounds.queued - this.#queued;
    const is_scarce = left < this.#bounds.queued / 2;
    if (is_scarce && lane.share.hasStalled(now)) return 0;
    return Math.min(lane.wanted(now), this.#roomOf(lane.share));
  }

  #roomOf({ queued }: Share<Lane>): number {
    return Math.max(0, (this.#bounds.queued - this.#queued - queued) >> 1);
  }

  add(lane: Lane, delivery: DueDelivery): void {
    lane.known.add(delivery.event_id);
    lane.queue.push(delivery);
    lane.share.queued += 1;
    this.#queued += 1;
    this.#enter(lane);
    this.#pump();
  }

  /** Drops everything that was read for a lane and not begun: it stays in the database, to be read again. */
  drop(lane: Lane): void {
    if (lane.queue.length === 0) return;
    lane.has_more = true;
    // A read that is under way leaves it out.
    if (lane.is_reading) lane.is_announced = true;
    for (const { event_id, manual } of lane.queue) {
      lane.known.delete(event_id);
      if (manual) lane.has_manual = true;
    }
    lane.share.queued -= lane.queue.length;
    this.#queued -= lane.queue.length;
    lane.queue.length = 0;
  }

  /** Notes that a result was recorded. */
  recorded(lane: Lane, event_id: string): void {
    lane.known.delete(event_id);
    lane.recorded_at = performance.now();
    this.#checkRelease(lane.shard);
  }

  /** Drops what endpoints that have stopped answering do not get now, and forgets those long unused. */
  tidy(now: number): void {
    for (const lane of this.#lanes.values()) {
      if (lane.hasStalled(now)) this.drop(lane);
      const is_unused = now - lane.last_used_at > FORGET_MILLISECONDS;
      if (is_unused && lane.is_idle && lane.readableAt() - now > FORGET_MILLISECONDS) this.#close(lane);
    }
  }

  /** Begins nothing more for a shard, and resolves when all its attempts are recorded. */
  async release(shard: number): Promise<void> {
    for (const lane of this.#lanes.values()) {
      if (lane.shard !== shard) continue;
      lane.is_closed = true;
      this.drop(lane);
    }
    await new Promise<void>((resolve) => {
      this.#releases.set(shard, resolve);
      this.#checkRelease(shard);
    });
  }

  /** A read of lanes has ended. */
  readEnded(lanes: Iterable<Lane>): void {
    const shards = new Set<number>();
    for (const lane of lanes) {
      lane.is_reading = false;
      shards.add(lane.shard);
    }
    for (const shard of shards) this.#checkRelease(shard);
  }

  #checkRelease(shard: number): void {
    const resolve = this.#releases.get(shard);
    if (resolve === undefined) return;
    const lanes = [...this.#lanes.values()].filter((lane) => lane.shard === shard);
    if (lanes.some((lane) => !lane.is_idle)) return;
    for (const lane of lanes) this.#close(lane);
    this.#releases.delete(shard);
    resolve();
  }

  #close(lane: Lane): void {
    const { share, endpoint_id } = lane;
    lane.is_closed = true;
    share.due.delete(lane);
    this.#lanes.delete(endpoint_id);
    share.lanes.delete(lane);
    if (share.lanes.size === 0) this.#shares.delete(share.organization_id);
  }

  #enter(lane: Lane): void {
    const now = performance.now();
    if (lane.is_ready || !lane.maySend(now)) {
      this.#enterLater(lane, now);
      return;
    }
    lane.is_ready = true;
    lane.share.ready.push(lane);
    this.#takeTurns(lane.share);
  }

  /** A lane that only its own rate holds back enters when that allows it. */
  #enterLater(lane: Lane, now: number): void {
    const free_at = lane.freeAt(now);
    if (free_at === 0 || lane.queue.length === 0 || lane.is_throttled) return;
    lane.is_throttled = true;
    setTimeout(() => {
      lane.is_throttled = false;
      this.#enter(lane);
      this.#pump();
    }, free_at - now);
  }

  #takeTurns(share: Share<Lane>): void {
    if (share.is_in_turn || share.ready.length === 0) return;
    if (share.in_flight >= this.#bounds.in_flight_of_organization || share.is_paced) return;
    const wait = share.begin_at - performance.now();
    if (wait >= 1) {
      this.#takeTurnsLater(share, wait);
      return;
    }
    share.is_in_turn = true;
    this.#turns.push(share);
  }

  #takeTurnsLater(share: Share<Lane>, milliseconds: number): void {
    share.is_paced = true;
    setTimeout(() => {
      share.is_paced = false;
      this.#takeTurns(share);
      this.#pump();
    }, milliseconds);
  }

  #pump(): void {
    while (this.#mayBegin()) {
      const share = this.#turns.shift();
      if (share === undefined) return;
      share.is_in_turn = false;
      const lane = share.ready.shift();
      if (lane === undefined) continue;
      lane.is_ready = false;
      if (lane.maySend(performance.now())) this.#begin(lane);
      this.#takeTurns(share);
    }
  }

  #mayBegin(): boolean {
    if (this.#turns.length === 0 || this.#in_flight >= this.#bounds.in_flight) return false;
    if (this.#fresh.count(performance.now()) < this.#bounds.fresh) return true;
    // If none of them is answered soon, more begin anyway.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, FRESH_MILLISECONDS);
    return false;
  }

  #begin(lane: Lane): void {
    const delivery = lane.queue.shift();
    if (delivery === undefined) return;
    lane.share.queued -= 1;
    this.#queued -= 1;
    this.#in_flight += 1;
    const now = performance.now();
    const period = this.#fresh.begin(now);
    lane.started(now);
    lane.share.started(now, this.#bounds);
    void this.#send(lane, delivery).then((verdict) => {
      this.#fresh.end(period);
      this.#end(lane, verdict, performance.now() - now);
    });
    this.#enter(lane);
  }

  #end(lane: Lane, verdict: Verdict, milliseconds: number): void {
    const now = performance.now();
    lane.answered(verdict, now);
    lane.share.answered(now, milliseconds);
    this.#in_flight -= 1;
    // Later deliveries wait for the failed one (strict order), or for the next probe.
    if (verdict !== "succeeded" && (lane.is_failing || lane.endpoint?.ordered === true)) this.drop(lane);
    this.#takeTurns(lane.share);
    this.#enter(lane);
    this.#pump();
    if (lane.wanted(now) > 0) this.onRoom(lane);
    this.#checkRelease(lane.shard);
  }
}
