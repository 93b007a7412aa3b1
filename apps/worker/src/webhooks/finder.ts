import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/connect";
import {
  findPendingEndpoints,
  findPendingEndpointsOf,
  type PendingEndpoint,
} from "@findersfee/database/pending-deliveries";
import type { Logger } from "pino";

/** Looking for new deliveries takes a fifth of the reader's time at most. */
const REST_FACTOR = 4;
/** How long an endpoint that is not known may wait, if its organization has others that are. */
const KNOWN_MILLISECONDS = 250;
/** All owned shards are looked through so often, more rarely if it takes long. */
const SCAN_MILLISECONDS = 1_000;
const LONGEST_SCAN_MILLISECONDS = 10_000;
const SCAN_REST_FACTOR = 50;
const ERROR_MILLISECONDS = 500;

export interface FinderParts {
  database: Database;
  log: Logger;
  /** The tokens of the owned shards. */
  tokens: ReadonlyMap<number, bigint>;
  /** Endpoints were found, by a search that began at `asked_at` on the monotonic clock. */
  onFound: (endpoints: readonly PendingEndpoint[], asked_at: number) => void;
}

/**
 * Finds the endpoints that have pending deliveries: soon for organizations that were woken, and from time to time for
 * all owned shards, in case a notification was lost. Neither search waits for the other.
 */
export class Finder {
  readonly #parts: FinderParts;
  readonly #woken = new Set<string>();
  /** Whether an organization was woken that has endpoints to be found. */
  #is_unknown_woken = false;
  #found_at = 0;
  #find_at = 0;
  #finding: Promise<void> | null = null;
  #scan_at = 0;
  #scanning: Promise<void> | null = null;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /** An organization has new deliveries; `has_unknown`: maybe for endpoints that nobody here knows yet. */
  wake(organization_id: string, { has_unknown }: { has_unknown: boolean }): void {
    this.#woken.add(organization_id);
    if (has_unknown) this.#is_unknown_woken = true;
  }

  /** Has all owned shards looked through next. */
  scan(): void {
    this.#scan_at = 0;
  }

  /** When the next search begins, on the monotonic clock. */
  dueAt(): number {
    return Math.min(this.#scanDueAt(), this.#wokenDueAt());
  }

  /** Begins the searches that are due. After an error they are repeated. */
  search(): void {
    const now = performance.now();
    if (now >= this.#scanDueAt()) {
      this.#scanning = this.#run(() => this.#scanShards()).finally(() => {
        this.#scanning = null;
      });
    }
    if (now >= this.#wokenDueAt()) {
      this.#finding = this.#run(() => this.#findWoken()).finally(() => {
        this.#finding = null;
      });
    }
  }

  /** Resolves when no search is under way. */
  async ended(): Promise<void> {
    await Promise.all([this.#scanning, this.#finding]);
  }

  async #run(find: () => Promise<PendingEndpoint[]>): Promise<void> {
    const { log, onFound } = this.#parts;
    const asked_at = performance.now();
    try {
      onFound(await find(), asked_at);
    } catch (error) {
      log.error({ err: error }, "pending deliveries could not be searched for");
      await delay(ERROR_MILLISECONDS);
    }
  }

  #scanDueAt(): number {
    return this.#scanning === null ? this.#scan_at : Number.POSITIVE_INFINITY;
  }

  /** Where all endpoints seem to be known, new ones can wait a moment. */
  #wokenDueAt(): number {
    if (this.#woken.size === 0 || this.#finding !== null) return Number.POSITIVE_INFINITY;
    return this.#is_unknown_woken ? this.#find_at : this.#found_at + KNOWN_MILLISECONDS;
  }

  async #scanShards(): Promise<PendingEndpoint[]> {
    const { database, tokens } = this.#parts;
    const began_at = performance.now();
    this.#scan_at = began_at + SCAN_MILLISECONDS;
    const endpoints = await findPendingEndpoints(database, [...tokens.keys()]);
    const took = performance.now() - began_at;
    const rest = Math.min(LONGEST_SCAN_MILLISECONDS, Math.max(SCAN_MILLISECONDS, took * SCAN_REST_FACTOR));
    // If another scan was requested during this one, the answer may lack a new shard or missed notifications.
    if (this.#scan_at > 0) this.#scan_at = performance.now() + rest;
    return endpoints;
  }

  async #findWoken(): Promise<PendingEndpoint[]> {
    const { database, tokens } = this.#parts;
    const began_at = performance.now();
    this.#is_unknown_woken = false;
    const organization_ids = [...this.#woken];
    // An organization that is woken during the search is searched again.
    this.#woken.clear();
    const endpoints = await findPendingEndpointsOf(database, {
      shards: [...tokens.keys()],
      organization_ids,
    }).catch((error: unknown) => {
      for (const id of organization_ids) this.#woken.add(id);
      this.#is_unknown_woken = true;
      throw error;
    });
    const now = performance.now();
    this.#found_at = now;
    this.#find_at = now + (now - began_at) * REST_FACTOR;
    return endpoints;
  }
}
