/** An organization that has answered nothing for so long gets no more than its part of a worker that is full. */
const STALLED_MILLISECONDS = 250;

/** Weight of the last attempt in the mean time of an organization's attempts. */
const WEIGHT = 1 / 32;
/** Attempts begin evenly when an organization uses at least this part of its places. */
const PACED = 1 / 8;
/** An organization may begin attempts this much faster than its places become free on average. */
const HASTE = 1.5;

/** Limits of one organization's attempts. */
export interface Places {
  /** Attempts at once. */
  in_flight_of_organization: number;
  /** Attempts that take longer than this on average begin evenly. */
  slow_milliseconds: number;
}

/** One organization's part of a worker, over the lanes of all its endpoints. */
export class Share<Lane> {
  readonly organization_id: string;
  /** Of the endpoints that the worker knows. */
  readonly lanes = new Set<Lane>();
  in_flight = 0;
  /** Deliveries that were read and not begun. */
  queued = 0;
  /** Lanes that may send now. */
  readonly ready: Lane[] = [];
  /** Lanes that have something to read. */
  readonly due = new Set<Lane>();
  /** Whether it stands among the organizations that take turns. */
  is_in_turn = false;
  /** Whether a timer lets it take turns again. */
  is_paced = false;
  /**
   * When it may begin the next attempt. An organization with many slow attempts begins them evenly: otherwise hundreds
   * end at the same moment, over and over, and the events of others wait.
   */
  begin_at = 0;
  #mean_milliseconds = 0;
  #last_answer_at = 0;

  constructor(organization_id: string) {
    this.organization_id = organization_id;
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_answer_at > STALLED_MILLISECONDS;
  }

  started(now: number, { in_flight_of_organization: places, slow_milliseconds }: Places): void {
    if (this.in_flight === 0) this.#last_answer_at = now;
    this.in_flight += 1;
    if (this.in_flight < places * PACED || this.#mean_milliseconds < slow_milliseconds) return;
    this.begin_at = Math.max(this.begin_at, now) + this.#mean_milliseconds / places / HASTE;
  }

  answered(now: number, milliseconds: number): void {
    this.in_flight -= 1;
    this.#last_answer_at = now;
    const mean = this.#mean_milliseconds;
    this.#mean_milliseconds = mean === 0 ? milliseconds : mean + (milliseconds - mean) * WEIGHT;
  }
}
