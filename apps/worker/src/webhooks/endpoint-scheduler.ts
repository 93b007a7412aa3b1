import type { DueDelivery, PendingEndpoint } from "@findersfee/database/webhooks/pending-deliveries";
import { EndpointQueue } from "./endpoint-queue.ts";
import { type OrganizationLimits, OrganizationQuota } from "./organization-quota.ts";
import type { Verdict } from "./outcome.ts";
import { RECENT_MILLISECONDS, RecentStarts } from "./recent-starts.ts";

/** Limits of one worker process. */
export interface SchedulerLimits extends OrganizationLimits {
  /** Concurrent attempts. */
  in_flight: number;
  /** Concurrent attempts that started a moment ago. */
  recent_starts: number;
  /** Deliveries that were read and have not started. */
  queued: number;
}

export const SCHEDULER_LIMITS: SchedulerLimits = {
  in_flight: 2_048,
  recent_starts: 64,
  in_flight_per_organization: 512,
  slow_milliseconds: 100,
  queued: 1_600,
};

const NONE: ReadonlySet<EndpointQueue> = new Set();
/** An organization with this many queued deliveries is read only if it may queue as many more. */
const MIN_LOAD = 64;
const UNUSED_MILLISECONDS = 60_000;

/** Starts attempts round-robin: organizations take turns, and so do the endpoints of each organization. */
export class EndpointScheduler {
  /** Called when a queue can load more. */
  onCapacity: (queue: EndpointQueue) => void = () => {};
  readonly #send: (queue: EndpointQueue, delivery: DueDelivery) => Promise<Verdict>;
  readonly #limits: SchedulerLimits;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #quotas = new Map<string, OrganizationQuota<EndpointQueue>>();
  /** Organizations with ready queues that are below their limits. */
  readonly #ready_quotas: OrganizationQuota<EndpointQueue>[] = [];
  readonly #recent_starts = new RecentStarts();
  #timer: NodeJS.Timeout | null = null;
  #in_flight = 0;
  #queued = 0;
  readonly #releases = new Map<number, () => void>();

  /** `send` makes the attempt; it never rejects. */
  constructor(
    send: (queue: EndpointQueue, delivery: DueDelivery) => Promise<Verdict>,
    limits: SchedulerLimits = SCHEDULER_LIMITS,
  ) {
    this.#send = send;
    this.#limits = limits;
  }

  get in_flight(): number {
    return this.#in_flight;
  }

  get size(): number {
    return this.#queues.size;
  }

  /** All queues. Queues can be closed during the iteration. */
  queues(): IterableIterator<EndpointQueue> {
    return this.#queues.values();
  }

  /** The open queues of an organization. */
  queuesOf(organization_id: string): ReadonlySet<EndpointQueue> {
    return this.#quotas.get(organization_id)?.queues ?? NONE;
  }

  /** Returns the queue of an endpoint, and creates it if there is none. */
  open({
    shard,
    organization_id,
    endpoint_id,
  }: Pick<PendingEndpoint, "shard" | "organization_id" | "endpoint_id">): EndpointQueue {
    let queue = this.#queues.get(endpoint_id);
    if (queue === undefined) {
      const quota =
        this.#quotas.get(organization_id) ?? new OrganizationQuota<EndpointQueue>(organization_id);
      queue = new EndpointQueue(quota, { shard, endpoint_id });
      quota.queues.add(queue);
      this.#quotas.set(organization_id, quota);
      this.#queues.set(endpoint_id, queue);
    }
    queue.last_used_at = performance.now();
    return queue;
  }

  /** Whether a read for an organization pays off: many small reads cost more than a few large ones. */
  hasCapacity(quota: OrganizationQuota<EndpointQueue>): boolean {
    return quota.queued < MIN_LOAD || this.#capacityOf(quota) >= MIN_LOAD;
  }

  /** The number of deliveries that a queue may load now. An organization may fill half of the remaining capacity. */
  capacityOf(queue: EndpointQueue, now: number): number {
    const remaining = this.#limits.queued - this.#queued;
    const is_scarce = remaining < this.#limits.queued / 2;
    if (is_scarce && queue.quota.hasStalled(now)) return 0;
    return Math.min(queue.demand(now), this.#capacityOf(queue.quota));
  }

  #capacityOf({ queued }: OrganizationQuota<EndpointQueue>): number {
    return Math.max(0, (this.#limits.queued - this.#queued - queued) >> 1);
  }

  add(queue: EndpointQueue, delivery: DueDelivery): void {
    queue.unrecorded.add(delivery.event_id);
    queue.deliveries.push(delivery);
    queue.quota.queued += 1;
    this.#queued += 1;
    this.#enqueue(queue);
    this.#pump();
  }

  /** Drops the deliveries of a queue that have not started. They stay pending in the database and are read again. */
  drop(queue: EndpointQueue): void {
    if (queue.deliveries.length === 0) return;
    queue.has_more = true;
    // A read in progress excludes them.
    if (queue.is_loading) queue.was_notified = true;
    for (const { event_id, manual } of queue.deliveries) {
      queue.unrecorded.delete(event_id);
      if (manual) queue.has_manual = true;
    }
    queue.quota.queued -= queue.deliveries.length;
    this.#queued -= queue.deliveries.length;
    queue.deliveries.length = 0;
  }

  /** The result of an attempt was recorded. */
  recorded(queue: EndpointQueue, event_id: string): void {
    queue.unrecorded.delete(event_id);
    queue.recorded_at = performance.now();
    this.#checkRelease(queue.shard);
  }

  /** Drops the queued deliveries of stalled endpoints, and closes queues that have been unused for a minute. */
  cleanUp(now: number): void {
    for (const queue of this.#queues.values()) {
      if (queue.hasStalled(now)) this.drop(queue);
      const is_unused = now - queue.last_used_at > UNUSED_MILLISECONDS;
      if (is_unused && queue.is_idle && queue.loadableAt() - now > UNUSED_MILLISECONDS) this.#close(queue);
    }
  }

  /** Starts no more attempts of a shard. Resolves when the results of its attempts are recorded. */
  async release(shard: number): Promise<void> {
    for (const queue of this.#queues.values()) {
      if (queue.shard !== shard) continue;
      queue.is_closed = true;
      this.drop(queue);
    }
    await new Promise<void>((resolve) => {
      this.#releases.set(shard, resolve);
      this.#checkRelease(shard);
    });
  }

  /** A read for some queues has ended. */
  endLoad(queues: Iterable<EndpointQueue>): void {
    const shards = new Set<number>();
    for (const queue of queues) {
      queue.is_loading = false;
      shards.add(queue.shard);
    }
    for (const shard of shards) this.#checkRelease(shard);
  }

  #checkRelease(shard: number): void {
    const resolve = this.#releases.get(shard);
    if (resolve === undefined) return;
    const queues = [...this.#queues.values()].filter((queue) => queue.shard === shard);
    if (queues.some((queue) => !queue.is_idle)) return;
    for (const queue of queues) this.#close(queue);
    this.#releases.delete(shard);
    resolve();
  }

  #close(queue: EndpointQueue): void {
    const { quota, endpoint_id } = queue;
    queue.is_closed = true;
    quota.loadable.delete(queue);
    this.#queues.delete(endpoint_id);
    quota.queues.delete(queue);
    if (quota.queues.size === 0) this.#quotas.delete(quota.organization_id);
  }

  #enqueue(queue: EndpointQueue): void {
    const now = performance.now();
    if (queue.is_ready || !queue.canSend(now)) {
      this.#enqueueLater(queue, now);
      return;
    }
    queue.is_ready = true;
    queue.quota.ready.push(queue);
    this.#enqueueOrganization(queue.quota);
  }

  /** Enqueues a queue that only its rate limit blocks as soon as the limit allows it. */
  #enqueueLater(queue: EndpointQueue, now: number): void {
    const free_at = queue.rateLimitedUntil(now);
    if (free_at === 0 || queue.deliveries.length === 0 || queue.is_throttled) return;
    queue.is_throttled = true;
    setTimeout(() => {
      queue.is_throttled = false;
      this.#enqueue(queue);
      this.#pump();
    }, free_at - now);
  }

  #enqueueOrganization(quota: OrganizationQuota<EndpointQueue>): void {
    if (quota.is_enqueued || quota.ready.length === 0) return;
    if (quota.in_flight >= this.#limits.in_flight_per_organization || quota.is_paced) return;
    const wait = quota.next_start_at - performance.now();
    if (wait >= 1) {
      this.#enqueueOrganizationLater(quota, wait);
      return;
    }
    quota.is_enqueued = true;
    this.#ready_quotas.push(quota);
  }

  #enqueueOrganizationLater(quota: OrganizationQuota<EndpointQueue>, milliseconds: number): void {
    quota.is_paced = true;
    setTimeout(() => {
      quota.is_paced = false;
      this.#enqueueOrganization(quota);
      this.#pump();
    }, milliseconds);
  }

  #pump(): void {
    while (this.#canStart()) {
      const quota = this.#ready_quotas.shift();
      if (quota === undefined) return;
      quota.is_enqueued = false;
      const queue = quota.ready.shift();
      if (queue === undefined) continue;
      queue.is_ready = false;
      if (queue.canSend(performance.now())) this.#start(queue);
      this.#enqueueOrganization(quota);
    }
  }

  #canStart(): boolean {
    if (this.#ready_quotas.length === 0 || this.#in_flight >= this.#limits.in_flight) return false;
    if (this.#recent_starts.count(performance.now()) < this.#limits.recent_starts) return true;
    // If no response arrives soon, more attempts start anyway.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, RECENT_MILLISECONDS);
    return false;
  }

  #start(queue: EndpointQueue): void {
    const delivery = queue.deliveries.shift();
    if (delivery === undefined) return;
    queue.quota.queued -= 1;
    this.#queued -= 1;
    this.#in_flight += 1;
    const now = performance.now();
    const period = this.#recent_starts.start(now);
    queue.started(now);
    queue.quota.started(now, this.#limits);
    void this.#send(queue, delivery).then((verdict) => {
      this.#recent_starts.finish(period);
      this.#finish(queue, verdict, performance.now() - now);
    });
    this.#enqueue(queue);
  }

  #finish(queue: EndpointQueue, verdict: Verdict, milliseconds: number): void {
    const now = performance.now();
    queue.finished(verdict, now);
    queue.quota.finished(now, milliseconds);
    this.#in_flight -= 1;
    // Later deliveries wait for the failed one (strict order) or for the next probe.
    if (verdict !== "succeeded" && (queue.is_failing || queue.endpoint?.ordered === true)) this.drop(queue);
    this.#enqueueOrganization(queue.quota);
    this.#enqueue(queue);
    this.#pump();
    if (queue.demand(now) > 0) this.onCapacity(queue);
    this.#checkRelease(queue.shard);
  }
}
