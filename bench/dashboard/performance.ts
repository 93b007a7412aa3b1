/* Question: is the performance of any period as quick to read as that of a month? */
import { performanceDimensions } from "@findersfee/contract/reports/performance";
import { periodOf } from "@findersfee/contract/reports/periods";
import { getPerformance } from "@findersfee/domain/reports/performance/get";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { fillPerformance, type PerformanceProgram } from "./fill-performance.ts";

/** The most times that a period's read may take, compared with the last month's. */
const MAX_RATIO = 5;
const TIMES = 5;
/** Rows of each table in a part of the rebuild. */
const PART_ROWS = 50_000;

type Query = Parameters<typeof getPerformance>[1];

/** Question 7. */
export async function measurePerformance(bench: Bench): Promise<Verdict[]> {
  const sizes = bench.quick
    ? { affiliates: 500, clicks: 50_000, commissions: 10_000 }
    : { affiliates: 5_000, clicks: 1_000_000, commissions: 200_000 };
  return await withConnection(await bench.server.createDatabase(), async (database) => {
    const program = await fillPerformance(database, sizes);
    const { organization_id } = program;
    const began = performance.now();
    await rebuildTotals(database, organization_id, { rows: PART_ROWS });
    bench.print(`summed up ${whole(sizes.clicks)} clicks in ${whole(performance.now() - began)} ms`);
    await database`vacuum (analyze)`;
    const [bytes] = await database<[{ totals: number; clicks: number }]>`
      select (pg_total_relation_size('performance_totals') + pg_total_relation_size('affiliate_performance'))::float8 as totals,
        (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'clicks'::regclass)::float8 as clicks`;
    bench.print(`totals ${whole(bytes.totals / 1e6)} MB, clicks ${whole(bytes.clicks / 1e6)} MB`);
    const context = contextOf(database, organization_id);
    const lines = [["ms of a table", "dimension", ...Object.keys(periods())]];
    const verdicts: Verdict[] = [];
    for (const [scope, of] of Object.entries(scopesOf(program))) {
      let worst = 0;
      for (const dimension of performanceDimensions) {
        if (scope !== "organization" && dimension === "campaign") continue;
        if (scope === "affiliate" && dimension === "affiliate") continue;
        const medians: number[] = [];
        for (const period of Object.values(periods())) {
          const query: Query = {
            dimension,
            ...of,
            ...period,
            sort: "clicks",
            direction: "desc",
            limit: 50,
            offset: 0,
          };
          medians.push(await medianOf(() => getPerformance(context, query)));
        }
        lines.push([scope, dimension, ...medians.map(fine)]);
        worst = Math.max(worst, Math.max(...medians) / (medians[1] ?? 1));
      }
      verdicts.push({
        question: `7 performance of any period, of the ${scope}`,
        measured: "the slowest period",
        limit: "the last month",
        ratio: fine(worst),
        target: `<= ${MAX_RATIO}`,
        met: worst <= MAX_RATIO,
      });
    }
    bench.print(formatTable(lines));
    return verdicts;
  });
}

function scopesOf({
  campaign_ids,
  affiliate_ids,
}: PerformanceProgram): Record<string, Pick<Query, "campaign_id" | "affiliate_id">> {
  return {
    organization: {},
    campaign: { campaign_id: campaign_ids[0] },
    affiliate: { affiliate_id: affiliate_ids[0] },
  };
}

/** The last month is the second one. */
function periods(): Record<string, Pick<Query, "from" | "until" | "previous_from" | "previous_until">> {
  const today = new Date().toISOString().slice(0, 10);
  const presets = (["this_month", "last_month", "this_quarter", "this_year", "all_time"] as const).map(
    (preset) => {
      const { from, until, previous } = periodOf(preset, today);
      return [
        preset,
        { from: from ?? undefined, until, previous_from: previous?.from, previous_until: previous?.until },
      ] as const;
    },
  );
  const year = Number(today.slice(0, 4)) - 1;
  return { ...Object.fromEntries(presets), part: { from: `${year}-02-15`, until: `${year}-11-21` } };
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  await run();
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return spread(times).median;
}
