import type { Replicas } from "@findersfee/database/replicas/replicas";
import { Counter, Gauge, type Registry } from "prom-client";

/** Metrics of the read replicas that a process uses, by the process's role. They never ask the database. */
export class ReplicaMetrics {
  readonly #replicas = new Map<string, Replicas>();

  constructor(registry: Registry) {
    const used = this.#replicas;
    const registers = [registry];
    new Gauge({
      name: "findersfee_read_replica_used",
      help: "1 if reads go to the replica, 0 if they do not: it is late, unreachable or no replica.",
      labelNames: ["role", "replica"],
      registers,
      collect() {
        this.reset();
        for (const [role, replicas] of used)
          for (const { host, state } of replicas.report())
            this.set({ role, replica: host }, state === "used" ? 1 : 0);
      },
    });
    new Gauge({
      name: "findersfee_read_replica_lag_seconds",
      help: "How late the replica is at most; absent while that is not known.",
      labelNames: ["role", "replica"],
      registers,
      collect() {
        this.reset();
        for (const [role, replicas] of used)
          for (const { host, lag_seconds } of replicas.report())
            if (lag_seconds !== null) this.set({ role, replica: host }, lag_seconds);
      },
    });
    new Counter({
      name: "findersfee_reads_total",
      help: "Reads that a replica can answer, by the server that answered: replica or primary.",
      labelNames: ["role", "target"],
      registers,
      collect() {
        this.reset();
        for (const [role, { reads }] of used)
          for (const [target, count] of Object.entries(reads)) this.inc({ role, target }, count);
      },
    });
    new Counter({
      name: "findersfee_read_fallbacks_total",
      help: "Reads that went to the primary instead of a replica, by reason.",
      labelNames: ["role", "reason"],
      registers,
      collect() {
        this.reset();
        for (const [role, { fallbacks }] of used)
          for (const [reason, count] of fallbacks) this.inc({ role, reason }, count);
      },
    });
  }

  add(role: string, replicas: Replicas): void {
    this.#replicas.set(role, replicas);
  }
}
