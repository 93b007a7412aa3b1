import type { Database } from "@findersfee/database/connect";
import { type MessageBacklog, readMessageBacklog } from "@findersfee/database/processor-work";
import type { WorkedOff } from "@findersfee/domain/processors/work-off";
import { Counter, Gauge, Registry } from "prom-client";

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
    this.#showBacklog(database);
  }

  count(worked: WorkedOff): void {
    for (const outcome of ["done", "skipped", "parked", "failed"] as const) {
      if (worked[outcome] > 0) this.#messages.inc({ outcome }, worked[outcome]);
    }
  }

  #showBacklog(database: Database): void {
    let reading: Promise<MessageBacklog> | null = null;
    // All figures are asked for at once: one question to the database answers the three.
    const read = () => {
      reading ??= readMessageBacklog(database).finally(() => {
        reading = null;
      });
      return reading;
    };
    const show = (name: string, help: string, value: (backlog: MessageBacklog) => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        async collect() {
          this.set(value(await read()));
        },
      });
    show(
      "findersfee_processor_messages_backlog",
      "Messages of payment processors that are due to be worked off, counted up to 100,000.",
      ({ due }) => due,
    );
    show(
      "findersfee_processor_messages_parked",
      "Messages of payment processors that somebody must look at, counted up to 100,000.",
      ({ parked }) => parked,
    );
    show(
      "findersfee_processor_messages_oldest_due_seconds",
      "How long the longest due message has been due; 0 when none is.",
      ({ oldest_due_seconds }) => oldest_due_seconds,
    );
  }
}
