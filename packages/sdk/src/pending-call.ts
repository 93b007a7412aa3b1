import type { ApiCall, WithResponse } from "./api-call.ts";
import { type Answer, httpResponse } from "./exchange.ts";

/** A procedure's output with the answer that it came in. */
export interface CallReply<Output> {
  data: Output;
  answer: Answer;
}

/** Not a subclass of `Promise`: one promise for the result and one for the response could both reject, unseen. */
export abstract class Awaitable<Output> implements ApiCall<Output> {
  abstract readonly [Symbol.toStringTag]: string;

  /** The same promise each time. */
  protected abstract reply(): Promise<CallReply<Output>>;

  // biome-ignore lint/suspicious/noThenProperty: to be awaited is its purpose
  then<Fulfilled = Output, Rejected = never>(
    onFulfilled?: ((output: Output) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    // Handed on unchanged: behind a function of our own, errors' stacks would no longer name the caller.
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
    const { data, answer } = await this.reply();
    return { data, response: httpResponse(answer) };
  }

  #output(): Promise<Output> {
    return this.reply().then(({ data }) => data);
  }
}

/** A call that was sent. */
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
