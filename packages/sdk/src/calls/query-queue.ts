import type { ClientSettings } from "../settings/settings.ts";
import { exchange } from "./exchange.ts";
import { type Outcome, readOutcomes } from "./outcome.ts";

/** The most queries that the service accepts in one request. */
const MAX_CALLS = 50;
/** Proxies in front of the service usually accept request lines of up to 8 KiB. */
const MAX_URL_LENGTH = 7_500;
/** `%22 0 %22%3A … %2C` around each input, and a comma between paths. */
const OVERHEAD = 18;

interface Query {
  path: string;
  /** JSON, URL-encoded. */
  input: string;
  done: (outcome: Outcome) => void;
  headers: Record<string, string> | null;
  /** From 1. */
  attempt: number;
  request: Batch | null;
  given_up: boolean;
}

interface Batch {
  waiting: number;
  giveUp: () => void;
}

/** Batches queries made at the same time into one request. */
export class QueryQueue {
  readonly #settings: ClientSettings;
  #waiting: Query[] = [];

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a query soon, batched with the other queries of the same turn; retries are batched with all retries
   * due now. A query with its own headers is sent alone. The returned function cancels it; a request without
   * remaining callers is aborted.
   */
  add(
    { path, json, headers, attempt }: Pick<Query, "path" | "headers" | "attempt"> & { json: string },
    done: (outcome: Outcome) => void,
  ): () => void {
    const input = encodeURIComponent(json);
    const query: Query = { path, input, headers, attempt, done, request: null, given_up: false };
    if (headers === null) this.#enqueue(query);
    else this.#send([query], headers);
    return () => {
      query.given_up = true;
      const { request } = query;
      if (request !== null && --request.waiting === 0) request.giveUp();
    };
  }

  #enqueue(query: Query): void {
    this.#waiting.push(query);
    if (this.#waiting.length > 1) return;
    if (query.attempt > 1) setTimeout(() => this.#flush(), 1);
    else void this.#flushAfterTurn();
  }

  /** Promises awaited together resolve one after another, the promises of lists slightly later. */
  async #flushAfterTurn(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await null;
    this.#flush();
  }

  #flush(): void {
    const queries = this.#waiting.filter(({ given_up }) => !given_up);
    this.#waiting = [];
    while (queries.length > 0) {
      this.#send(queries.splice(0, fitting(queries, MAX_URL_LENGTH - this.#settings.base_url.length)));
    }
  }

  #send(queries: readonly Query[], headers?: Record<string, string>): void {
    const batch: Batch = { waiting: queries.length, giveUp: () => {} };
    for (const query of queries) query.request = batch;
    const settings = this.#settings;
    const request = {
      operations: queries.map(({ path }) => path),
      attempt: queries.reduce((most, { attempt }) => Math.max(most, attempt), 1),
      method: "GET",
      path: pathOf(queries),
      ...(headers === undefined ? {} : { headers }),
    } as const;
    batch.giveUp = exchange(settings, request, (response) => {
      const outcomes = readOutcomes(response, { calls: queries.length, settings });
      queries.forEach(({ done, given_up }, index) => {
        const outcome = outcomes[index];
        if (outcome !== undefined && !given_up) done(outcome);
      });
    });
  }
}

/** How many of these queries fit into one request; at least one. */
function fitting(queries: readonly Query[], room: number): number {
  let left = room;
  const first_left_out = queries.findIndex(({ path, input }, index) => {
    left -= path.length + input.length + OVERHEAD;
    return index === MAX_CALLS || (index > 0 && left < 0);
  });
  return first_left_out === -1 ? queries.length : first_left_out;
}

function pathOf(queries: readonly Query[]): string {
  const [first] = queries;
  if (first !== undefined && queries.length === 1) return `/trpc/${first.path}?input=${first.input}`;
  const inputs = queries.map(({ input }, index) => `%22${index}%22%3A${input}`);
  return `/trpc/${queries.map(({ path }) => path).join(",")}?batch=1&input=%7B${inputs.join("%2C")}%7D`;
}
