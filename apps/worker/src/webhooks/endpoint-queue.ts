import type { DueDelivery, PendingEndpoint } from "@findersfee/database/webhooks/pending-deliveries";
import { FAILING, probeSeconds } from "@findersfee/domain/webhooks/endpoints/probes";
import type { Endpoint } from "./endpoint.ts";
import type { OrganizationQuota } from "./organization-quota.ts";
import type { Verdict } from "./outcome.ts";
import { RateMeter } from "./rate-meter.ts";

/** Concurrent attempts to one endpoint: initially, and at most after many successes. */
const INITIAL_CONCURRENCY = 2;
const MAX_CONCURRENCY = 32;
/** An endpoint with attempts in flight that has not responded for this long gets no further attempts. */
const STALLED_MILLISECONDS = 1_000;
/** Deliveries that are read ahead for an endpoint: about as many as it takes in a second. */
const MIN_PREFETCH = 32;
const MAX_PREFETCH = 256;

/** The longest pause of an endpoint while the proxy fails. Deliveries continue this soon after the proxy recovers. */
const MAX_PROXY_PAUSE_SECONDS = 30;

/**
 * The deliveries, concurrency limit and rate limit of one endpoint in one worker. No other worker sends to the endpoint,
 * because this one owns its shard.
 */
export class EndpointQueue {
  readonly shard: number;
  readonly organization_id: string;
  readonly endpoint_id: string;
  readonly quota: OrganizationQuota<EndpointQueue>;
  /** The endpoint as of the last read. */
  endpoint: Endpoint | null = null;
  readonly deliveries: DueDelivery[] = [];
  /** Events that are queued, in flight or not recorded yet: new reads exclude them. */
  readonly unrecorded = new Set<string>();
  is_loading = false;
  /** Whether a notification arrived during the current read. */
  was_notified = false;
  /** Whether the database may have more due deliveries. */
  has_more = false;
  /** Whether one of them was requested manually: it does not wait for the next probe. */
  has_manual = false;
  /** The next known due time, on the monotonic clock. */
  next_due_at = Number.POSITIVE_INFINITY;
  in_flight = 0;
  /** Consecutive failed attempts. */
  failures = 0;
  /** Whether it is in its organization's list of ready queues. */
  is_ready = false;
  /** Whether a timer enqueues it as soon as its rate limit allows. */
  is_throttled = false;
  /** Whether its shard was released: no more attempts start. */
  is_closed = false;
  last_used_at = 0;
  /** When the last result was recorded. */
  recorded_at = Number.NEGATIVE_INFINITY;
  /** The earliest due time announced since the last read started. */
  #announced_due_at = Number.POSITIVE_INFINITY;
  #limit = INITIAL_CONCURRENCY;
  #last_response_at = 0;
  #probe_at = 0;
  /** Consecutive attempts that failed at the proxy. They pause the endpoint and are not its failures. */
  #proxy_failures = 0;
  /** When the endpoint's rate limit allows the next attempt. */
  #rate_limited_until = 0;
  readonly #responses = new RateMeter();

  constructor(
    quota: OrganizationQuota<EndpointQueue>,
    { shard, endpoint_id }: { shard: number; endpoint_id: string },
  ) {
    this.shard = shard;
    this.organization_id = quota.organization_id;
    this.endpoint_id = endpoint_id;
    this.quota = quota;
  }

  /** Whether the endpoint is only probed. */
  get is_failing(): boolean {
    return this.failures + this.#proxy_failures >= FAILING;
  }

  get is_idle(): boolean {
    return this.in_flight === 0 && this.unrecorded.size === 0 && !this.is_loading;
  }

  /** Sets the health from the database, unless it was queried before the last result was recorded. */
  setHealth(
    { failures, failed_ago }: Pick<PendingEndpoint, "failures" | "failed_ago">,
    { queried_at, now }: { queried_at: number; now: number },
  ): void {
    if (this.in_flight > 0 || this.unrecorded.size > 0 || this.recorded_at >= queried_at) return;
    this.failures = failures;
    // Another worker may have failed to record further failures.
    if (failures > 0 && this.#last_response_at === 0) this.#limit = 1;
    if (this.#proxy_failures > 0) return;
    this.#probe_at = this.is_failing ? now - (failed_ago ?? 0) + probeSeconds(failures) * 1000 : 0;
  }

  /** Starts a read. Its result may lack deliveries that are announced from now on. */
  beginLoad(): void {
    this.is_loading = true;
    this.was_notified = false;
    this.#announced_due_at = Number.POSITIVE_INFINITY;
  }

  /** A delivery becomes due at this time on the monotonic clock. */
  announceDueAt(due_at: number): void {
    this.next_due_at = Math.min(this.next_due_at, due_at);
    this.#announced_due_at = Math.min(this.#announced_due_at, due_at);
  }

  /** Sets the next due time that a read returned. */
  setNextDueAt(due_at: number): void {
    this.next_due_at = Math.min(due_at, this.#announced_due_at);
  }

  /** When the next delivery can be read, as far as known. */
  loadableAt(): number {
    const due_at = this.has_more ? 0 : this.next_due_at;
    return this.is_failing && !this.has_manual ? Math.max(due_at, this.#probe_at) : due_at;
  }

  /** Whether a loaded delivery may be sent. A failing endpoint gets only probes and manual attempts. */
  canSendNow({ manual }: DueDelivery, now: number): boolean {
    return manual || !this.is_failing || now >= this.#probe_at;
  }

  /** The number of deliveries to read now. */
  demand(now: number): number {
    if (this.is_closed || this.is_loading || this.hasStalled(now)) return 0;
    if (this.is_failing) return this.is_idle ? 1 : 0;
    // Deliveries after a failed one must not be read before the failure is recorded.
    if (this.endpoint?.ordered === true && this.unrecorded.size > 0) return 0;
    const ahead = Math.min(MAX_PREFETCH, Math.max(MIN_PREFETCH, this.#responses.max(now)));
    return this.deliveries.length > ahead / 2 ? 0 : ahead - this.deliveries.length;
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_response_at > STALLED_MILLISECONDS;
  }

  canSend(now: number): boolean {
    if (this.deliveries.length === 0 || this.is_closed || now < this.#rate_limited_until) return false;
    const is_single = this.is_failing || this.endpoint?.ordered === true;
    return this.in_flight < (is_single ? 1 : this.#limit) && !this.hasStalled(now);
  }

  /** When the rate limit allows the next attempt; 0: now. */
  rateLimitedUntil(now: number): number {
    return now < this.#rate_limited_until ? this.#rate_limited_until : 0;
  }

  started(now: number): void {
    if (this.in_flight === 0) this.#last_response_at = now;
    this.in_flight += 1;
    this.last_used_at = now;
    const rate = this.endpoint?.requests_per_second ?? null;
    if (rate !== null) this.#rate_limited_until = Math.max(this.#rate_limited_until, now) + 1000 / rate;
  }

  finished(verdict: Verdict, now: number): void {
    this.in_flight -= 1;
    this.#last_response_at = now;
    if (verdict === "succeeded") this.failures = 0;
    else if (verdict === "failed") this.failures += 1;
    this.#proxy_failures = verdict === "unsent" ? this.#proxy_failures + 1 : 0;
    if (this.is_failing) this.#probe_at = now + this.#pauseSeconds() * 1000;
    this.#limit =
      verdict === "succeeded" ? Math.min(MAX_CONCURRENCY, this.#limit * 2) : Math.max(1, this.#limit >> 1);
    this.#responses.count(now);
  }

  #pauseSeconds(): number {
    const own = this.failures < FAILING ? 0 : probeSeconds(this.failures);
    if (this.#proxy_failures === 0) return own;
    return Math.max(
      own,
      Math.min(MAX_PROXY_PAUSE_SECONDS, probeSeconds(this.failures + this.#proxy_failures)),
    );
  }
}
