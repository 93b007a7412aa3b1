/*
 * Question: how long does a backtest of a million payments take, and does its memory stay flat? Processes invoices of referred customers,
 * and decides them again by a draft with rules, in this process: a worker's steps do the same.
 */
import { runBacktest } from "@findersfee/domain/attribution/backtest/run";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { watchMemory } from "../process-status.ts";
import { contextOf, makeProgram } from "../program.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { Payments, processAlone } from "./process-payments.ts";

const MILLION = 1_000_000;
const MAX_MINUTES = 10;
const MAX_GROWTH_MB = 100;
const ROUNDS = 4;

interface Run {
  payments: number;
  per_second: number;
  /** The highest memory of the process, less that before. */
  growth_mb: number;
}

/** Question 8. */
export async function measureBacktest(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  return await withConnection(program.database_url, async (database) => {
    const context = contextOf(database, program.organization_id);
    const [campaign] = await database<{ id: string }[]>`select id from campaigns order by id limit 1`;
    const payments = new Payments(database, program, bench.quick ? 5_000 : 25_000);
    const runs: Run[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await payments.workOff(processAlone);
      await database`vacuum (analyze)`;
      runs.push(await backtest({ ...context, database }, campaign?.id ?? ""));
    }
    bench.print(
      formatTable([
        ["payments", "/s", "memory, + MB"],
        ...runs.map((run) => [whole(run.payments), whole(run.per_second), whole(run.growth_mb)]),
      ]),
    );
    return verdicts(runs);
  });
}

async function backtest(context: ReturnType<typeof contextOf>, campaign_id: string): Promise<Run> {
  const before = process.memoryUsage().rss;
  const memory = watchMemory(process.pid);
  const started = performance.now();
  const reward = { type: "percentage" as const, amount: 45, amounts: [] };
  const rules = [
    { name: "First payments", conditions: { payments: { to: 2 } }, reward },
    { name: "Large ones", conditions: { amount: { currency: "USD", from: 100 } }, reward },
  ];
  const { payments, changed_payments } = await runBacktest(context, {
    campaign: { campaign_id, commission_amount: 20, rules },
    months: 3,
  });
  const seconds = (performance.now() - started) / 1000;
  const after = await memory.finish();
  if (payments === 0 || changed_payments === 0) throw new Error("the backtest found no payments");
  return {
    payments,
    per_second: payments / seconds,
    growth_mb: after === null ? 0 : Math.max(0, after.sampled_mb - before / 1024 / 1024),
  };
}

function verdicts(runs: readonly Run[]): Verdict[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const minutes = MILLION / last.per_second / 60;
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
      question: "  its memory",
      measured: `+ ${whole(last.growth_mb)} MB`,
      limit: `${whole(last.payments)} payments`,
      ratio: fine(last.growth_mb / MAX_GROWTH_MB),
      target: `<= ${MAX_GROWTH_MB} MB`,
      met: last.growth_mb <= MAX_GROWTH_MB,
    },
  ];
}
