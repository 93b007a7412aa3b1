import { setTimeout as delay } from "node:timers/promises";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import type { Sender } from "@findersfee/worker/webhooks/send";
import packageJson from "../../../package.json" with { type: "json" };
import type { FeedEvent } from "./feed.ts";

/** The receiver's response to an attempt, or its failure. */
export type ForwardResponse = Awaited<ReturnType<Sender["send"]>>;

export interface ForwardTo {
  url: string;
  secret: string;
  /** The delay before each attempt for an event that no receiver has accepted. */
  retry_seconds?: readonly number[];
}

/** The result of forwarding an event. */
export interface Forwarding {
  /** The last response. */
  answer: ForwardResponse;
  attempts: number;
  /** The event never reached the receiver. */
  given_up: boolean;
}

/** Together as long as a development server needs to restart. */
const RETRY_SECONDS = [1, 2, 4, 8];
/** Statuses of a proxy with an unreachable receiver behind it. */
const GATEWAY_STATUSES = [502, 503, 504];
/** How long to wait at the end for a response in progress. */
const LAST_ANSWER_MILLISECONDS = 1_000;

/** Sends events to one receiver like the service's deliveries: signed, with the same headers and bytes. */
export class Forwarder {
  readonly url: string;
  readonly #key: Buffer;
  readonly #sender: Sender;
  readonly #signal: AbortSignal;
  readonly #retry_seconds: readonly number[];
  #is_away = false;

  private constructor(
    { url, secret, retry_seconds = RETRY_SECONDS }: ForwardTo,
    { sender, signal }: { sender: Sender; signal: AbortSignal },
  ) {
    this.url = url;
    this.#key = signatureKey(secret);
    this.#sender = sender;
    this.#signal = signal;
    this.#retry_seconds = retry_seconds;
  }

  static async open(to: ForwardTo, signal: AbortSignal): Promise<Forwarder> {
    // Loaded here, so that commands that send nothing start fast.
    const { createSender } = await import("@findersfee/worker/webhooks/send");
    const sender = createSender({
      allow_http: true,
      allow_private: true,
      user_agent_version: packageJson.version,
    });
    const breakOff = () => setTimeout(() => sender.destroy(), LAST_ANSWER_MILLISECONDS).unref();
    signal.addEventListener("abort", breakOff, { once: true });
    return new Forwarder(to, { sender, signal });
  }

  /** Sends an event until it reaches the receiver, for a limited time. Rejects when aborted before that. */
  async forward(
    event: FeedEvent,
    onRetry: (answer: ForwardResponse, seconds: number) => void,
  ): Promise<Forwarding> {
    for (let attempts = 1; ; attempts++) {
      const answer = await this.send(event);
      if (!neverCame(answer)) {
        this.#is_away = false;
        return { answer, attempts, given_up: false };
      }
      // A receiver that was given up gets one attempt per event; otherwise a backlog would take hours.
      const seconds = this.#is_away ? undefined : this.#retry_seconds[attempts - 1];
      this.#signal.throwIfAborted();
      if (seconds === undefined) {
        this.#is_away = true;
        return { answer, attempts, given_up: true };
      }
      onRetry(answer, seconds);
      await delay(seconds * 1000, null, { signal: this.#signal });
    }
  }

  /** Makes one attempt, signed with the current time. Rejects only when aborted. */
  async send({ id, type, data }: Pick<FeedEvent, "id" | "type" | "data">): Promise<ForwardResponse> {
    const timestamp = Math.floor(Date.now() / 1000);
    // The stored body was written by JSON.stringify too, so parsing and serializing it again gives the same
    // bytes.
    const body = JSON.stringify({ type, data });
    const signature = signWebhook({ id, timestamp, body }, [this.#key]);
    const answer = await this.#sender.send({ url: this.url, id, timestamp, signature, body });
    if (answer.status === null) this.#signal.throwIfAborted();
    return answer;
  }

  async close(): Promise<void> {
    this.#sender.destroy();
    await this.#sender.close();
  }
}

/**
 * Whether the receiver cannot have accepted the event. A slow one may have, as when its developer pauses it
 * in a debugger, and must not get the event repeatedly.
 */
function neverCame({ status, error_code }: ForwardResponse): boolean {
  if (status !== null) return GATEWAY_STATUSES.includes(status);
  return error_code !== "timeout" && error_code !== "blocked_address";
}
