import { genericHeaders, stripeHeaders } from "@findersfee/domain/testing/processors/signed";
import { genericMessagesOf } from "./generic-messages.ts";
import type { Fact, History } from "./history.ts";
import type { Message, Names } from "./names.ts";
import { stripeMessagesOf } from "./stripe-messages.ts";

/**
 * The messages of the fact at a step, in the format of the history's processor. None, if the fact is of a payment that the
 * history does not have.
 */
export function messagesOf(history: History, step: number, fact: Fact, names: Names): Message[] {
  const { processor } = history;
  return processor === "generic"
    ? genericMessagesOf(history, step, fact, names)
    : stripeMessagesOf(history, step, fact, { ...names, api_version: processor });
}

export function processorOf({ processor }: History): "generic" | "stripe" {
  return processor === "generic" ? "generic" : "stripe";
}

export function headersOf(history: History, { id, body }: Message, secret: string): Record<string, string> {
  return processorOf(history) === "generic"
    ? genericHeaders(body, { id, secret })
    : stripeHeaders(body, { secret });
}
