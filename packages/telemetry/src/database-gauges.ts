import { setTimeout as delay } from "node:timers/promises";
import { Counter, Gauge, type Registry } from "prom-client";

/** A gauge or counter that is read from the database. */
export interface DatabaseGauge<Row> {
  /** With `_total`: a counter of the database. */
  name: string;
  help: string;
  value: (row: Row) => number;
}

/** Prometheus gives up after ten seconds by default, and everything must be there before. */
const READ_MILLISECONDS = 1_500;

/**
 * Metrics that are read from the database at a scrape. Without an answer in time they are absent, and another metric
 * is 0 for their reading: the metrics of the process itself are needed most when the database is gone.
 */
export class DatabaseGauges {
  readonly #registry: Registry;
  readonly #readings: (() => Promise<unknown>)[] = [];
  readonly #up: Gauge<"reading">;
  readonly #onError: (error: unknown, reading: string) => void;

  /**
   * `name` is the name of the metric that says which readings worked. `onError` gets the error of each failed
   * reading, at each scrape.
   */
  constructor(
    registry: Registry,
    { name, onError }: { name: string; onError: (error: unknown, reading: string) => void },
  ) {
    this.#registry = registry;
    this.#onError = onError;
    const readings = this.#readings;
    this.#up = new Gauge({
      name,
      help: "1 if the metrics of this reading were read from the database at the last scrape, 0 if they are absent.",
      labelNames: ["reading"],
      registers: [registry],
      async collect() {
        await Promise.all(readings.map((read) => read()));
      },
    });
  }

  /**
   * Shows the gauges of one reading, which answers all of them. `read` returns one row, or several with the columns `labels`.
   * Scrapes share a reading that has not ended.
   */
  show<Row extends object>(
    reading: string,
    read: () => Promise<Row | readonly Row[]>,
    {
      gauges,
      labels = [],
    }: { gauges: readonly DatabaseGauge<Row>[]; labels?: readonly (string & keyof Row)[] },
  ): void {
    const readInTime = this.#inTime(reading, read);
    this.#readings.push(readInTime);
    for (const { name, help, value } of gauges) {
      const samples = async (): Promise<[Record<string, string>, number][]> => {
        const result = (await readInTime()) ?? [];
        const rows = Array.isArray(result) ? (result as readonly Row[]) : [result as Row];
        return rows.map((row) => [
          Object.fromEntries(labels.map((label) => [label, String(row[label])])),
          value(row),
        ]);
      };
      // prom-client shows a metric that can have no labels and has no value as 0.
      const labelNames = labels.length === 0 ? ["none"] : [...labels];
      const settings = { name, help, labelNames, registers: [this.#registry] };
      const isCounter = name.endsWith("_total");
      if (isCounter) showCounter(settings, samples);
      else showGauge(settings, samples);
    }
  }

  /** The reading under way or a new one, or null without an answer in time. */
  #inTime<Result>(reading: string, read: () => Promise<Result>): () => Promise<Result | null> {
    let running: Promise<Result | null> | null = null;
    return async () => {
      running ??= read()
        .catch((error: unknown) => {
          this.#onError(error, reading);
          return null;
        })
        .finally(() => {
          running = null;
        });
      const timer = new AbortController();
      const late = delay(READ_MILLISECONDS, null, { signal: timer.signal, ref: false });
      const result = await Promise.race([running, late]);
      timer.abort();
      this.#up.set({ reading }, result === null ? 0 : 1);
      return result;
    };
  }
}

type Settings = { name: string; help: string; labelNames: string[]; registers: Registry[] };
type Samples = () => Promise<[Record<string, string>, number][]>;

function showGauge(settings: Settings, samples: Samples): void {
  new Gauge({
    ...settings,
    async collect() {
      const current = await samples();
      this.reset();
      for (const [labels, value] of current) this.set(labels, value);
    },
  });
}

function showCounter(settings: Settings, samples: Samples): void {
  new Counter({
    ...settings,
    async collect() {
      const current = await samples();
      this.reset();
      for (const [labels, value] of current) this.inc(labels, value);
    },
  });
}
