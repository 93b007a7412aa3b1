import { printJson, printLine } from "../../print.ts";
import type { FeedEvent } from "./feed.ts";
import type { Forwarding, ForwardResponse } from "./forwarder.ts";
import { summarize } from "./summarize.ts";

/** Prints progress: events on standard output, everything else on standard error. */
export interface Printer {
  /** An event arrived. */
  event(event: FeedEvent): void;
  /** The receiver was unreachable and will be retried. */
  retry(answer: ForwardResponse, seconds: number): void;
  /** The result of an event; null when it was not forwarded. */
  done(event: FeedEvent, forwarding: Forwarding | null): void;
}

const MAX_RESPONSE_LENGTH = 200;

/** For people: a line for each event and each response. */
export const linePrinter: Printer = {
  event(event) {
    const parts = [
      event.created_at,
      event.type.padEnd("referral.converted".length),
      event.id,
      summarize(event),
    ];
    printLine(parts.join("  ").trimEnd());
  },
  retry(answer, seconds) {
    printLine(`  ${describeResponse(answer)}; retrying in ${seconds} s`);
  },
  done({ id }, forwarding) {
    if (forwarding === null) return;
    const { answer, given_up } = forwarding;
    const hint = given_up ? `; giving up, resend it with --replay ${id}` : "";
    printLine(`  ${describeResponse(answer)}${hint}`);
  },
};

/** For programs: a line of JSON per event, once it is done. */
export const jsonPrinter: Printer = {
  event() {},
  retry() {},
  done({ id, type, created_at, data }, forwarding) {
    printJson({ id, type, created_at, data, forwarded: viewForwarding(forwarding) }, { indented: false });
  },
};

function viewForwarding(forwarding: Forwarding | null) {
  if (forwarding === null) return null;
  const { answer, attempts } = forwarding;
  const { delivered, status, error_code, error_message, duration_milliseconds } = answer;
  return {
    delivered,
    status,
    error_code,
    error_message,
    duration_milliseconds: Math.round(duration_milliseconds),
    attempts,
  };
}

/** `→ 204 in 8 ms`, with the body of an error response, or the reason for no response. */
export function describeResponse(answer: ForwardResponse): string {
  const { delivered, status, error_code, error_message, response, duration_milliseconds } = answer;
  const duration = `${Math.round(duration_milliseconds)} ms`;
  const broken = error_code === null || error_code === "http_status" ? "" : error_code;
  const why = [broken, error_message ?? ""].filter((text) => text !== "").join(", ");
  if (status === null) return `→ no response after ${duration}: ${why}`;
  if (broken !== "") return `→ ${status}, but the response ended early after ${duration}: ${why}`;
  const [first_line = ""] = response.trim().split("\n");
  const quoted = delivered || first_line === "" ? "" : `: ${first_line.slice(0, MAX_RESPONSE_LENGTH)}`;
  return `→ ${status} in ${duration}${quoted}`;
}
