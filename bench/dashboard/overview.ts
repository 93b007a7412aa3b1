/* Question: how long do the statements of the dashboard's overview take with many commissions and clicks? */

import { countPayments } from "@findersfee/domain/attribution/list-rows";
import { sumBalances } from "@findersfee/domain/ledger/sum-balances";
import { listAttention } from "@findersfee/domain/reports/attention";
import { getOverview } from "@findersfee/domain/reports/overview";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { fillClicks } from "./fill.ts";

const MAX_MS = 50;
const TIMES = 40;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const RANGE_DAYS = 30;

/** Question 1. */
export async function measureOverview(bench: Bench): Promise<Verdict[]> {
  const commissions = bench.quick ? 100_000 : 1_000_000;
  const clicks = 5 * commissions;
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  return await withConnection(program.database_url, async (database) => {
    await fillClicks(database, program, clicks);
    const began = performance.now();
    await rebuildTotals(database, program.organization_id);
    bench.print(
      `summed up ${whole(commissions)} commissions and ${whole(clicks)} clicks in ${whole(performance.now() - began)} ms`,
    );
    await database`vacuum (analyze)`;
    const context = contextOf(database, program.organization_id);
    const dateOf = (days: number) =>
      new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
    const range = { from: dateOf(1 - RANGE_DAYS), until: dateOf(1) };
    const statements: Record<string, () => Promise<unknown>> = {
      totals: () => getOverview(context, { ...range, unit: "day", top: 5 }),
      balances: () => sumBalances(context),
      attention: () => listAttention(context),
      payments: () => countPayments(context, { paid_from: `${range.from}T00:00:00.000Z` }),
    };
    const medians: [string, number][] = [];
    for (const [name, run] of Object.entries(statements)) medians.push([name, await medianOf(run)]);
    bench.print(medians.map(([name, median]) => `${name} ${fine(median)} ms`).join(", "));
    const sum = medians.reduce((total, [, median]) => total + median, 0);
    return [
      {
        question: `1 overview of ${whole(commissions)} commissions and ${whole(clicks)} clicks, 30 days`,
        measured: `${fine(sum)} ms`,
        limit: "",
        ratio: "",
        target: `<= ${MAX_MS} ms`,
        met: sum <= MAX_MS,
      },
    ];
  });
}

/** Milliseconds of a call, with its one or few statements. */
async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return spread(times).median;
}
