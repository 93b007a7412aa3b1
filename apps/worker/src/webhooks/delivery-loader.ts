import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  cancelPending,
  type DueDeliveries,
  type DueQuery,
  type PendingEndpoint,
  readDue,
} from "@findersfee/database/webhooks/pending-deliveries";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { FAILING, probeSeconds } from "@findersfee/domain/webhooks/endpoints/probes";
import type { Logger } from "pino";
import { readEndpoints } from "./endpoint.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import type { EndpointScheduler } from "./endpoint-scheduler.ts";
import type { OrganizationQuota } from "./organization-quota.ts";
import { PendingEndpointPoller } from "./pending-endpoint-poller.ts";

/** The maximum of endpoints and deliveries in one read. */
const MAX_ENDPOINTS = 200;
const MAX_DELIVERIES = 400;
const CANCEL_BATCH = 500;
/** The maximum of failing endpoints that are probed in one tick, so that their reads and connections delay no others. */
const MAX_PROBES = 20;
/** The interval of checks for queues that have become due. */
const TICK_MILLISECONDS = 50;
const CLEAN_UP_MILLISECONDS = 250;
const ERROR_MILLISECONDS = 500;
/** A notification loads all known endpoints of an organization if there are at most this many. */
const FEW_ENDPOINTS = 32;
/** Longer than the interval between two scans of all owned shards. */
const SOON_MILLISECONDS = 25_000;

export interface DeliveryLoaderDependencies {
  database: Database;
  log: Logger;
  scheduler: EndpointScheduler;
  secrets_key: SecretsKey;
  /** The token of each shard that this process owns. */
  tokens: ReadonlyMap<number, bigint>;
  /** Another process has taken a shard. */
  onFenced: (shard: number) => void;
}

/**
 * Reads due deliveries into the endpoint queues, as many as each can take. Reads change nothing in the database, so a
 * crash leaves nothing to clean up.
 */
export class DeliveryLoader {
  readonly #dependencies: DeliveryLoaderDependencies;
  /** Organizations with queues to read for; the one that has waited longest comes first. */
  readonly #loadable = new Set<OrganizationQuota<EndpointQueue>>();
  readonly #poller: PendingEndpointPoller;
  #tick_at = 0;
  #clean_up_at = 0;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #resume: (() => void) | null = null;

  constructor(dependencies: DeliveryLoaderDependencies) {
    this.#dependencies = dependencies;
    const { database, log, tokens } = dependencies;
    const onFound = this.#addPending.bind(this);
    this.#poller = new PendingEndpointPoller({ database, log, tokens, onFound });
    dependencies.scheduler.onCapacity = (queue) => {
      if (queue.has_more) this.#markLoadable(queue);
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#resume?.();
    await this.#running;
    await this.#poller.stopped();
  }

  /**
   * Organizations have new deliveries. If an organization has few open queues, they are read at once. The poller finds
   * its other endpoints.
   */
  notify(organization_ids: Iterable<string>): void {
    for (const id of organization_ids) {
      const queues = this.#dependencies.scheduler.queuesOf(id);
      const has_unknown_endpoints = queues.size === 0 || queues.size > FEW_ENDPOINTS;
      this.#poller.notify(id, { has_unknown_endpoints });
      if (!has_unknown_endpoints) for (const queue of queues) this.#markNotified(queue);
    }
    this.#resume?.();
  }

  #markNotified(queue: EndpointQueue): void {
    queue.has_more = true;
    if (queue.is_loading) queue.was_notified = true;
    else if (queue.loadableAt() <= performance.now()) this.#markLoadable(queue);
  }

  /** Scans all owned shards at once. */
  requestScan(): void {
    this.#poller.requestScan();
    this.#resume?.();
  }

  /** A delivery of a queue becomes due after this many milliseconds. */
  addDue(queue: EndpointQueue, milliseconds: number): void {
    queue.announceDueAt(performance.now() + milliseconds);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#loadOnce();
        await this.#pause();
      } catch (error) {
        this.#dependencies.log.error({ err: error }, "failed to read due deliveries");
        await delay(ERROR_MILLISECONDS);
      }
    }
  }

  async #loadOnce(): Promise<void> {
    if (this.#dependencies.tokens.size === 0) return;
    this.#poller.poll();
    this.#tick(performance.now());
    const queries = this.#nextQueries(performance.now());
    if (queries.size > 0) await this.#load(queries);
  }

  async #pause(): Promise<void> {
    const now = performance.now();
    if (this.#canLoad(now)) return;
    const owns = this.#dependencies.tokens.size > 0;
    const rest = owns ? this.#poller.dueAt() - now : TICK_MILLISECONDS;
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

  #addPending(endpoints: readonly PendingEndpoint[], queried_at: number): void {
    const now = performance.now();
    for (const endpoint of endpoints) {
      if (!this.#dependencies.tokens.has(endpoint.shard) || !isSoon(endpoint)) continue;
      const queue = this.#dependencies.scheduler.open(endpoint);
      queue.setHealth(endpoint, { queried_at, now });
      if (queue.is_loading) queue.was_notified = true;
      if (endpoint.due_in > 0) this.addDue(queue, endpoint.due_in);
      else queue.has_more = true;
      // A later read resets it.
      queue.has_manual ||= endpoint.has_manual;
      // Each tick starts a few probes.
      if (!queue.is_failing && queue.loadableAt() <= now) this.#markLoadable(queue);
    }
  }

  #markLoadable(queue: EndpointQueue): void {
    if (queue.is_closed || queue.is_loading) return;
    queue.quota.loadable.add(queue);
    this.#loadable.add(queue.quota);
    this.#resume?.();
  }

  /** Marks the queues that have become due since the last tick. */
  #tick(now: number): void {
    if (now < this.#tick_at) return;
    this.#tick_at = now + TICK_MILLISECONDS;
    if (now >= this.#clean_up_at) {
      this.#clean_up_at = now + CLEAN_UP_MILLISECONDS;
      this.#dependencies.scheduler.cleanUp(now);
    }
    let probes = 0;
    for (const queue of this.#dependencies.scheduler.queues()) {
      if (queue.loadableAt() > now || queue.quota.loadable.has(queue) || queue.demand(now) === 0) continue;
      if (queue.is_failing && ++probes > MAX_PROBES) continue;
      this.#markLoadable(queue);
    }
  }

  #canLoad(now: number): boolean {
    const { scheduler } = this.#dependencies;
    for (const quota of this.#loadable) {
      if (!scheduler.hasCapacity(quota)) continue;
      for (const queue of quota.loadable) if (scheduler.capacityOf(queue, now) > 0) return true;
    }
    return false;
  }

  /** Takes one queue of each organization in turn, until the read is full. */
  #nextQueries(now: number): Map<EndpointQueue, DueQuery> {
    const { scheduler, tokens } = this.#dependencies;
    const queries = new Map<EndpointQueue, DueQuery>();
    let deliveries = 0;
    const waiting = new Set(this.#loadable);
    while (waiting.size > 0 && queries.size < MAX_ENDPOINTS && deliveries < MAX_DELIVERIES) {
      for (const quota of waiting) {
        const queue = this.#takeNext(quota, { now, queries });
        if (queue === null) {
          waiting.delete(quota);
          continue;
        }
        const token = tokens.get(queue.shard);
        if (token === undefined) continue;
        const limit = Math.min(scheduler.capacityOf(queue, now), MAX_DELIVERIES - deliveries);
        const { shard, organization_id, endpoint_id } = queue;
        queries.set(queue, {
          shard,
          token,
          organization_id,
          endpoint_id,
          limit,
          excluded: [...queue.unrecorded],
        });
        deliveries += limit;
        if (queries.size >= MAX_ENDPOINTS || deliveries >= MAX_DELIVERIES) break;
      }
    }
    for (const { quota } of queries.keys()) {
      // The organizations that got no turn come first in the next read.
      this.#loadable.delete(quota);
      if (quota.loadable.size > 0) this.#loadable.add(quota);
    }
    return queries;
  }

  /** Takes the next queue of an organization that can load deliveries. */
  #takeNext(
    quota: OrganizationQuota<EndpointQueue>,
    { now, queries }: { now: number; queries: Map<EndpointQueue, DueQuery> },
  ): EndpointQueue | null {
    if (!this.#dependencies.scheduler.hasCapacity(quota)) return null;
    for (const queue of quota.loadable) {
      if (queries.has(queue) || this.#dependencies.scheduler.capacityOf(queue, now) === 0) continue;
      quota.loadable.delete(queue);
      return queue;
    }
    if (quota.loadable.size === 0) this.#loadable.delete(quota);
    return null;
  }

  async #load(queries: Map<EndpointQueue, DueQuery>): Promise<void> {
    const { database, scheduler } = this.#dependencies;
    for (const queue of queries.keys()) queue.beginLoad();
    try {
      const results = await readDue(database, [...queries.values()]);
      await this.#refreshEndpoints(queries, results);
      for (const [queue, query] of queries) await this.#accept(queue, query, results.get(queue.endpoint_id));
    } catch (error) {
      for (const queue of queries.keys()) queue.has_more = true;
      throw error;
    } finally {
      scheduler.endLoad(queries.keys());
    }
    const now = performance.now();
    for (const queue of queries.keys()) if (queue.loadableAt() <= now) this.#markLoadable(queue);
  }

  /** Reads endpoints again that have changed since the last read. */
  async #refreshEndpoints(
    queries: Map<EndpointQueue, DueQuery>,
    results: ReadonlyMap<string, DueDeliveries>,
  ): Promise<void> {
    const changed: EndpointQueue[] = [];
    for (const queue of queries.keys()) {
      const version = results.get(queue.endpoint_id)?.endpoint_version;
      if (version === null) queue.endpoint = null;
      else if (version !== undefined && version !== queue.endpoint?.version) changed.push(queue);
    }
    if (changed.length > 0) await readEndpoints(this.#dependencies, changed);
  }

  async #accept(
    queue: EndpointQueue,
    { shard, limit }: DueQuery,
    result: DueDeliveries | undefined,
  ): Promise<void> {
    const { scheduler, onFenced } = this.#dependencies;
    if (result === undefined) {
      onFenced(shard);
      return;
    }
    const now = performance.now();
    const is_full = result.deliveries.length >= limit;
    queue.has_more = is_full || queue.was_notified;
    // If the result has some, there may be more.
    queue.has_manual =
      result.deliveries.some(({ manual }) => manual) || (queue.has_manual && queue.was_notified);
    queue.setNextDueAt(result.next_due_in === null ? Number.POSITIVE_INFINITY : now + result.next_due_in);
    if (queue.is_closed || (result.deliveries.length === 0 && queue.unrecorded.size === 0)) return;
    if (queue.endpoint?.enabled !== true) {
      await this.#cancel(queue);
      return;
    }
    for (const delivery of result.deliveries) {
      if (queue.canSendNow(delivery, now)) scheduler.add(queue, delivery);
      else queue.has_more = true;
    }
  }

  /** An error must not delay other endpoints; the next scan finds the deliveries that were not canceled. */
  async #cancel(queue: EndpointQueue): Promise<void> {
    const { database, log } = this.#dependencies;
    const { organization_id, endpoint_id } = queue;
    try {
      queue.has_more =
        (await cancelPending(database, queue, { limit: CANCEL_BATCH, waits: false })) === CANCEL_BATCH;
    } catch (error) {
      queue.has_more = false;
      log.error(
        { err: error, organization_id, endpoint_id },
        "failed to cancel the deliveries of a disabled endpoint",
      );
    }
  }
}

/** Whether a delivery to the endpoint can start before the next scan. Other endpoints get no queue yet. */
function isSoon({ due_in, failures, failed_ago, has_manual }: PendingEndpoint): boolean {
  const probe_in = failures < FAILING || has_manual ? 0 : probeSeconds(failures) * 1000 - (failed_ago ?? 0);
  return Math.max(due_in, probe_in) < SOON_MILLISECONDS;
}
