/*
 * Question: how long does a payout run over 100,000 affiliates take, how much memory does it use, and how
 * does it affect API users? A worker runs it, as in production; a load generator reads affiliates at a steady
 * rate before and during the run.
 */
import type { Database } from "@findersfee/database/postgres/connect";
import { migrateQueue } from "@findersfee/database/work/queue";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import type { LoadJob } from "../load.ts";
import type { Measurement } from "../measurement.ts";
import { withConnection } from "../postgres-server.ts";
import { type MemoryMetrics, watchMemory } from "../process-status.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { startWork, workerProcess } from "../webhooks/children.ts";
import { fillPayees } from "./fill.ts";

const AFFILIATES = 100_000;
const COMMISSIONS_EACH = 10;
const MAX_SECONDS = 60;
const MAX_MEGABYTES = 300;
const MAX_P99_RATIO = 2;
const READS_PER_SECOND = 200;
const CONNECTIONS = 16;
/** Long ago, so that everything is due. */
const DAYS = 365;
const LOOK_MILLISECONDS = 100;

/** Question 1. */
export async function measureRun(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  await migrateQueue(program.database_url);
  const affiliates = bench.quick ? AFFILIATES / 10 : AFFILIATES;
  const worker = workerProcess();
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([worker, api, load], () =>
    withConnection(program.database_url, async (database) => {
      await fillPayees(database, program, { affiliates, commissions_each: COMMISSIONS_EACH, days: DAYS });
      const port = await serve(api, program.database_url);
      const read = (seconds: number) => load.ask(readJob(program, { port, seconds }));
      await read(2);
      const usual = await read(bench.quick ? 3 : 30);
      await startWork(worker, program.database_url);
      const memory = watchMemory(worker.pid);
      const run = runPayouts(database, program, affiliates);
      const during = await read(bench.quick ? 2 : 30);
      const seconds = await run;
      return verdicts({ affiliates, seconds, usual, during, memory: await memory.finish() });
    }),
  );
}

function readJob(
  { api_key, affiliate_ids }: Program,
  { port, seconds }: { port: number; seconds: number },
): LoadJob {
  const paths = affiliate_ids.map((id) => `/v1/affiliates/${id}`);
  return {
    port,
    connections: CONNECTIONS,
    until: { seconds },
    per_second: READS_PER_SECOND,
    send: { kind: "get", api_key, paths },
  };
}

/** Starts a run and waits for its end; returns its duration in seconds. */
async function runPayouts(
  database: Database,
  { organization_id }: Program,
  affiliates: number,
): Promise<number> {
  const began = performance.now();
  await startPayoutRun(contextOf(database, organization_id), { method: "manual" });
  for (;;) {
    const [run] = await database<{ finished: boolean }[]>`
      select finished_at is not null as finished from payout_runs where organization_id = ${organization_id}`;
    if (run?.finished === true) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  const seconds = (performance.now() - began) / 1000;
  const [made] = await database<[{ payouts: number; unpaid: number }]>`
    select (select count(*)::int from payouts where run_id is not null and payment_count = ${COMMISSIONS_EACH})
        as payouts,
      (select count(*)::int from unpaid_commissions) as unpaid`;
  if (made.payouts !== affiliates || made.unpaid > 0) {
    throw new Error(
      `${made.payouts} of ${affiliates} affiliates were paid, ${made.unpaid} commissions remain`,
    );
  }
  return seconds;
}

function verdicts({
  affiliates,
  seconds,
  usual,
  during,
  memory,
}: {
  affiliates: number;
  seconds: number;
  usual: Measurement;
  during: Measurement;
  memory: MemoryMetrics | null;
}): Verdict[] {
  const megabytes = memory?.high_water_mb ?? Number.NaN;
  const ratio = during.p99_ms / usual.p99_ms;
  return [
    {
      question: `1 a run over ${affiliates} affiliates, ${affiliates * COMMISSIONS_EACH} commissions`,
      measured: `${fine(seconds)} s`,
      limit: `${whole(affiliates / seconds)} affiliates/s`,
      ratio: "",
      target: `<= ${MAX_SECONDS} s`,
      met: seconds <= MAX_SECONDS,
    },
    {
      question: "  memory of the worker",
      measured: `${whole(megabytes)} MB`,
      limit: "",
      ratio: "",
      target: `<= ${MAX_MEGABYTES} MB`,
      met: megabytes <= MAX_MEGABYTES,
    },
    {
      question: `  the API's p99 during the run, ${READS_PER_SECOND} reads/s`,
      measured: `${fine(during.p99_ms)} ms`,
      limit: `${fine(usual.p99_ms)} ms without a run`,
      ratio: fine(ratio),
      target: `<= ${MAX_P99_RATIO}`,
      met: ratio <= MAX_P99_RATIO,
    },
  ];
}
