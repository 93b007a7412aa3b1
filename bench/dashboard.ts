/* Question: is the dashboard as fast as promised? One question, or a few that share their data, per file in dashboard/. */
import type { Bench } from "./bench.ts";
import { measureLists } from "./dashboard/lists.ts";
import { measureOverview } from "./dashboard/overview.ts";
import { measurePages } from "./dashboard/pages.ts";
import { measurePerformance } from "./dashboard/performance.ts";
import { measurePolling } from "./dashboard/polling.ts";
import { measureReplicas } from "./dashboard/replicas.ts";
import type { Verdict } from "./table.ts";

/** The questions by number. Those of pages, 2 to 4, are answered together. */
const QUESTIONS: [numbers: readonly number[], measure: (bench: Bench) => Promise<Verdict[]>][] = [
  [[1], measureOverview],
  [[2, 3, 4], measurePages],
  [[5], measurePolling],
  [[6], measureLists],
  [[7], measurePerformance],
  [[8], measureReplicas],
];

/** Runs the questions of the dashboard. */
export async function benchDashboard(bench: Bench, only: number | null): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [numbers, measure] of QUESTIONS) {
    if (only === null || numbers.includes(only)) verdicts.push(...(await measure(bench)));
  }
  return verdicts;
}
