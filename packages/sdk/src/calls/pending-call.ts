import type { ApiCall, WithResponse } from "./api-call.ts";
import { httpResponse, type RawResponse } from "./exchange.ts";

/** A procedure's output with the HTTP response. */
export interface CallReply<Output> {
  data: Output;
  response: RawResponse;
}

/**
 * Not a subclass of `Promise`: separate promises for the result and the response could both reject, one of
 * them unhandled.
 */
export abstract class Awaitable<Output> implements ApiCall<Output> {
  abstract readonly [Symbol.toStringTag]: string;

  /** Returns the same promise each time. */
  protected abstract reply(): Promise<CallReply<Output>>;

  // biome-ignore lint/suspicious/noThenProperty: this object is meant to be awaited
  then<Fulfilled = Output, Rejected = never>(
    onFulfilled?: ((output: Output) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    // Passed on unchanged: behind another function, error stacks would no longer show the caller.
    return this.#output().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Output | Rejected> {
    return this.#output().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Output> {
    return this.#output().finally(onFinally);
  }

  async withResponse(): Promise<WithResponse<Output>> {
    const { data, response } = await this.reply();
    return { data, response: httpResponse(response) };
  }

  #output(): Promise<Output> {
    return this.reply().then(({ data }) => data);
  }
}

/** A call that has been sent. */
export class PendingCall<Output> extends Awaitable<Output> {
  readonly [Symbol.toStringTag] = "ApiCall";
  readonly #reply: Promise<CallReply<Output>>;

  constructor(reply: Promise<CallReply<Output>>) {
    super();
    this.#reply = reply;
  }

  protected override reply(): Promise<CallReply<Output>> {
    return this.#reply;
  }
}
