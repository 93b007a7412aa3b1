import { Gauge, type Registry } from "prom-client";

/** A gauge of a backlog; `kind` is the value of its label. */
export interface BacklogGauge<Backlog> {
  name: string;
  help: string;
  value: (backlog: Backlog) => number;
}

/**
 * Shows gauges that are read from the database at a scrape: one query answers all of them. `read` returns one backlog, or
 * one for each kind of work, which becomes a label.
 */
export function showBacklog<Backlog extends object>(
  registry: Registry,
  read: () => Promise<Backlog | (Backlog & { kind: string })[]>,
  gauges: readonly BacklogGauge<Backlog>[],
): void {
  let reading: ReturnType<typeof read> | null = null;
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
  for (const { name, help, value } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ["kind"],
      registers: [registry],
      async collect() {
        const backlog = await readOnce();
        if (!Array.isArray(backlog)) this.set(value(backlog));
        else for (const of_kind of backlog) this.set({ kind: of_kind.kind }, value(of_kind));
      },
    });
  }
}
