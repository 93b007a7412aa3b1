import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import { FRESH_MILLISECONDS, Fresh } from "./fresh.ts";
import { Lane } from "./lane.ts";

/** Bounds of one worker process. */
export interface Bounds {
  /** Attempts at once. */
  in_flight: number;
  /** Of these, begun a moment ago. */
  fresh: number;
  /** Of these, for one organization. */
  in_flight_of_organization: number;
  /** Deliveries claimed, in flight or about to be. */
  held: number;
}

export const BOUNDS: Bounds = {
  in_flight: 1_024,
  fresh: 64,
  in_flight_of_organization: 512,
  held: 800,
};

const FORGET_MILLISECONDS = 60_000;

/** The endpoints that a worker has something for, and whose turn it is: each in turn sends one. */
export class Lanes {
  /** Called when a lane has nothing left to send and there may be more for it. */
  onRoom: (lane: Lane) => void = () => {};
  readonly #send: (lane: Lane, delivery: ClaimedDelivery) => Promise<boolean>;
  readonly #bounds: Bounds;
  readonly #lanes = new Map<string, Lane>();
  readonly #of_organization = new Map<string, number>();
  readonly #ready: Lane[] = [];
  /** Ready lanes of organizations that have all their places taken. */
  readonly #blocked = new Map<string, Lane[]>();
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
    return Math.max(0, this.#bounds.held - this.#queued - this.#in_flight);
  }

  get in_flight(): number {
    return this.#in_flight;
  }

  of({ organization_id, endpoint_id }: { organization_id: string; endpoint_id: string }): Lane {
    let lane = this.#lanes.get(endpoint_id);
    if (lane === undefined) {
      lane = new Lane(organization_id, endpoint_id);
      this.#lanes.set(endpoint_id, lane);
    }
    lane.last_used_at = performance.now();
    return lane;
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
      if (lane.queue.length > 0 && lane.hasStalled(now)) taken.push(...this.#takeQueue(lane));
      if (lane.is_idle && now - lane.last_used_at > FORGET_MILLISECONDS) this.#lanes.delete(lane.endpoint_id);
    }
    return taken;
  }

  /** Resolves when nothing is in flight. */
  async whenIdle(): Promise<void> {
    if (this.#in_flight === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
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
      const of_organization = this.#of_organization.get(lane.organization_id) ?? 0;
      if (of_organization < this.#bounds.in_flight_of_organization) {
        lane.is_ready = false;
        this.#begin(lane, of_organization);
      } else {
        const blocked = this.#blocked.get(lane.organization_id);
        if (blocked === undefined) this.#blocked.set(lane.organization_id, [lane]);
        else blocked.push(lane);
      }
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

  #begin(lane: Lane, of_organization: number): void {
    const delivery = lane.queue.shift();
    if (delivery === undefined) return;
    this.#queued -= 1;
    this.#in_flight += 1;
    this.#of_organization.set(lane.organization_id, of_organization + 1);
    const now = performance.now();
    const period = this.#fresh.begin(now);
    lane.started(now);
    void this.#send(lane, delivery).then((succeeded) => {
      this.#fresh.end(period);
      this.#end(lane, succeeded);
    });
    this.#enter(lane);
  }

  #end(lane: Lane, succeeded: boolean): void {
    lane.answered(succeeded, performance.now());
    this.#in_flight -= 1;
    const left = (this.#of_organization.get(lane.organization_id) ?? 1) - 1;
    if (left === 0) this.#of_organization.delete(lane.organization_id);
    else this.#of_organization.set(lane.organization_id, left);
    this.#unblock(lane.organization_id);
    this.#enter(lane);
    this.#pump();
    if (lane.queue.length === 0) this.onRoom(lane);
    if (this.#in_flight === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #unblock(organization_id: string): void {
    const blocked = this.#blocked.get(organization_id);
    const lane = blocked?.shift();
    if (blocked?.length === 0) this.#blocked.delete(organization_id);
    if (lane !== undefined) this.#ready.push(lane);
  }
}
