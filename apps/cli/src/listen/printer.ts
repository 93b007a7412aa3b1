import { printJson, printLine } from "../print.ts";
import { factsOf } from "./facts.ts";
import type { FeedEvent } from "./feed.ts";
import type { Answer, Forwarding } from "./forwarder.ts";

/** Prints what happens: events on standard output, and all else where it does not mix with them. */
export interface Printer {
  /** An event has come. */
  event(event: FeedEvent): void;
  /** The receiver was not there, and will be tried again. */
  retry(answer: Answer, seconds: number): void;
  /** What became of an event; null when it was not to be forwarded. */
  done(event: FeedEvent, forwarding: Forwarding | null): void;
}

const MOST_ANSWER = 200;

/** For people: a line for each event, and one for each answer. */
export const linePrinter: Printer = {
  event(event) {
    const parts = [
      event.created_at,
      event.type.padEnd("referral.converted".length),
      event.id,
      factsOf(event),
    ];
    printLine(parts.join("  ").trimEnd());
  },
  retry(answer, seconds) {
    printLine(`  ${describeAnswer(answer)}; again in ${seconds} s`);
  },
  done({ id }, forwarding) {
    if (forwarding === null) return;
    const { answer, given_up } = forwarding;
    const hint = given_up ? `; given up, send it again with --replay ${id}` : "";
    printLine(`  ${describeAnswer(answer)}${hint}`);
  },
};

/** For programs: one line of JSON an event, when it is done with. */
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

/** `→ 204 in 8 ms`, with what the receiver said when it refused, or why there was no answer. */
export function describeAnswer(answer: Answer): string {
  const { delivered, status, error_code, error_message, response, duration_milliseconds } = answer;
  const duration = `${Math.round(duration_milliseconds)} ms`;
  const broken = error_code === null || error_code === "http_status" ? "" : error_code;
  const why = [broken, error_message ?? ""].filter((text) => text !== "").join(", ");
  if (status === null) return `→ no answer after ${duration}: ${why}`;
  if (broken !== "") return `→ ${status}, but its answer broke off after ${duration}: ${why}`;
  const [said = ""] = response.trim().split("\n");
  const quoted = delivered || said === "" ? "" : `: ${said.slice(0, MOST_ANSWER)}`;
  return `→ ${status} in ${duration}${quoted}`;
}
