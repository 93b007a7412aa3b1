import type { FeedEvent } from "./feed.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Printer } from "./printer.ts";

/**
 * Sends an event in one attempt, and prints the result.
 *
 * @throws Error when the receiver did not accept the event
 */
export async function sendOnce(
  event: FeedEvent,
  { forwarder, printer }: { forwarder: Forwarder; printer: Printer },
): Promise<void> {
  printer.event(event);
  const answer = await forwarder.send(event);
  printer.done(event, { answer, attempts: 1, given_up: false });
  if (!answer.delivered) throw new Error(`The receiver at ${forwarder.url} did not accept the event.`);
}
