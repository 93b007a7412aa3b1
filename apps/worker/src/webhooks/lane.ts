import type { ClaimedDelivery } from "@findersfee/database/delivery-claims";
import type { Endpoint } from "./endpoint.ts";
import { Rate } from "./rate.ts";
import type { Share } from "./share.ts";

/** Attempts at once to one endpoint: at first, and at most when it answers well. */
const FIRST_LIMIT = 2;
const MOST_LIMIT = 32;
/** An endpoint that has answered nothing for so long gets no further attempts beside those it has. */
const STALLED_MILLISECONDS = 1_000;
/** Failures in a row after which an endpoint is only probed. */
const FAILING = 5;
/** Deliveries that are kept for an endpoint beyond what it takes at once: about a second's worth. */
const LEAST_QUEUE = 32;

/** What one worker does for one endpoint: what it is to send there next, and how much at once. */
export class Lane {
  readonly organization_id: string;
  readonly endpoint_id: string;
  readonly share: Share;
  /** As it was when something for it was last claimed. */
  endpoint: Endpoint | null = null;
  readonly queue: ClaimedDelivery[] = [];
  in_flight = 0;
  /** Failed attempts in a row, as far as we know. */
  failures = 0;
  /** Whether deliveries wait in the endpoint's line, as far as we know. */
  has_line = false;
  /** Whether it stands among those that may send. */
  is_ready = false;
  last_used_at = 0;
  #limit = FIRST_LIMIT;
  #last_answer_at = 0;
  readonly #answers = new Rate();

  constructor(share: Share, endpoint_id: string) {
    this.organization_id = share.organization_id;
    this.endpoint_id = endpoint_id;
    this.share = share;
  }

  get is_failing(): boolean {
    return this.failures >= FAILING;
  }

  get is_idle(): boolean {
    return this.in_flight === 0 && this.queue.length === 0;
  }

  /** How many more deliveries may be kept for it. */
  room(now: number): number {
    return Math.max(0, Math.max(LEAST_QUEUE, this.#answers.most(now)) - this.queue.length);
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_answer_at > STALLED_MILLISECONDS;
  }

  maySend(now: number): boolean {
    if (this.queue.length === 0) return false;
    const limit = this.is_failing ? 1 : this.#limit;
    return this.in_flight < limit && !this.hasStalled(now);
  }

  started(now: number): void {
    if (this.in_flight === 0) this.#last_answer_at = now;
    this.in_flight += 1;
    this.last_used_at = now;
  }

  answered(succeeded: boolean, now: number): void {
    this.in_flight -= 1;
    this.#last_answer_at = now;
    this.failures = succeeded ? 0 : this.failures + 1;
    this.#limit = succeeded ? Math.min(MOST_LIMIT, this.#limit * 2) : Math.max(1, this.#limit >> 1);
    this.#answers.count(now);
  }
}

/** How long to leave a failing endpoint alone until the next probe: 5 s, twice as long each time, 5 min at most. */
export function probeSeconds(failures: number): number {
  return Math.min(300, 5 * 2 ** Math.max(0, Math.min(10, failures - FAILING)));
}
