import type { Database } from "@findersfee/database/connect";
import {
  findPendingEndpoints,
  findPendingEndpointsOf,
  type PendingEndpoint,
} from "@findersfee/database/pending-deliveries";

/** Looking for new deliveries takes a fifth of the reader's time at most. */
const REST_FACTOR = 4;
/** How long an endpoint that is not known may wait, if its organization has others that are. */
const KNOWN_MILLISECONDS = 250;
/** All owned shards are looked through so often, more rarely if it takes long. */
const SCAN_MILLISECONDS = 1_000;
const LONGEST_SCAN_MILLISECONDS = 10_000;
const SCAN_REST_FACTOR = 50;

/**
 * Finds the endpoints that have pending deliveries: soon for organizations that were woken, and from time to time for
 * all owned shards, in case a notification was lost.
 */
export class Finder {
  readonly #database: Database;
  readonly #tokens: ReadonlyMap<number, bigint>;
  readonly #woken = new Set<string>();
  /** Whether an organization was woken that has endpoints to be found. */
  #is_unknown_woken = false;
  #found_at = 0;
  #find_at = 0;
  #scan_at = 0;

  /** `tokens`: those of the owned shards. */
  constructor(database: Database, tokens: ReadonlyMap<number, bigint>) {
    this.#database = database;
    this.#tokens = tokens;
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

  /** When there is something to look for, on the monotonic clock. */
  dueAt(): number {
    return this.#woken.size > 0 ? Math.min(this.#scan_at, this.#wokenDueAt()) : this.#scan_at;
  }

  /** Runs the search that is due, if any. After an error the next call repeats it. */
  async find(): Promise<PendingEndpoint[]> {
    const now = performance.now();
    if (now >= this.#scan_at) return await this.#scanShards(now);
    if (this.#woken.size > 0 && now >= this.#wokenDueAt()) return await this.#findWoken(now);
    return [];
  }

  /** Where all endpoints seem to be known, new ones can wait a moment. */
  #wokenDueAt(): number {
    return this.#is_unknown_woken ? this.#find_at : this.#found_at + KNOWN_MILLISECONDS;
  }

  async #scanShards(began_at: number): Promise<PendingEndpoint[]> {
    const shards = [...this.#tokens.keys()];
    this.#scan_at = began_at + SCAN_MILLISECONDS;
    const endpoints = await findPendingEndpoints(this.#database, shards);
    const took = performance.now() - began_at;
    const rest = Math.min(LONGEST_SCAN_MILLISECONDS, Math.max(SCAN_MILLISECONDS, took * SCAN_REST_FACTOR));
    // If another scan was requested during this one, the answer may lack a new shard or missed notifications.
    if (this.#scan_at > 0) this.#scan_at = performance.now() + rest;
    return endpoints;
  }

  async #findWoken(began_at: number): Promise<PendingEndpoint[]> {
    this.#is_unknown_woken = false;
    const organization_ids = [...this.#woken];
    // An organization that is woken during the search is searched again.
    this.#woken.clear();
    const endpoints = await findPendingEndpointsOf(this.#database, {
      shards: [...this.#tokens.keys()],
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
