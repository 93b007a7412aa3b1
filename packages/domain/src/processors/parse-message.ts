import type { DueMessage } from "@findersfee/database/processors/due-messages";
import { parseGenericMessage } from "./generic/parse.ts";
import type { ParsedMessage } from "./parsed-message.ts";
import { parseStripeMessage } from "./stripe/parse.ts";

const MAX_REASON_LENGTH = 500;

/**
 * Parses a stored message. Any error is the reason why it is unsupported: a mapping is a pure function, so it would
 * fail each time.
 */
export function parseMessage(message: Pick<DueMessage, "processor" | "body">): ParsedMessage {
  try {
    const value: unknown = JSON.parse(message.body);
    switch (message.processor) {
      case "stripe":
        return parseStripeMessage(value);
      case "generic":
        return parseGenericMessage(value);
    }
  } catch (error) {
    return { outcome: "unsupported", reason: `Parsing failed: ${reasonOf(error)}` };
  }
}

/** An error's message, for people, with a bounded length. */
export function reasonOf(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // Text that cannot be stored must not make storing the reason fail, too.
  return words.replaceAll("\u0000", "").toWellFormed().slice(0, MAX_REASON_LENGTH);
}
