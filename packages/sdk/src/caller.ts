import { type Outcome, readOutcomes } from "./answer.ts";
import { call, type Send } from "./call.ts";
import { FindersfeeError, invalidArgument } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { readIdempotencyKey, withIdempotencyKey } from "./idempotency-key.ts";
import { abortion } from "./limit.ts";
import { LazyList, type List, type ListInput, type Page } from "./list.ts";
import type { CallOptions, CreateOptions } from "./options.ts";
import { QueryQueue } from "./query-queue.ts";
import type { Settings } from "./settings.ts";

/** Calls procedures by their names. */
export class Caller {
  readonly #settings: Settings;
  readonly #queue: QueryQueue;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#queue = new QueryQueue(settings);
  }

  /** Reads; with others of the same turn in one request. */
  async query<Output>(path: string, input: object, options: CallOptions = {}): Promise<Output> {
    const json = jsonOf(input);
    return await call(this.#settings, options, (attempt, limit) =>
      limit.wait((done: (outcome: Outcome) => void) =>
        this.#queue.add({ path, json, patient: attempt > 0 }, done),
      ),
    );
  }

  /** Creates, however often it has to be sent, at most once. */
  async create<Output>(path: string, input: object, options: CreateOptions = {}): Promise<Output> {
    const key = readIdempotencyKey(options.idempotencyKey);
    const send = this.#sender(path, input, { "idempotency-key": key });
    return await withIdempotencyKey(key, call(this.#settings, options, send));
  }

  /** Sets fields to values: twice is the same as once. */
  async update<Output>(path: string, input: object, options: CallOptions = {}): Promise<Output> {
    return await call(this.#settings, options, this.#sender(path, input, {}));
  }

  /** Sends nothing before the list is used. */
  list<Row>(
    { path, cursor }: { path: string; cursor: "cursor" | "after" },
    input: ListInput = {},
    options: CallOptions = {},
  ): List<Row> {
    return new LazyList<Row>({
      input,
      cursor,
      fetchPage: (page) => this.query<Page<Row>>(path, page, options),
      checkWanted: () => {
        if (options.signal?.aborted) throw new FindersfeeError(abortion(options.signal));
      },
    });
  }

  /** A change goes alone: its headers are for it only, and another's failure must not be its own. */
  #sender(path: string, input: object, headers: Record<string, string>): Send {
    const request = {
      method: "POST",
      path: `/trpc/${path}`,
      headers: { "content-type": "application/json", ...headers },
      body: jsonOf(input),
    } as const;
    const { base_url } = this.#settings;
    return (_attempt, limit) =>
      limit.wait((done: (outcome: Outcome) => void) =>
        exchange(this.#settings, request, (answer) => {
          for (const outcome of readOutcomes(answer, { calls: 1, base_url })) done(outcome);
        }),
      );
  }
}

function jsonOf(input: object): string {
  try {
    return JSON.stringify(input) ?? "null";
  } catch (cause) {
    const failure = invalidArgument("", "The input cannot be written as JSON.");
    throw new FindersfeeError({ ...failure, cause });
  }
}
