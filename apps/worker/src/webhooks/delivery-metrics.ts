import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { AttemptOutcome } from "./send.ts";

/** Metrics of the attempts to deliver; `WorkMetrics` has the backlog. */
export class DeliveryMetrics {
  readonly registry = new Registry();
  readonly #attempts: Counter<"outcome">;
  readonly #exhausted: Counter;
  readonly #duration: Histogram;

  /** `in_flight` returns the number of attempts under way. */
  constructor(in_flight: () => number) {
    const registers = [this.registry];
    this.#attempts = new Counter({
      name: "findersfee_delivery_attempts_total",
      help: "Attempts to deliver an event, by outcome: delivered, or the error's code.",
      labelNames: ["outcome"],
      registers,
    });
    this.#exhausted = new Counter({
      name: "findersfee_deliveries_exhausted_total",
      help: "Deliveries that failed at their last attempt.",
      registers,
    });
    this.#duration = new Histogram({
      name: "findersfee_delivery_attempt_duration_seconds",
      help: "Duration of attempts.",
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
  }

  count(outcome: AttemptOutcome, state: string): void {
    this.#attempts.inc({ outcome: outcome.error_code ?? "delivered" });
    this.#duration.observe(outcome.duration_milliseconds / 1000);
    if (state === "exhausted") this.#exhausted.inc();
  }
}
