import { connect, type Database, observe, transaction } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres } from "@findersfee/database/testing/own-postgres";
import { migrateQueue } from "@findersfee/database/work/queue";
import { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { lintByRules, lintMetrics, samplesOf } from "@findersfee/telemetry/testing/lint";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveMetrics } from "../../src/metrics.ts";
import type { Worker } from "../../src/worker.ts";
import { startTestWorker } from "../test-worker.ts";

/** Prometheus waits 10 s. On a busy machine, an answer takes longer than its readings may, which a test of their own bounds. */
const SCRAPE_MILLISECONDS = 8_000;

let postgres: OwnPostgres;
let database: Database;
let worker: Worker;
let metrics: Awaited<ReturnType<typeof serveMetrics>>;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  await migrateQueue(postgres.url);
  const observer = new ProcessMetrics("1.2.3");
  database = connect({ url: postgres.url, poolSize: 5, prepare: true, name: "findersfee worker" });
  observe(database, observer);
  worker = await startTestWorker({ database, url: postgres.url, close: async () => {} });
  const place = { host: "127.0.0.1", port: 0 };
  metrics = await serveMetrics([observer.registry, worker.registry], place);
});

afterAll(async () => {
  postgres.thaw();
  await metrics.close();
  await worker.stop();
  await database.end({ timeout: 1 });
  await postgres.remove();
});

async function scrape(): Promise<{ text: string; samples: Map<string, number>; milliseconds: number }> {
  const started = performance.now();
  const response = await fetch(`${metrics.url}/metrics`);
  const text = await response.text();
  expect(response.status).toBe(200);
  return { text, samples: samplesOf(text), milliseconds: performance.now() - started };
}

const READINGS = ["work", "refunds", "feed", "schedule", "partitions", "ledger", "payout_runs", "payouts"];

function readings(samples: Map<string, number>): (number | undefined)[] {
  return READINGS.map((reading) => samples.get(`findersfee_database_reads_up{reading="${reading}"}`));
}

it("shows the process, its pools and the service, with names that Prometheus' tool accepts", async () => {
  const { text, samples } = await eventually(async () => {
    const scraped = await scrape();
    // The worker writes its schedule a moment after its start.
    expect(scraped.samples.get('findersfee_scheduled_task_failing{task="run_retention"}')).toBe(0);
    // Its first round asks for all at once.
    expect(scraped.samples.get('findersfee_database_pool_waiting{pool="findersfee worker"}')).toBe(0);
    // It takes its shards one after the other, which holds back the feed for moments.
    expect(scraped.samples.get("findersfee_feed_lag_seconds")).toBe(0);
    expect(readings(scraped.samples)).toEqual(READINGS.map(() => 1));
    return scraped;
  });
  expect(lintMetrics(text)).toEqual([]);
  expect(lintByRules(text)).toEqual([]);
  expect(samples.get('findersfee_build_info{version="1.2.3"}')).toBe(1);
  expect(samples.get('findersfee_database_pool_size{pool="findersfee worker"}')).toBe(5);
  expect(samples.get('findersfee_partitions_ahead{table="attempts"}')).toBe(10);
  expect(samples.get('findersfee_partitions_ahead{table="clicks"}')).toBe(3);
  expect(samples.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
});

it("counts statements, and those that wait or fail, by their kind", async () => {
  const pool = 'pool="findersfee worker"';
  const failures = `findersfee_database_errors_total{${pool},class="time_limit"}`;
  const before = (await scrape()).samples;
  await expect(
    transaction(database, async (sql) => {
      await sql`set local statement_timeout = 1`;
      await sql`select pg_sleep(10)`;
    }),
  ).rejects.toThrow();
  const { samples } = await scrape();
  expect((samples.get(failures) ?? 0) - (before.get(failures) ?? 0)).toBe(1);
  const selects = `findersfee_database_statement_duration_seconds_count{${pool},operation="select"}`;
  expect(samples.get(selects)).toBeGreaterThan(before.get(selects) ?? 0);
});

it("shows how long a transaction holds back the feed", async () => {
  await transaction(database, async (sql) => {
    await sql`select pg_current_xact_id()`;
    await eventually(async () => {
      // Other transactions write in the meantime.
      await database`select pg_current_xact_id()`;
      expect((await scrape()).samples.get("findersfee_feed_lag_seconds")).toBeGreaterThan(0);
    });
  });
  await eventually(async () => {
    expect((await scrape()).samples.get("findersfee_feed_lag_seconds")).toBe(0);
  });
});

it("answers in time without the database, with the metrics of the process", async () => {
  await postgres.freeze();
  try {
    for (let round = 0; round < 3; round++) {
      const { text, samples, milliseconds } = await scrape();
      expect(milliseconds).toBeLessThan(SCRAPE_MILLISECONDS);
      expect(lintByRules(text)).toEqual([]);
      expect(readings(samples)).toEqual(READINGS.map(() => 0));
      expect(samples.get('findersfee_build_info{version="1.2.3"}')).toBe(1);
      expect(samples.has("findersfee_deliveries_in_flight")).toBe(true);
      expect([...samples.keys()].some((name) => name.startsWith("findersfee_work_pending"))).toBe(false);
      expect(samples.has("findersfee_processor_unmatched_refunds")).toBe(false);
    }
  } finally {
    postgres.thaw();
  }
  await eventually(async () => {
    expect(readings((await scrape()).samples)).toEqual(READINGS.map(() => 1));
  });
  await postgres.end("SIGKILL");
  const { samples, milliseconds } = await scrape();
  expect(milliseconds).toBeLessThan(SCRAPE_MILLISECONDS);
  expect(readings(samples)).toEqual(READINGS.map(() => 0));
  await postgres.startAgain();
  await eventually(async () => {
    expect(readings((await scrape()).samples)).toEqual(READINGS.map(() => 1));
  });
});
