import type { Database } from "@findersfee/database/connect";
import { type Backlog, readBacklog } from "@findersfee/database/delivery-backlog";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { AttemptOutcome } from "./send.ts";

/** What Prometheus sees of deliveries. */
export class DeliveryFigures {
  readonly registry = new Registry();
  readonly #attempts: Counter<"outcome">;
  readonly #exhausted: Counter;
  readonly #duration: Histogram;

  /** `in_flight` tells how many attempts are being made. */
  constructor(database: Database, in_flight: () => number) {
    const registers = [this.registry];
    this.#attempts = new Counter({
      name: "findersfee_delivery_attempts_total",
      help: "Attempts to deliver an event, by outcome: delivered, or the error's code.",
      labelNames: ["outcome"],
      registers,
    });
    this.#exhausted = new Counter({
      name: "findersfee_deliveries_exhausted_total",
      help: "Deliveries that were given up after their last attempt.",
      registers,
    });
    this.#duration = new Histogram({
      name: "findersfee_delivery_attempt_duration_seconds",
      help: "How long attempts took.",
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 15],
      registers,
    });
    new Gauge({
      name: "findersfee_deliveries_in_flight",
      help: "Attempts that this process is making.",
      registers,
      collect() {
        this.set(in_flight());
      },
    });
    this.#showBacklog(database);
  }

  count(outcome: AttemptOutcome, state: string): void {
    this.#attempts.inc({ outcome: outcome.error_code ?? "delivered" });
    this.#duration.observe(outcome.duration_milliseconds / 1000);
    if (state === "exhausted") this.#exhausted.inc();
  }

  #showBacklog(database: Database): void {
    let reading: Promise<Backlog> | null = null;
    // All figures are asked for at once: one question to the database answers the three.
    const read = () => {
      reading ??= readBacklog(database).finally(() => {
        reading = null;
      });
      return reading;
    };
    const show = (name: string, help: string, value: (backlog: Backlog) => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        async collect() {
          this.set(value(await read()));
        },
      });
    show(
      "findersfee_deliveries_backlog",
      "Deliveries that are due and not being sent, counted up to 100,000.",
      ({ due }) => due,
    );
    show(
      "findersfee_deliveries_waiting",
      "Deliveries in the lines of endpoints that fail or are slow, counted up to 100,000.",
      ({ waiting }) => waiting,
    );
    show(
      "findersfee_deliveries_oldest_due_seconds",
      "How long the longest due delivery has been due; 0 when none is.",
      ({ oldest_due_seconds }) => oldest_due_seconds,
    );
  }
}
