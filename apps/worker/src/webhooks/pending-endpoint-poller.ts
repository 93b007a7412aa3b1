import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  findPendingEndpoints,
  findPendingEndpointsOf,
  type PendingEndpoint,
} from "@findersfee/database/webhooks/pending-deliveries";
import type { Logger } from "pino";

/** Searches take at most a fifth of the time. */
const SEARCH_REST_FACTOR = 4;
/** The interval of searches if all notified organizations have open queues. */
const KNOWN_ENDPOINTS_MILLISECONDS = 250;
/** The interval of scans of all owned shards; longer if a scan takes long. */
const SCAN_MILLISECONDS = 1_000;
const MAX_SCAN_MILLISECONDS = 10_000;
const SCAN_REST_FACTOR = 50;
const ERROR_MILLISECONDS = 500;

export interface PollerDependencies {
  database: Database;
  log: Logger;
  /** The tokens of the owned shards. */
  tokens: ReadonlyMap<number, bigint>;
  /** Called with the endpoints of a search that started at `queried_at` on the monotonic clock. */
  onFound: (endpoints: readonly PendingEndpoint[], queried_at: number) => void;
}

/**
 * Finds endpoints with pending deliveries: soon after a notification for its organization, and periodically for all owned
 * shards, because a notification can be lost. The two searches run independently.
 */
export class PendingEndpointPoller {
  readonly #dependencies: PollerDependencies;
  readonly #notified = new Set<string>();
  /** Whether a notified organization may have endpoints without a queue. */
  #has_unknown_endpoints = false;
  #searched_at = 0;
  #search_at = 0;
  #searching: Promise<void> | null = null;
  #scan_at = 0;
  #scanning: Promise<void> | null = null;

  constructor(dependencies: PollerDependencies) {
    this.#dependencies = dependencies;
  }

  /** An organization has new deliveries. `has_unknown_endpoints`: some may be for endpoints without a queue. */
  notify(organization_id: string, { has_unknown_endpoints }: { has_unknown_endpoints: boolean }): void {
    this.#notified.add(organization_id);
    if (has_unknown_endpoints) this.#has_unknown_endpoints = true;
  }

  /** Makes the scan of all owned shards due. */
  requestScan(): void {
    this.#scan_at = 0;
  }

  /** When the next search is due, on the monotonic clock. */
  dueAt(): number {
    return Math.min(this.#scanDueAt(), this.#searchDueAt());
  }

  /** Starts the due searches. A failed search is repeated. */
  poll(): void {
    const now = performance.now();
    if (now >= this.#scanDueAt()) {
      this.#scanning = this.#run(() => this.#scanShards()).finally(() => {
        this.#scanning = null;
      });
    }
    if (now >= this.#searchDueAt()) {
      this.#searching = this.#run(() => this.#searchNotified()).finally(() => {
        this.#searching = null;
      });
    }
  }

  /** Resolves when no search is running. */
  async stopped(): Promise<void> {
    await Promise.all([this.#scanning, this.#searching]);
  }

  async #run(find: () => Promise<PendingEndpoint[]>): Promise<void> {
    const { log, onFound } = this.#dependencies;
    const queried_at = performance.now();
    try {
      onFound(await find(), queried_at);
    } catch (error) {
      log.error({ err: error }, "failed to search for pending deliveries");
      await delay(ERROR_MILLISECONDS);
    }
  }

  #scanDueAt(): number {
    return this.#scanning === null ? this.#scan_at : Number.POSITIVE_INFINITY;
  }

  /** Endpoints without a queue are searched for at once, others less often. */
  #searchDueAt(): number {
    if (this.#notified.size === 0 || this.#searching !== null) return Number.POSITIVE_INFINITY;
    return this.#has_unknown_endpoints ? this.#search_at : this.#searched_at + KNOWN_ENDPOINTS_MILLISECONDS;
  }

  async #scanShards(): Promise<PendingEndpoint[]> {
    const { database, tokens } = this.#dependencies;
    const started_at = performance.now();
    this.#scan_at = started_at + SCAN_MILLISECONDS;
    const endpoints = await findPendingEndpoints(database, [...tokens.keys()]);
    const took = performance.now() - started_at;
    const rest = Math.min(MAX_SCAN_MILLISECONDS, Math.max(SCAN_MILLISECONDS, took * SCAN_REST_FACTOR));
    // If another scan was requested during this one, the result may lack a new shard or missed notifications.
    if (this.#scan_at > 0) this.#scan_at = performance.now() + rest;
    return endpoints;
  }

  async #searchNotified(): Promise<PendingEndpoint[]> {
    const { database, tokens } = this.#dependencies;
    const started_at = performance.now();
    this.#has_unknown_endpoints = false;
    const organization_ids = [...this.#notified];
    // An organization that is notified during the search is searched again.
    this.#notified.clear();
    const endpoints = await findPendingEndpointsOf(database, {
      shards: [...tokens.keys()],
      organization_ids,
    }).catch((error: unknown) => {
      for (const id of organization_ids) this.#notified.add(id);
      this.#has_unknown_endpoints = true;
      throw error;
    });
    const now = performance.now();
    this.#searched_at = now;
    this.#search_at = now + (now - started_at) * SEARCH_REST_FACTOR;
    return endpoints;
  }
}
