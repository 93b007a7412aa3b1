import type { Database } from "@findersfee/database/connect";
import { type LookupBacklog, readLookupBacklog } from "@findersfee/database/lookups";
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
    showBacklog(this.registry, () => readLookupBacklog(database), LOOKUPS);
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

const LOOKUPS = [
  {
    name: "findersfee_processor_lookups_waiting",
    help: "Payments, refunds and disputes that wait for data of their processor's API, counted up to 100,000.",
    value: ({ waiting }: LookupBacklog) => waiting,
  },
  {
    name: "findersfee_processor_lookups_oldest_waiting_seconds",
    help: "How long the oldest of them has been waiting; 0 when none is.",
    value: ({ oldest_waiting_seconds }: LookupBacklog) => oldest_waiting_seconds,
  },
  {
    name: "findersfee_processor_unmatched_refunds",
    help: "Refunds and disputes without a known payment, counted up to 100,000: they reduce no commission.",
    value: ({ unmatched }: LookupBacklog) => unmatched,
  },
  {
    name: "findersfee_processor_unmatched_refunds_oldest_seconds",
    help: "How long the oldest of them has had no payment; 0 when there is none.",
    value: ({ oldest_unmatched_seconds }: LookupBacklog) => oldest_unmatched_seconds,
  },
];
