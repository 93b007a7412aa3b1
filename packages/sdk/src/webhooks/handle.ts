import type { EventType, WebhookEvent } from "../events.ts";
import { type Answer, BUSY, DONE, withText } from "./answer.ts";
import type { Deduplication } from "./deduplication.ts";
import type { EventHandlers, EventOfType, WebhookHandlerOptions } from "./handler-options.ts";
import { report } from "./report.ts";
import type { VerifiedDelivery, WebhookDelivery } from "./verify.ts";

type Work = () => unknown;

/** Has a verified event handled, once if the options say how. Never rejects. */
export async function handle(
  { event, ...delivery }: VerifiedDelivery,
  options: WebhookHandlerOptions,
): Promise<Answer> {
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

/** Null: an event of this type is passed over. */
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

async function handleOnce(work: Work, delivery: WebhookDelivery, options: OnceOptions): Promise<Answer> {
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
      throw new TypeError(`claim must give "claimed", "handled" or "busy", not ${claim satisfies never}`);
  }
}

/** @throws what `work` throws, once the claim is released */
async function handleClaimed(work: Work, delivery: WebhookDelivery, options: OnceOptions): Promise<void> {
  const { deduplication } = options;
  const orReport = (settle: Work) => settled(settle, delivery, options);
  try {
    await work();
  } catch (error) {
    await orReport(() => deduplication.release(delivery.id));
    throw error;
  }
  // The event was handled: to refuse the delivery because that could not be noted would have it handled again.
  await orReport(() => deduplication.complete(delivery.id));
}

async function settled(
  settle: Work,
  delivery: WebhookDelivery,
  options: WebhookHandlerOptions,
): Promise<void> {
  try {
    await settle();
  } catch (error) {
    await report(error, delivery, options);
  }
}
