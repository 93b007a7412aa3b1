/*
 * Question: how long does a backtest of a million payments take, and does its memory stay flat? Reports payments of referred customers,
 * and decides them again by a draft with rules, with the command: a worker's steps do the same.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { BacktestResult } from "@findersfee/contract/attribution/backtests";
import type { Database } from "@findersfee/database/postgres/connect";
import { apply } from "@findersfee/domain/testing/attribution/program";
import { payment } from "@findersfee/domain/testing/attribution/reported";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { cpuSeconds, postgresCpuSeconds, watchMemory } from "../process-status.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";

const MILLION = 1_000_000;
const MAX_MINUTES = 10;
/** The ratio of the highest memory at the end to the highest in the first quarter of the payments. */
const MAX_GROWTH = 1.5;
const ROUNDS = 4;
/** Payments reported in a transaction. */
const AT_ONCE = 250;
const SAMPLE_MILLISECONDS = 50;

const REWARD = { type: "percentage", amount: 45 };
const DRAFT = {
  commission_amount: 20,
  rules: [
    { name: "First payments", conditions: { payments: { to: 2 } }, reward: REWARD },
    { name: "Large ones", conditions: { amount: { currency: "USD", from: 100 } }, reward: REWARD },
  ],
};

interface Run {
  payments: number;
  per_second: number;
  /**
   * CPU seconds of its process and of Postgres, without other processes of the machine. Null on systems
   * without /proc.
   */
  cpu_seconds: number | null;
  /** The highest memory of its process. */
  memory_mb: number;
}

/** Question 8. */
export async function measureBacktest(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  return await withConnection(program.database_url, async (database) => {
    const each = bench.quick ? 5_000 : 25_000;
    const runs: Run[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await report(database, program, { first: round * each, count: each });
      await database`vacuum (analyze)`;
      runs.push(await backtest(bench, database, program));
    }
    bench.print(
      formatTable([
        ["payments", "/s", "CPU s of 1,000,000", "memory, MB"],
        ...runs.map((run) => [
          whole(run.payments),
          whole(run.per_second),
          run.cpu_seconds === null ? "" : whole((run.cpu_seconds * MILLION) / run.payments),
          whole(run.memory_mb),
        ]),
      ]),
    );
    return verdicts(runs);
  });
}

/** Reports payments of referred customers. */
async function report(
  database: Database,
  { organization_id, referral_ids }: Program,
  { first, count }: { first: number; count: number },
): Promise<void> {
  const { organization } = contextOf(database, organization_id);
  for (let from = first; from < first + count; from += AT_ONCE) {
    const reported = Array.from({ length: Math.min(AT_ONCE, first + count - from) }, (_, index) => {
      const number = from + index;
      const customer = number % referral_ids.length;
      return {
        processor: "stripe" as const,
        message_id: `evt_${number}`,
        fact: payment({
          subject: `in_${number}`,
          at: new Date(Date.now() - 1_000),
          customer_id: `cus_${customer}`,
          email: `customer-${customer}@example.com`,
          references: [`pi_${number}`],
          lines: [{ product_id: "prod_Pro", amount_minor: 10_000n, interval: "month" }],
        }),
      };
    });
    await apply({ database, organization }, reported);
  }
}

/** Runs the command as an operator does, in a process of its own. */
async function backtest(
  bench: Bench,
  database: Database,
  { database_url, organization_id }: Program,
): Promise<Run> {
  const [campaign] = await database<{ id: string }[]>`select id from campaigns order by id limit 1`;
  const postgres_before = await postgresCpuSeconds(database);
  const main = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));
  const command = ["backtest", "--json", "--org", organization_id, "--campaign", campaign?.id ?? ""];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [...process.execArgv, main, ...command, "--draft", "-", "--months", "3"],
    {
      env: { ...bench.base_environment, DATABASE_URL: database_url },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const ended = once(child, "close");
  const pid = child.pid ?? 0;
  const memory = watchMemory(pid);
  let child_cpu: number | null = null;
  const sampling = setInterval(async () => {
    child_cpu = (await cpuSeconds(pid)) ?? child_cpu;
  }, SAMPLE_MILLISECONDS);
  child.stdin.end(JSON.stringify(DRAFT));
  const result = await text(child.stdout);
  const [status] = await ended;
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampling);
  const sampled = await memory.finish();
  if (status !== 0) throw new Error(`the backtest ended with ${status}: ${result}`);
  const { payments, changed_payments }: BacktestResult = JSON.parse(result);
  if (payments === 0 || changed_payments === 0) throw new Error("the backtest found no payments");
  const postgres_after = await postgresCpuSeconds(database);
  return {
    payments,
    per_second: payments / seconds,
    cpu_seconds:
      postgres_before === null || postgres_after === null || child_cpu === null
        ? null
        : child_cpu + postgres_after - postgres_before,
    memory_mb: sampled?.sampled_mb ?? 0,
  };
}

function verdicts(runs: readonly Run[]): Verdict[] {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return [];
  const minutes = MILLION / last.per_second / 60;
  const growth = last.memory_mb / first.memory_mb;
  return [
    {
      question: "8 a backtest of 1,000,000 payments",
      measured: `${fine(minutes)} min`,
      limit: `${whole(last.per_second)} payments/s`,
      ratio: fine(minutes / MAX_MINUTES),
      target: `<= ${MAX_MINUTES} min`,
      met: minutes <= MAX_MINUTES,
    },
    {
      question: `  its memory with ${ROUNDS} times the payments`,
      measured: `${whole(last.memory_mb)} MB`,
      limit: `${whole(first.memory_mb)} MB`,
      ratio: fine(growth),
      target: `<= ${MAX_GROWTH}`,
      met: growth <= MAX_GROWTH,
    },
  ];
}
