/* Question: is the dashboard as fast as promised? One question per file in dashboard/. */
import type { Bench } from "./bench.ts";
import { measureOverview } from "./dashboard/overview.ts";
import type { Verdict } from "./table.ts";

/** Runs the questions of the dashboard. */
export async function benchDashboard(bench: Bench, only: number | null): Promise<Verdict[]> {
  return only === null || only === 1 ? await measureOverview(bench) : [];
}
