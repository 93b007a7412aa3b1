/** An organization without a response for this long loads no more deliveries while capacity is scarce. */
const STALLED_MILLISECONDS = 250;

/** The weight of the last attempt in the mean duration of an organization's attempts. */
const WEIGHT = 1 / 32;
/** Attempts are paced if the organization uses at least this part of its limit. */
const PACED = 1 / 8;
/** A paced organization may start attempts this much faster than its attempts end on average. */
const BURST = 1.5;

/** Limits of one organization's attempts. */
export interface OrganizationLimits {
  /** Concurrent attempts of one organization. */
  in_flight_per_organization: number;
  /** Attempts that take longer than this on average are paced. */
  slow_milliseconds: number;
}

/** The endpoint queues of one organization, and the concurrency that they share. */
export class OrganizationQuota<Queue> {
  readonly organization_id: string;
  /** The open queues. */
  readonly queues = new Set<Queue>();
  in_flight = 0;
  /** Deliveries that were read and have not started. */
  queued = 0;
  /** Queues that may send now. */
  readonly ready: Queue[] = [];
  /** Queues with deliveries to read. */
  readonly loadable = new Set<Queue>();
  /** Whether it is in the scheduler's list of ready organizations. */
  is_enqueued = false;
  /** Whether a timer enqueues it again. */
  is_paced = false;
  /**
   * When it may start the next attempt. Many slow attempts start evenly: otherwise hundreds end at the same moment
   * repeatedly, and the events of other organizations wait.
   */
  next_start_at = 0;
  #mean_milliseconds = 0;
  #last_response_at = 0;

  constructor(organization_id: string) {
    this.organization_id = organization_id;
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_response_at > STALLED_MILLISECONDS;
  }

  started(now: number, { in_flight_per_organization: limit, slow_milliseconds }: OrganizationLimits): void {
    if (this.in_flight === 0) this.#last_response_at = now;
    this.in_flight += 1;
    if (this.in_flight < limit * PACED || this.#mean_milliseconds < slow_milliseconds) return;
    this.next_start_at = Math.max(this.next_start_at, now) + this.#mean_milliseconds / limit / BURST;
  }

  finished(now: number, milliseconds: number): void {
    this.in_flight -= 1;
    this.#last_response_at = now;
    const mean = this.#mean_milliseconds;
    this.#mean_milliseconds = mean === 0 ? milliseconds : mean + (milliseconds - mean) * WEIGHT;
  }
}
