import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { type AttemptErrorCode, type AttemptOutcome, errorCodeOf, retryAfterSeconds } from "./outcome.ts";

export interface SendResult {
  outcome: Omit<AttemptOutcome, "duration_milliseconds">;
  /** The connection had served before and ended before it gave any answer to this. */
  was_closed_kept_connection: boolean;
}

const CAPTURED_BYTES = 16 * 1024;

/** One request and its answer, under a deadline; what comes after the outcome is dropped with the socket. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: SendResult) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #begun = 0;
  #status: number | null = null;
  #retry_after_seconds: number | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #is_over = false;

  constructor({ timeout, resolve }: { timeout: number; resolve: (result: SendResult) => void }) {
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#fail("timeout", `no complete answer within ${timeout} ms`), timeout);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#begun += 1;
    if (this.#is_over) controller.abort(new Error("the attempt is over"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx are not the answer.
    if (status < 200) return;
    this.#status = status;
    this.#retry_after_seconds = retryAfterSeconds(status, headers["retry-after"], Date.now());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#is_over) return;
    this.#chunks.push(
      chunk.length > CAPTURED_BYTES - this.#bytes ? chunk.subarray(0, CAPTURED_BYTES - this.#bytes) : chunk,
    );
    this.#bytes += chunk.length;
    // Enough: the status has decided, and a body without end must not hold the place.
    if (this.#bytes >= CAPTURED_BYTES) {
      this.#answered();
      this.#controller?.abort(new Error("the rest of the answer is not wanted"));
    }
  }

  onResponseEnd(): void {
    this.#answered();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    const code = errorCodeOf(error);
    // A status that is none of success has decided, whatever became of the body.
    if (this.#status !== null && !isSuccess(this.#status)) this.#answered();
    else this.#fail(code, error.message);
  }

  #answered(): void {
    const status = this.#status;
    if (status === null) {
      this.#fail("bad_response", "the answer has no status");
      return;
    }
    const delivered = isSuccess(status);
    this.#end({
      delivered,
      status,
      error_code: delivered ? null : "http_status",
      error_message: null,
      response: this.#response(),
      retry_after_seconds: this.#retry_after_seconds,
      gone: status === 410,
    });
  }

  #fail(error_code: AttemptErrorCode, error_message: string): void {
    this.#end(
      {
        delivered: false,
        status: this.#status,
        error_code,
        error_message: textOf(Buffer.from(error_message)).slice(0, 500),
        response: this.#response(),
        retry_after_seconds: null,
        gone: false,
      },
      error_code === "reset" && this.#status === null && this.#begun > 0,
    );
    this.#controller?.abort(new Error(error_message));
  }

  #end(outcome: SendResult["outcome"], was_reset = false): void {
    if (this.#is_over) return;
    this.#is_over = true;
    clearTimeout(this.#timer);
    this.#resolve({ outcome, was_closed_kept_connection: was_reset });
  }

  #response(): string {
    return textOf(Buffer.concat(this.#chunks));
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** As text that Postgres takes: invalid bytes replaced, and NUL, which it has no place for. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\ufffd");
}
