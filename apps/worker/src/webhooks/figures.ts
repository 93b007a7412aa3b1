import type { Database } from "@findersfee/database/connect";
import { type Backlog, readBacklog } from "@findersfee/database/delivery-backlog";
import { FAILING } from "@findersfee/domain/webhooks/probes";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { showBacklog } from "../backlog-gauges.ts";
import type { AttemptOutcome } from "./send.ts";

/** What Prometheus sees of deliveries. */
export class DeliveryFigures {
  readonly registry = new Registry();
  readonly #attempts: Counter<"outcome">;
  readonly #exhausted: Counter;
  readonly #duration: Histogram;

  /** `in_flight` returns the number of attempts under way, `shards` that of the shards that the process owns. */
  constructor(database: Database, { in_flight, shards }: { in_flight: () => number; shards: () => number }) {
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
    new Gauge({
      name: "findersfee_delivery_shards",
      help: "Shards that this process delivers; over all workers they add up to 32.",
      registers,
      collect() {
        this.set(shards());
      },
    });
    showBacklog(this.registry, () => readBacklog(database, FAILING), BACKLOG);
  }

  count(outcome: AttemptOutcome, state: string): void {
    this.#attempts.inc({ outcome: outcome.error_code ?? "delivered" });
    this.#duration.observe(outcome.duration_milliseconds / 1000);
    if (state === "exhausted") this.#exhausted.inc();
  }
}

const BACKLOG = [
  {
    name: "findersfee_deliveries_backlog",
    help: "Deliveries that are due, or being sent, to endpoints that answer; counted up to 100,000.",
    value: ({ due }: Backlog) => due,
  },
  {
    name: "findersfee_deliveries_waiting",
    help: "Deliveries that are due for failing endpoints, which get one attempt at a time; counted up to 100,000.",
    value: ({ waiting }: Backlog) => waiting,
  },
  {
    name: "findersfee_deliveries_oldest_due_seconds",
    help: "How long the oldest due delivery to an endpoint that answers has been due; 0 when none is.",
    value: ({ oldest_due_seconds }: Backlog) => oldest_due_seconds,
  },
];
