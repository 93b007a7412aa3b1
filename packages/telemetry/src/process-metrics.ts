import { errorClass } from "@findersfee/database/postgres/errors";
import type { EndedStatement, PoolObserver, PoolUse } from "@findersfee/database/postgres/observer";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { ReplicaMetrics } from "./replica-metrics.ts";

/**
 * Metrics of the library that are no counters, but have names that end like a counter's.
 * `nodejs_active_resources` has the same.
 */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

const WAIT_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const STATEMENT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Metrics of one process: its version, memory, event loop, and the work of its pools. They never ask the
 * database.
 */
export class ProcessMetrics implements PoolObserver {
  readonly registry = new Registry();
  readonly #pools = new Map<string, () => PoolUse>();
  readonly #waits: Histogram<"pool">;
  readonly #statements: Histogram<"pool" | "operation">;
  readonly #errors: Counter<"pool" | "class">;
  #replicas: ReplicaMetrics | null = null;

  constructor(version: string) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    const build = new Gauge({
      name: "findersfee_build_info",
      help: "1, with the version of the process as a label.",
      labelNames: ["version"],
      registers,
    });
    build.set({ version }, 1);
    this.#gaugePools(registers);
    this.#waits = new Histogram({
      name: "findersfee_database_pool_wait_seconds",
      help: "Time that statements waited for a connection.",
      labelNames: ["pool"],
      buckets: WAIT_BUCKETS,
      registers,
    });
    this.#statements = new Histogram({
      name: "findersfee_database_statement_duration_seconds",
      help: "Time from sending a statement to its answer, by the statement's first word.",
      labelNames: ["pool", "operation"],
      buckets: STATEMENT_BUCKETS,
      registers,
    });
    this.#errors = new Counter({
      name: "findersfee_database_errors_total",
      help: "Statements that failed: outage, resources (disk, memory, connections), time_limit, conflict, constraint, other.",
      labelNames: ["pool", "class"],
      registers,
    });
  }

  opened(pool: string, use: () => PoolUse): void {
    this.#pools.set(pool, use);
  }

  made(pool: string): (ended: EndedStatement) => void {
    return ({ operation, waited_milliseconds, duration_milliseconds, error }) => {
      this.#waits.observe({ pool }, waited_milliseconds / 1000);
      this.#statements.observe({ pool, operation }, duration_milliseconds / 1000);
      if (error !== null) this.#errors.inc({ pool, class: errorClass(error) });
    };
  }

  /** Also measures the read replicas of a role. */
  measureReplicas(role: string, replicas: Replicas): void {
    this.#replicas ??= new ReplicaMetrics(this.registry);
    this.#replicas.add(role, replicas);
  }

  #gaugePools(registers: Registry[]): void {
    const pools = this.#pools;
    new Gauge({
      name: "findersfee_database_pool_connections",
      help: "Connections of a pool by their state: idle, active, connecting.",
      labelNames: ["pool", "state"],
      registers,
      collect() {
        for (const [pool, use] of pools) {
          const { idle, active, connecting } = use();
          this.set({ pool, state: "idle" }, idle);
          this.set({ pool, state: "active" }, active);
          this.set({ pool, state: "connecting" }, connecting);
        }
      },
    });
    new Gauge({
      name: "findersfee_database_pool_size",
      help: "Maximum number of connections of a pool.",
      labelNames: ["pool"],
      registers,
      collect() {
        for (const [pool, use] of pools) this.set({ pool }, use().size);
      },
    });
    new Gauge({
      name: "findersfee_database_pool_waiting",
      help: "Statements that wait for a connection of a pool.",
      labelNames: ["pool"],
      registers,
      collect() {
        for (const [pool, use] of pools) this.set({ pool }, use().waiting);
      },
    });
  }
}
