/* Question: how are healthy endpoints affected by others that accept every delivery and never respond? */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { receiverProcess, startWork, workerProcess } from "./children.ts";
import { makeEvents } from "./latency.ts";
import { fillDeliveries, makeDatabase, subscribe } from "./subscribers.ts";

const ENDPOINTS = 100;
const HANGING = 10;
const BACKLOG_PER_ENDPOINT = 200;
const EVENTS_PER_SECOND = 15;
const MAX_P99_RATIO = 2;
const MIN_THROUGHPUT_RATIO = 0.8;

interface Observation {
  per_second: number;
  p99_ms: number;
}

/** Question 3. */
export async function measureHanging(bench: Bench): Promise<Verdict[]> {
  const all: { healthy: Observation[]; under_load: Observation[] } = { healthy: [], under_load: [] };
  for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
    all.healthy.push(await observe(bench, 0));
    all.under_load.push(await observe(bench, HANGING));
  }
  const middle = (seen: Observation[], figure: (one: Observation) => number) =>
    seen.map(figure).toSorted((a, b) => a - b)[seen.length >> 1] ?? Number.NaN;
  const rate = (seen: Observation[]) => middle(seen, ({ per_second }) => per_second);
  const p99 = (seen: Observation[]) => middle(seen, ({ p99_ms }) => p99_ms);
  return [
    {
      question: `3 drain to healthy endpoints, ${HANGING} % hang`,
      measured: `${whole(rate(all.under_load))}/s`,
      limit: `${whole(rate(all.healthy))}/s when none hangs`,
      ratio: fine(rate(all.under_load) / rate(all.healthy)),
      target: `>= ${MIN_THROUGHPUT_RATIO}`,
      met: rate(all.under_load) / rate(all.healthy) >= MIN_THROUGHPUT_RATIO,
    },
    {
      question: `3 p99 of healthy endpoints, ${HANGING} % hang`,
      measured: `${fine(p99(all.under_load))} ms`,
      limit: `${fine(p99(all.healthy))} ms when none hangs`,
      ratio: fine(p99(all.under_load) / p99(all.healthy)),
      target: `<= ${MAX_P99_RATIO}`,
      met: p99(all.under_load) / p99(all.healthy) <= MAX_P99_RATIO,
    },
  ];
}

/** Drains a backlog, then delivers at a steady rate; counts only healthy endpoints' deliveries. */
async function observe(bench: Bench, hanging: number): Promise<Observation> {
  const receiver = receiverProcess();
  const worker = workerProcess();
  return await withChildren([worker, receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const { database_url, organization_id } = await makeDatabase(bench.server);
    await withConnection(database_url, async (sql) => {
      const urls = Array.from({ length: ENDPOINTS }, (_, number) => {
        return `http://127.0.0.1:${port}/${number < hanging ? "hang" : "hooks"}/${number}`;
      });
      await subscribe(sql, organization_id, urls);
      await fillDeliveries(sql, { per_endpoint: BACKLOG_PER_ENDPOINT });
    });
    const healthy = ENDPOINTS - hanging;
    await startWork(worker, database_url);
    const drained = await receiver.ask({ job: "wait", count: healthy * BACKLOG_PER_ENDPOINT });
    await receiver.ask({ job: "reset" });
    const seconds = bench.quick ? 5 : 15;
    await makeEvents({ database_url, organization_id, seconds, per_second: EVENTS_PER_SECOND });
    const { p99_ms } = await receiver.ask({ job: "wait", count: healthy * seconds * EVENTS_PER_SECOND });
    return { per_second: (healthy * BACKLOG_PER_ENDPOINT) / drained.seconds, p99_ms };
  });
}
