import type { IncomingHttpHeaders } from "node:http";
import type { AttemptErrorCode } from "@findersfee/contract/webhooks/deliveries";
import type { Dispatcher } from "undici";
import type { Connections } from "./connections.ts";
import { type AttemptOutcome, errorCodeOf, retryAfterSeconds } from "./outcome.ts";
import { endsAtHead, statusOfInvalidHead } from "./response-head.ts";

export interface HttpExchangeDependencies {
  timeout_milliseconds: number;
  connections: Connections;
  /** Makes the request with undici, which reports to the exchange. */
  dispatch: (exchange: HttpExchange) => void;
  resolve: (outcome: AttemptOutcome) => void;
}

const CAPTURED_BYTES = 16 * 1024;
/** A receiver that sends 1xx responses without end would starve the deliveries to others. */
const MAX_INFORMATIONAL = 32;

/** One HTTP request and its response, under one deadline. Data after the outcome is dropped with the socket. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #dependencies: HttpExchangeDependencies;
  readonly #started_at = performance.now();
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #is_on_reused_connection = false;
  #was_retried = false;
  #has_response = false;
  #informational = 0;
  #status: number | null = null;
  #retry_after_seconds: number | null = null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #is_done = false;

  constructor(dependencies: HttpExchangeDependencies) {
    this.#dependencies = dependencies;
    this.#timer = setTimeout(() => this.#onDeadline(), dependencies.timeout_milliseconds);
  }

  start(): void {
    try {
      this.#dependencies.dispatch(this);
    } catch (error) {
      this.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#is_on_reused_connection = !this.#dependencies.connections.is_opening;
    // The deadline passed while it waited for a connection.
    if (this.#is_done) controller.abort(new Error("the attempt is over"));
  }

  /** undici calls it at the first byte of a response. */
  onResponseStarted(): void {
    this.#has_response = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL) this.#abort("bad_response", "1xx without end");
      return;
    }
    this.#status = status;
    this.#retry_after_seconds = retryAfterSeconds(status, headers["retry-after"], Date.now());
    if (!endsAtHead(status, headers)) return;
    this.#completed();
    this.#controller?.abort(new Error("the connection cannot be reused"));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#is_done) return;
    const room = CAPTURED_BYTES - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < CAPTURED_BYTES) return;
    // The status decides the outcome, and an endless body must not occupy the slot.
    this.#completed();
    this.#controller?.abort(new Error("the rest of the response is not read"));
  }

  onResponseEnd(): void {
    this.#completed();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#is_done) return;
    if (this.#status === null && "head" in error && Buffer.isBuffer(error.head)) {
      this.#status = statusOfInvalidHead(error.head);
      if (this.#status !== null) {
        this.#completed();
        return;
      }
    }
    const code = errorCodeOf(error);
    if (code === "reset" && this.#canRetry()) {
      this.#was_retried = true;
      this.start();
    } else this.#failed(code, error.message);
  }

  /**
   * If the server closes a reused connection while we write to it, the receiver has not failed. If it did receive the
   * request, the event arrives twice, as at-least-once delivery allows.
   */
  #canRetry(): boolean {
    return this.#is_on_reused_connection && !this.#has_response && !this.#was_retried;
  }

  #onDeadline(): void {
    this.#abort("timeout", `no complete answer within ${this.#dependencies.timeout_milliseconds} ms`);
  }

  #abort(error_code: AttemptErrorCode, message: string): void {
    this.#failed(error_code, message);
    this.#controller?.abort(new Error(message));
  }

  #failed(error_code: AttemptErrorCode, message: string): void {
    // An error status decides, even if the body is incomplete.
    if (this.#status !== null && !isSuccess(this.#status)) this.#completed();
    else this.#end(error_code, textOf(Buffer.from(message)).slice(0, 500));
  }

  #completed(): void {
    const status = this.#status;
    if (status === null) this.#end("bad_response", "the answer has no status");
    else this.#end(isSuccess(status) ? null : "http_status", null);
  }

  #end(error_code: AttemptErrorCode | null, error_message: string | null): void {
    if (this.#is_done) return;
    this.#is_done = true;
    clearTimeout(this.#timer);
    this.#dependencies.resolve({
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

/** Replaces invalid bytes and NUL, which Postgres cannot store. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\ufffd");
}
