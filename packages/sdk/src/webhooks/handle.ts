import type { EventType, WebhookEvent } from "../resources/events.ts";
import type { Deduplication } from "./deduplication.ts";
import type { EventHandlers, EventOfType, WebhookHandlerOptions } from "./handler-options.ts";
import { report } from "./report.ts";
import { BUSY, DONE, type HandlerResponse, withText } from "./response.ts";
import type { VerifiedDelivery, WebhookDelivery } from "./verify.ts";

type Work = () => unknown;

/** Handles a verified event, once if the options include deduplication. Never rejects. */
export async function handle(
  { event, ...delivery }: VerifiedDelivery,
  options: WebhookHandlerOptions,
): Promise<HandlerResponse> {
  const work = workFor(event, delivery, options);
  if (work === null) return DONE;
  try {
    if (options.deduplication !== undefined)
      return await handleOnce(work, delivery, { ...options, deduplication: options.deduplication });
    await work();
    return DONE;
  } catch (error) {
    await report(error, delivery, options);
    return withText(500, "The receiver failed to handle the event.");
  }
}

/** Null skips events of this type. */
function workFor(
  event: WebhookEvent,
  delivery: WebhookDelivery,
  { onEvent }: WebhookHandlerOptions,
): Work | null {
  if (typeof onEvent === "function") return () => onEvent(event, delivery);
  return Object.hasOwn(onEvent, event.type) ? workOfType(onEvent, event.type, { event, delivery }) : null;
}

function workOfType<Type extends EventType>(
  handlers: EventHandlers,
  type: Type,
  { event, delivery }: { event: EventOfType[Type]; delivery: WebhookDelivery },
): Work | null {
  const handler = handlers[type];
  return handler === undefined ? null : () => handler(event, delivery);
}

type OnceOptions = WebhookHandlerOptions & { deduplication: Deduplication };

async function handleOnce(
  work: Work,
  delivery: WebhookDelivery,
  options: OnceOptions,
): Promise<HandlerResponse> {
  const claim = await options.deduplication.claim(delivery.id);
  switch (claim) {
    case "claimed":
      await handleClaimed(work, delivery, options);
      return DONE;
    case "handled":
      return DONE;
    case "busy":
      return BUSY;
    default:
      throw new TypeError(`claim must return "claimed", "handled" or "busy", not ${claim satisfies never}`);
  }
}

/**
 * Runs `work`, then completes the claim.
 *
 * @throws the error of `work`, after releasing the claim
 */
async function handleClaimed(work: Work, delivery: WebhookDelivery, options: OnceOptions): Promise<void> {
  const { deduplication } = options;
  const runOrReport = (action: Work) => reportFailure(action, delivery, options);
  try {
    await work();
  } catch (error) {
    await runOrReport(() => deduplication.release(delivery.id));
    throw error;
  }
  // The event was handled: rejecting the delivery because the id could not be stored would repeat the
  // handling.
  await runOrReport(() => deduplication.complete(delivery.id));
}

async function reportFailure(
  action: Work,
  delivery: WebhookDelivery,
  options: WebhookHandlerOptions,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    await report(error, delivery, options);
  }
}
