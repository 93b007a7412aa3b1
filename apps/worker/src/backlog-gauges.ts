import { Gauge, type Registry } from "prom-client";

/**
 * Shows figures that are read from the database when somebody asks for them. All of them are asked for at once:
 * one question to the database answers all.
 */
export function showBacklog<Backlog>(
  registry: Registry,
  read: () => Promise<Backlog>,
  gauges: { name: string; help: string; value: (backlog: Backlog) => number }[],
): void {
  let reading: Promise<Backlog> | null = null;
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
      registers: [registry],
      async collect() {
        this.set(value(await readOnce()));
      },
    });
  }
}
