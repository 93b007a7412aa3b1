import type { Database } from "@findersfee/database/connect";
import { type MessageBacklog, readMessageBacklog } from "@findersfee/database/processor-work";
import type { WorkedOff } from "@findersfee/domain/processors/work-off";
import { Counter, Registry } from "prom-client";
import { showBacklog } from "../backlog-gauges.ts";

/** What Prometheus sees of the processors' messages. */
export class MessageFigures {
  readonly registry = new Registry();
  readonly #messages: Counter<"outcome">;

  constructor(database: Database) {
    this.#messages = new Counter({
      name: "findersfee_processor_messages_total",
      help: "Messages of payment processors that were worked off, by outcome; failed ones are tried again.",
      labelNames: ["outcome"],
      registers: [this.registry],
    });
    showBacklog(this.registry, () => readMessageBacklog(database), BACKLOG);
  }

  count(worked: WorkedOff): void {
    for (const outcome of ["done", "skipped", "parked", "failed"] as const) {
      if (worked[outcome] > 0) this.#messages.inc({ outcome }, worked[outcome]);
    }
  }
}

const BACKLOG = [
  {
    name: "findersfee_processor_messages_backlog",
    help: "Messages of payment processors that are due to be worked off, counted up to 100,000.",
    value: ({ due }: MessageBacklog) => due,
  },
  {
    name: "findersfee_processor_messages_parked",
    help: "Messages of payment processors that somebody must look at, counted up to 100,000.",
    value: ({ parked }: MessageBacklog) => parked,
  },
  {
    name: "findersfee_processor_messages_oldest_due_seconds",
    help: "How long the longest due message has been due; 0 when none is.",
    value: ({ oldest_due_seconds }: MessageBacklog) => oldest_due_seconds,
  },
];
