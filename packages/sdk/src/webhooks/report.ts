import type { WebhookHandlerOptions } from "./handler-options.ts";
import type { WebhookDelivery } from "./verify.ts";

/** Tells of an error on this side, so that none is lost. Never rejects. */
export async function report(
  error: unknown,
  delivery: WebhookDelivery | null,
  { onError = write }: Pick<WebhookHandlerOptions, "onError">,
): Promise<void> {
  try {
    await onError(error, delivery);
  } catch (failure) {
    write(error, delivery);
    write(failure, delivery);
  }
}

function write(error: unknown, delivery: WebhookDelivery | null): void {
  const what = delivery === null ? "a delivery" : `the delivery of event ${delivery.id}`;
  // biome-ignore lint/suspicious/noConsole: whoever gave no onError has no other place where this would be seen
  console.error(`Findersfee webhooks: ${what} was answered with 500.`, error);
}
