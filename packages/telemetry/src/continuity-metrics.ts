import { Counter, Gauge, type Registry } from "prom-client";

/** The state of the check of the database's history. */
export interface ContinuityState {
  readonly stepBack: object | null;
  readonly failedWrites: number;
}

/** Metrics of the check of the database's history, which never ask the database. */
export function addContinuityMetrics(registry: Registry, state: ContinuityState): void {
  new Gauge({
    name: "findersfee_database_stepped_back",
    help: "1 while the database is in an older state than the process has seen: writes and deliveries stop.",
    registers: [registry],
    collect() {
      this.set(state.stepBack === null ? 0 : 1);
    },
  });
  new Counter({
    name: "findersfee_continuity_failed_writes_total",
    help: "Failures to write to CONTINUITY_DIR.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(state.failedWrites);
    },
  });
}
