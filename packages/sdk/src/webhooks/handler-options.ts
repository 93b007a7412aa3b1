import type { EventType, WebhookEvent } from "../resources/events.ts";
import type { Deduplication } from "./deduplication.ts";
import type { WebhookSecret } from "./secret.ts";
import type { WebhookVerificationError } from "./verification-error.ts";
import type { VerifyOptions, WebhookDelivery } from "./verify.ts";

/** The type of each event, by its `type`. */
export type EventOfType = { [Event in WebhookEvent as Event["type"]]: Event };

/** A function for each event type to handle. Deliveries of other types are acknowledged with 2xx. */
export type EventHandlers = {
  readonly [Type in EventType]?:
    | ((event: EventOfType[Type], delivery: WebhookDelivery) => unknown)
    | undefined;
};

/**
 * A function that handles all events, or one function per type. If it throws or rejects, the delivery gets 500 and the
 * service retries it. After 15 seconds without a response, the service considers the attempt failed.
 */
export type OnEvent = ((event: WebhookEvent, delivery: WebhookDelivery) => unknown) | EventHandlers;

export interface WebhookHandlerOptions extends VerifyOptions {
  /** The endpoint's secret, `whsec_…`; several during a rotation. */
  secret: WebhookSecret;
  onEvent: OnEvent;
  /** Ensures that each event is handled once. Without it, an event that is delivered twice is handled twice. */
  deduplication?: Deduplication | undefined;
  /** The maximum size of a body; larger ones get 413. Default: 1 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * Receives errors on the receiver's side. Each one causes a 500: `onEvent` or the deduplication failed, the
   * secret is invalid, or the body was parsed or read before. Default: `console.error` (in Fastify: the log).
   * The delivery is null when it could not be verified.
   */
  onError?: ((error: unknown, delivery: WebhookDelivery | null) => unknown) | undefined;
  /** Receives requests rejected with 400, which anyone can send. */
  onRefused?: ((error: WebhookVerificationError) => unknown) | undefined;
}
