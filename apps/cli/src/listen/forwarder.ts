import { setTimeout as delay } from "node:timers/promises";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/signature";
import type { Sender } from "@findersfee/worker/webhooks/send";
import packageJson from "../../package.json" with { type: "json" };
import type { FeedEvent } from "./feed.ts";

/** What a receiver answered to an attempt, or why it did not. */
export type Answer = Awaited<ReturnType<Sender["send"]>>;

export interface ForwardTo {
  url: string;
  secret: string;
  /** How long to wait before each attempt at an event that no receiver took. */
  retry_seconds?: readonly number[];
}

/** What became of an event at the receiver. */
export interface Forwarding {
  /** The last answer. */
  answer: Answer;
  attempts: number;
  /** It never came to the receiver. */
  given_up: boolean;
}

/** Together as long as a server under development needs to start again. */
const RETRY_SECONDS = [1, 2, 4, 8];
/** What a proxy says of a receiver behind it that is not there. */
const GATEWAY_STATUSES = [502, 503, 504];
/** At the end an answer that is under way is waited for so long. */
const LAST_ANSWER_MILLISECONDS = 1_000;

/** Sends events to one receiver, as the service's deliveries are sent: signed, with the same headers and bytes. */
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

  /** Sends an event until it reaches the receiver, but not for ever. Rejects when the end comes before that. */
  async forward(event: FeedEvent, onRetry: (answer: Answer, seconds: number) => void): Promise<Forwarding> {
    for (let attempts = 1; ; attempts++) {
      const answer = await this.send(event);
      if (!neverCame(answer)) {
        this.#is_away = false;
        return { answer, attempts, given_up: false };
      }
      // A receiver that was given up gets one attempt at each event, or a backlog would take hours.
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

  /** Makes one attempt, with a signature of its own moment. Rejects only when the end breaks it off. */
  async send({ id, type, data }: Pick<FeedEvent, "id" | "type" | "data">): Promise<Answer> {
    const timestamp = Math.floor(Date.now() / 1000);
    // The stored body was written by JSON.stringify, too, so that parsed and written again it has the same bytes.
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
 * Whether the receiver cannot have taken the event. One that is slow may have, as when its developer looks
 * at it in a debugger, and must not get it again and again.
 */
function neverCame({ status, error_code }: Answer): boolean {
  if (status !== null) return GATEWAY_STATUSES.includes(status);
  return error_code !== "timeout" && error_code !== "blocked_address";
}
