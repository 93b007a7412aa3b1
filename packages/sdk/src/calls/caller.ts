import { FindersfeeError, invalidArgument } from "../errors/errors.ts";
import type { CallOptions, CreateOptions } from "../settings/options.ts";
import { readHeaders } from "../settings/request-headers.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { ApiCall } from "./api-call.ts";
import { call, type Send } from "./call.ts";
import { exchange } from "./exchange.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { LazyList, type ListInput } from "./lazy-list.ts";
import { abortion } from "./limit.ts";
import type { List, Page } from "./list.ts";
import { type Outcome, readOutcomes } from "./outcome.ts";
import { type CallReply, PendingCall } from "./pending-call.ts";
import { QueryQueue } from "./query-queue.ts";

/** Calls procedures by name. */
export class Caller {
  readonly #settings: ClientSettings;
  readonly #queue: QueryQueue;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#queue = new QueryQueue(settings);
  }

  /** Reads; shares a request with the other queries of the same turn. */
  query<Output>(path: string, input: object, options: CallOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#query(path, input, options));
  }

  /** Creates at most once, regardless of the number of attempts. */
  create<Output>(path: string, input: object, options: CreateOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#change(path, input, { options, is_create: true }));
  }

  /** Sets fields to values, so repeating it has no further effect. */
  update<Output>(path: string, input: object, options: CallOptions = {}): ApiCall<Output> {
    return new PendingCall(this.#change(path, input, { options, is_create: false }));
  }

  /** Sends nothing until the list is used. */
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
    const planned = { settings: this.#settings, options, operation: path, idempotency_key: null };
    return await call(planned, (attempt, limit) =>
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
    const planned = { settings: this.#settings, options, operation: path, idempotency_key };
    return await call(planned, this.#sender(path, jsonOf(input), headers));
  }

  /**
   * A change has a request to itself: its headers apply to it alone, and no other call's failure affects it.
   */
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
        exchange(settings, { ...request, attempt: attempt + 1 }, (response) => {
          for (const outcome of readOutcomes(response, { calls: 1, settings })) done(outcome);
        }),
      );
  }
}

function jsonOf(input: object): string {
  try {
    return JSON.stringify(input) ?? "null";
  } catch (cause) {
    const failure = invalidArgument("", "The input cannot be serialized as JSON.");
    throw new FindersfeeError({ ...failure, cause });
  }
}
