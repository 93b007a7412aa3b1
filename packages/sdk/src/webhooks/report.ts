import type { WebhookHandlerOptions } from "./handler-options.ts";
import type { WebhookDelivery } from "./verify.ts";

/** Reports an error on the receiver's side, so that none is lost. Never rejects. */
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
  // biome-ignore lint/suspicious/noConsole: without onError, this is the only place to see the error
  console.error(`Findersfee webhooks: ${what} failed with status 500.`, error);
}
