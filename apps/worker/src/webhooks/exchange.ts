import type { IncomingHttpHeaders } from "node:http";
import type { AttemptErrorCode } from "@findersfee/contract/deliveries";
import type { Dispatcher } from "undici";
import type { Connections } from "./connections.ts";
import { type AttemptOutcome, errorCodeOf, retryAfterSeconds } from "./outcome.ts";
import { endsAtHead, statusOfRefusedHead } from "./response-head.ts";

export interface ExchangeParts {
  timeout_milliseconds: number;
  connections: Connections;
  /** Has undici make the request and report to the exchange. */
  dispatch: (exchange: Exchange) => void;
  resolve: (outcome: AttemptOutcome) => void;
}

const CAPTURED_BYTES = 16 * 1024;
/** A receiver that sends 1xx as fast as it can would keep this process from all the others. */
const MOST_INFORMATIONAL = 32;

/** One request and its answer, under one deadline. Data after the outcome is dropped with the socket. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  readonly #started_at = performance.now();
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #is_on_kept_connection = false;
  #was_tried_again = false;
  #has_begun_to_answer = false;
  #informational = 0;
  #status: number | null = null;
  #retry_after_seconds: number | null = null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #is_over = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#timer = setTimeout(() => this.#onDeadline(), parts.timeout_milliseconds);
  }

  begin(): void {
    try {
      this.#parts.dispatch(this);
    } catch (error) {
      this.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#is_on_kept_connection = !this.#parts.connections.is_opening;
    // It waited for a connection until its deadline.
    if (this.#is_over) controller.abort(new Error("the attempt is over"));
  }

  /** undici calls it at the first byte of an answer. */
  onResponseStarted(): void {
    this.#has_begun_to_answer = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > MOST_INFORMATIONAL) this.#breakOff("bad_response", "1xx without end");
      return;
    }
    this.#status = status;
    this.#retry_after_seconds = retryAfterSeconds(status, headers["retry-after"], Date.now());
    if (!endsAtHead(status, headers)) return;
    this.#answered();
    this.#controller?.abort(new Error("the connection cannot be used again"));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#is_over) return;
    const room = CAPTURED_BYTES - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < CAPTURED_BYTES) return;
    // Enough: the status has decided, and a body without end must not hold the place.
    this.#answered();
    this.#controller?.abort(new Error("the rest of the answer is not wanted"));
  }

  onResponseEnd(): void {
    this.#answered();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#is_over) return;
    if (this.#status === null && "head" in error && Buffer.isBuffer(error.head)) {
      this.#status = statusOfRefusedHead(error.head);
      if (this.#status !== null) {
        this.#answered();
        return;
      }
    }
    const code = errorCodeOf(error);
    if (code === "reset" && this.#mayBeTriedAgain()) {
      this.#was_tried_again = true;
      this.begin();
    } else this.#broken(code, error.message);
  }

  /**
   * If the server closes a kept connection just as we write to it, the receiver has not failed. If it did take the
   * request, the event comes twice, as at-least-once delivery allows.
   */
  #mayBeTriedAgain(): boolean {
    return this.#is_on_kept_connection && !this.#has_begun_to_answer && !this.#was_tried_again;
  }

  #onDeadline(): void {
    this.#breakOff("timeout", `no complete answer within ${this.#parts.timeout_milliseconds} ms`);
  }

  #breakOff(error_code: AttemptErrorCode, message: string): void {
    this.#broken(error_code, message);
    this.#controller?.abort(new Error(message));
  }

  #broken(error_code: AttemptErrorCode, message: string): void {
    // An error status decides, even if the body is incomplete.
    if (this.#status !== null && !isSuccess(this.#status)) this.#answered();
    else this.#end(error_code, textOf(Buffer.from(message)).slice(0, 500));
  }

  #answered(): void {
    const status = this.#status;
    if (status === null) this.#end("bad_response", "the answer has no status");
    else this.#end(isSuccess(status) ? null : "http_status", null);
  }

  #end(error_code: AttemptErrorCode | null, error_message: string | null): void {
    if (this.#is_over) return;
    this.#is_over = true;
    clearTimeout(this.#timer);
    this.#parts.resolve({
      delivered: error_code === null,
      status: this.#status,
      error_code,
      error_message,
      response: this.#bytes === 0 ? "" : textOf(Buffer.concat(this.#chunks)),
      retry_after_seconds: this.#retry_after_seconds,
      gone: this.#status === 410,
      duration_milliseconds: performance.now() - this.#started_at,
    });
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** As text that Postgres takes: invalid bytes replaced, and NUL, which it has no place for. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\ufffd");
}
