/*
 * Question: does the API meet its targets for speed and memory? One question per file in api/; each compares
 * two things within the same run, since results from different machines or times are not comparable.
 */
import { type CommissionLoad, loadCommissions, measureThroughput } from "./api/create-commission.ts";
import { measureGet } from "./api/get-affiliate.ts";
import { describeLoadCost } from "./api/load-cost.ts";
import { measureMemory } from "./api/memory.ts";
import { measureStart } from "./api/start.ts";
import { measureTableSize } from "./api/table-size.ts";
import { measureUpgrade } from "./api/upgrade.ts";
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";

/** Runs the API's questions. */
export async function benchApi(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  let load: CommissionLoad | null = null;
  if (asked(1) || asked(4)) {
    bench.print(await describeLoadCost(bench));
    load = await loadCommissions(bench);
  }
  return [
    ...(load !== null && asked(1) ? measureThroughput(load) : []),
    ...(asked(2) ? await measureGet(bench) : []),
    ...(asked(3) ? await measureTableSize(bench) : []),
    ...(load !== null && asked(4) ? measureMemory(bench, load) : []),
    ...(asked(5) ? await measureStart(bench) : []),
    ...(asked(6) ? await measureUpgrade(bench) : []),
  ];
}
