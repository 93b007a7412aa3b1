import type { EventType, WebhookEvent } from "../events.ts";
import type { Deduplication } from "./deduplication.ts";
import type { WebhookSecret } from "./secret.ts";
import type { WebhookVerificationError } from "./verification-error.ts";
import type { VerifyOptions, WebhookDelivery } from "./verify.ts";

/** The event of each type. */
export type EventOfType = { [Event in WebhookEvent as Event["type"]]: Event };

/** A function for each type that is to be handled; others are answered with 2xx and passed over. */
export type EventHandlers = {
  readonly [Type in EventType]?:
    | ((event: EventOfType[Type], delivery: WebhookDelivery) => unknown)
    | undefined;
};

/**
 * What is done with an event, or one function for each type. If it throws or rejects, the delivery is
 * answered with 500 and comes again. It has 15 seconds, after which the service takes the delivery for failed.
 */
export type OnEvent = ((event: WebhookEvent, delivery: WebhookDelivery) => unknown) | EventHandlers;

export interface WebhookHandlerOptions extends VerifyOptions {
  /** The endpoint's secret, `whsec_…`; several while it is rotated. */
  secret: WebhookSecret;
  onEvent: OnEvent;
  /** Sees to it that each event is handled once; without it a second copy is handled again. */
  deduplication?: Deduplication | undefined;
  /** Larger bodies are answered with 413; 1 MiB unless told. */
  maxBodyBytes?: number | undefined;
  /**
   * Told of what went wrong on this side, each answered with 500: `onEvent` or the deduplication failed, the
   * secret is none, the body was parsed or read before. Without it, `console.error` (in Fastify: the log).
   * The delivery is null when it could not be verified.
   */
  onError?: ((error: unknown, delivery: WebhookDelivery | null) => unknown) | undefined;
  /** Told of requests that were refused with 400, which anyone can send. */
  onRefused?: ((error: WebhookVerificationError) => unknown) | undefined;
}
