import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import { FRESH_MILLISECONDS, Fresh } from "./fresh.ts";
import { Lane } from "./lane.ts";
import { Share } from "./share.ts";

/** Bounds of one worker process. */
export interface Bounds {
  /** Attempts at once. */
  in_flight: number;
  /** Of these, begun a moment ago. */
  fresh: number;
  /** Of these, for one organization. */
  in_flight_of_organization: number;
  /** Deliveries claimed and not begun. */
  queued: number;
}

export const BOUNDS: Bounds = {
  in_flight: 2_048,
  fresh: 64,
  in_flight_of_organization: 512,
  queued: 800,
};

const FORGET_MILLISECONDS = 60_000;

/** The endpoints that a worker has something for, and whose turn it is: each in turn sends one. */
export class Lanes {
  /** Called when a lane has nothing left to send and there may be more for it. */
  onRoom: (lane: Lane) => void = () => {};
  readonly #send: (lane: Lane, delivery: ClaimedDelivery) => Promise<boolean>;
  readonly #bounds: Bounds;
  readonly #lanes = new Map<string, Lane>();
  readonly #shares = new Map<string, Share>();
  readonly #ready: Lane[] = [];
  /** Lanes whose turn it is, of organizations that have all their places taken. */
  readonly #blocked = new Map<Share, Lane[]>();
  readonly #fresh = new Fresh();
  #timer: NodeJS.Timeout | null = null;
  #in_flight = 0;
  #queued = 0;
  readonly #idle: (() => void)[] = [];

  /** `send` makes the attempt; it resolves, and never rejects, with whether it succeeded. */
  constructor(send: (lane: Lane, delivery: ClaimedDelivery) => Promise<boolean>, bounds: Bounds = BOUNDS) {
    this.#send = send;
    this.#bounds = bounds;
  }

  /** How many more deliveries may be claimed. */
  get room(): number {
    return Math.max(0, this.#bounds.queued - this.#queued);
  }

  get in_flight(): number {
    return this.#in_flight;
  }

  of({ organization_id, endpoint_id }: { organization_id: string; endpoint_id: string }): Lane {
    let lane = this.#lanes.get(endpoint_id);
    if (lane === undefined) {
      lane = this.#open(organization_id, endpoint_id);
    }
    lane.last_used_at = performance.now();
    return lane;
  }

  /** How many more deliveries may be kept for an endpoint. */
  roomOf(lane: Lane): number {
    const now = performance.now();
    return this.#hasStalled(lane, now) ? 0 : lane.room(now);
  }

  add(lane: Lane, delivery: ClaimedDelivery): void {
    lane.queue.push(delivery);
    this.#queued += 1;
    this.#enter(lane);
    this.#pump();
  }

  /** Takes back everything that has not been begun. */
  takeQueued(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#takeQueue(lane));
  }

  /** Takes back what endpoints that have stopped answering do not get now; forgets those long unused. */
  takeStalled(): ClaimedDelivery[] {
    const now = performance.now();
    const taken: ClaimedDelivery[] = [];
    for (const lane of this.#lanes.values()) {
      if (lane.queue.length > 0 && this.#hasStalled(lane, now)) taken.push(...this.#takeQueue(lane));
      if (lane.is_idle && now - lane.last_used_at > FORGET_MILLISECONDS) this.#close(lane);
    }
    return taken;
  }

  /** Resolves when nothing is in flight. */
  async whenIdle(): Promise<void> {
    if (this.#in_flight === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #open(organization_id: string, endpoint_id: string): Lane {
    const share = this.#shares.get(organization_id) ?? new Share(organization_id);
    const lane = new Lane(share, endpoint_id);
    share.lanes += 1;
    this.#shares.set(organization_id, share);
    this.#lanes.set(endpoint_id, lane);
    return lane;
  }

  #close({ share, endpoint_id }: Lane): void {
    this.#lanes.delete(endpoint_id);
    share.lanes -= 1;
    if (share.lanes === 0) this.#shares.delete(share.organization_id);
  }

  /** Among many, an organization is given up on sooner than an endpoint: it could fill all the room there is. */
  #hasStalled(lane: Lane, now: number): boolean {
    const is_scarce = this.#queued > this.#bounds.queued / 2;
    return lane.hasStalled(now) || (is_scarce && lane.share.hasStalled(now));
  }

  #takeQueue(lane: Lane): ClaimedDelivery[] {
    this.#queued -= lane.queue.length;
    return lane.queue.splice(0);
  }

  #enter(lane: Lane): void {
    if (lane.is_ready || !lane.maySend(performance.now())) return;
    lane.is_ready = true;
    this.#ready.push(lane);
  }

  #pump(): void {
    for (let lane = this.#next(); lane !== undefined; lane = this.#next()) {
      const { share } = lane;
      if (share.in_flight >= this.#bounds.in_flight_of_organization) {
        this.#block(lane);
        continue;
      }
      lane.is_ready = false;
      // What it had may have been taken back while it waited for its turn.
      if (lane.maySend(performance.now())) this.#begin(lane);
      else this.#unblock(share);
    }
  }

  #next(): Lane | undefined {
    if (this.#ready.length === 0 || this.#in_flight >= this.#bounds.in_flight) return undefined;
    if (this.#fresh.count(performance.now()) < this.#bounds.fresh) return this.#ready.shift();
    // Should none of them be answered soon, more may begin all the same.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, FRESH_MILLISECONDS);
    return undefined;
  }

  #begin(lane: Lane): void {
    const delivery = lane.queue.shift();
    if (delivery === undefined) return;
    this.#queued -= 1;
    this.#in_flight += 1;
    const now = performance.now();
    const period = this.#fresh.begin(now);
    lane.started(now);
    lane.share.started(now);
    void this.#send(lane, delivery).then((succeeded) => {
      this.#fresh.end(period);
      this.#end(lane, succeeded);
    });
    this.#enter(lane);
  }

  #end(lane: Lane, succeeded: boolean): void {
    const now = performance.now();
    lane.answered(succeeded, now);
    lane.share.answered(now);
    this.#in_flight -= 1;
    this.#unblock(lane.share);
    this.#enter(lane);
    this.#pump();
    if (lane.queue.length === 0) this.onRoom(lane);
    if (this.#in_flight === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #block(lane: Lane): void {
    const blocked = this.#blocked.get(lane.share);
    if (blocked === undefined) this.#blocked.set(lane.share, [lane]);
    else blocked.push(lane);
  }

  /** A place is free for the organization: for the lane that has waited longest. */
  #unblock(share: Share): void {
    const blocked = this.#blocked.get(share);
    const lane = blocked?.shift();
    if (blocked?.length === 0) this.#blocked.delete(share);
    if (lane !== undefined) this.#ready.push(lane);
  }
}
