import type { Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { readUnmatchedRefunds } from "@findersfee/database/processors/lookups";
import { readBacklog } from "@findersfee/database/webhooks/backlog";
import { readWorkBacklog, type WorkBacklog, type WorkKind } from "@findersfee/database/work/due-work";
import { FAILING } from "@findersfee/domain/webhooks/endpoints/probes";
import { showClock } from "@findersfee/telemetry/clock";
import { DatabaseGauges } from "@findersfee/telemetry/database-gauges";
import type { Logger } from "pino";
import { Counter, Gauge, Registry } from "prom-client";
import type { TurnResult } from "./consumer.ts";
import { showServiceState } from "./service-gauges.ts";

/** Metrics of background work, by its kind. */
export class WorkMetrics {
  readonly registry = new Registry();
  readonly #completed: Counter<"kind">;
  readonly #failures: Counter<"kind">;

  /** `shards` returns the number of shards that the process owns. `is_alone`: the process has no API, which shows its clock. */
  constructor(
    database: Database,
    { shards, is_alone, log }: { shards: () => number; is_alone: boolean; log: Logger },
  ) {
    const registers = [this.registry];
    this.#completed = new Counter({
      name: "findersfee_work_completed_total",
      help: "Work that ended, by its kind.",
      labelNames: ["kind"],
      registers,
    });
    this.#failures = new Counter({
      name: "findersfee_work_failures_total",
      help: "Attempts at work that failed, by its kind; most are retried.",
      labelNames: ["kind"],
      registers,
    });
    new Gauge({
      name: "findersfee_shards",
      help: "Shards that this process owns; over all workers they add up to 32.",
      registers,
      collect() {
        this.set(shards());
      },
    });
    const gauges = new DatabaseGauges(this.registry, {
      name: "findersfee_database_reads_up",
      onError: (error, reading) => {
        if (!isUnavailable(error)) log.error({ err: error, reading }, "failed to read metrics");
      },
    });
    gauges.show("work", () => readAll(database), { gauges: BACKLOG, labels: ["kind"] });
    gauges.show("refunds", () => readUnmatchedRefunds(database), { gauges: UNMATCHED });
    showServiceState(gauges, database);
    if (is_alone) showClock(gauges, database);
  }

  count(kind: WorkKind, { completed = 0, failed = 0, dead_lettered = 0 }: TurnResult): void {
    if (completed > 0) this.#completed.inc({ kind }, completed);
    if (failed + dead_lettered > 0) this.#failures.inc({ kind }, failed + dead_lettered);
  }
}

type KindBacklog = Omit<WorkBacklog, "kind">;

/** `failing` counts due deliveries of failing endpoints. Exhausted deliveries are no work any more. */
async function readAll(database: Database): Promise<(KindBacklog & { kind: string })[]> {
  const [work, deliveries] = await Promise.all([readWorkBacklog(database), readBacklog(database, FAILING)]);
  const { due, waiting, oldest_due_seconds } = deliveries;
  const of_deliveries = { pending: due, oldest_due_seconds, failing: waiting, dead_lettered: 0 };
  return [...work, { kind: "deliveries", ...of_deliveries }];
}

const BACKLOG = [
  {
    name: "findersfee_work_pending",
    help: "Work that is due, by its kind, counted up to 100,000; without deliveries to failing endpoints.",
    value: ({ pending }: KindBacklog) => pending,
  },
  {
    name: "findersfee_work_oldest_due_seconds",
    help: "How long the oldest due work has been due, by its kind; 0 when none is.",
    value: ({ oldest_due_seconds }: KindBacklog) => oldest_due_seconds,
  },
  {
    name: "findersfee_work_failing",
    help: "Work that failed and is retried, by its kind, and due deliveries of failing endpoints; counted up to 100,000.",
    value: ({ failing }: KindBacklog) => failing,
  },
  {
    name: "findersfee_work_dead_lettered",
    help: "Work that failed for good until staff retry it, by its kind, counted up to 100,000.",
    value: ({ dead_lettered }: KindBacklog) => dead_lettered,
  },
];

const UNMATCHED = [
  {
    name: "findersfee_processor_unmatched_refunds",
    help: "Refunds and disputes without a known payment, counted up to 100,000: they reduce no commission.",
    value: ({ count }: { count: number }) => count,
  },
  {
    name: "findersfee_processor_unmatched_refunds_oldest_seconds",
    help: "How long the oldest of them has had no payment; 0 when there is none.",
    value: ({ oldest_seconds }: { oldest_seconds: number }) => oldest_seconds,
  },
];
