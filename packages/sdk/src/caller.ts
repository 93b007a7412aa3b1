import { type Outcome, readOutcomes } from "./answer.ts";
import type { ApiCall } from "./api-call.ts";
import { call, type Send } from "./call.ts";
import { FindersfeeError, invalidArgument } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { LazyList, type ListInput } from "./lazy-list.ts";
import { abortion } from "./limit.ts";
import type { List, Page } from "./list.ts";
import type { CallOptions, CreateOptions } from "./options.ts";
import { type CallReply, PendingCall } from "./pending-call.ts";
import { QueryQueue } from "./query-queue.ts";
import { readHeaders } from "./request-headers.ts";
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
  query<Output>(path: string, input: object, options: CallOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#query(path, input, options));
  }

  /** Creates, however often it has to be sent, at most once. */
  create<Output>(path: string, input: object, options: CreateOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#change(path, input, { options, is_create: true }));
  }

  /** Sets fields to values: twice is the same as once. */
  update<Output>(path: string, input: object, options: CallOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#change(path, input, { options, is_create: false }));
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
      fetchPage: (page) => this.#query<Page<Row>>(path, page, options),
      checkWanted: () => {
        if (options.signal?.aborted) throw new FindersfeeError(abortion(options.signal));
      },
    });
  }

  async #query<Output>(path: string, input: object, options: CallOptions): Promise<CallReply<Output>> {
    const json = jsonOf(input);
    const headers = readHeaders(options.headers);
    const one = { settings: this.#settings, options, operation: path, idempotency_key: null };
    return await call(one, (attempt, limit) =>
      limit.wait((done: (outcome: Outcome) => void) =>
        this.#queue.add({ path, json, headers, attempt: attempt + 1 }, done),
      ),
    );
  }

  async #change<Output>(
    path: string,
    input: object,
    { options, is_create }: { options: CreateOptions; is_create: boolean },
  ): Promise<CallReply<Output>> {
    const idempotency_key = is_create ? readIdempotencyKey(options.idempotencyKey) : null;
    const headers = {
      ...readHeaders(options.headers),
      "content-type": "application/json",
      ...(idempotency_key === null ? {} : { "idempotency-key": idempotency_key }),
    };
    const one = { settings: this.#settings, options, operation: path, idempotency_key };
    return await call(one, this.#sender(path, jsonOf(input), headers));
  }

  /** A change goes alone: its headers are for it only, and another's failure must not be its own. */
  #sender(operation: string, body: string, headers: Record<string, string>): Send {
    const request = {
      operations: [operation],
      method: "POST",
      path: `/trpc/${operation}`,
      headers,
      body,
    } as const;
    const settings = this.#settings;
    return (attempt, limit) =>
      limit.wait((done: (outcome: Outcome) => void) =>
        exchange(settings, { ...request, attempt: attempt + 1 }, (answer) => {
          for (const outcome of readOutcomes(answer, { calls: 1, settings })) done(outcome);
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
