/* Question: is the affiliates' portal as fast as promised? One question per file in portal/. */
import type { Bench } from "./bench.ts";
import { measureHome } from "./portal/home.ts";
import { measurePolling } from "./portal/polling.ts";
import { measureReads } from "./portal/reads.ts";
import type { Verdict } from "./table.ts";

const QUESTIONS = [measureReads, measurePolling, measureHome];

/** Runs the questions of the portal. */
export async function benchPortal(bench: Bench, only: number | null): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [index, measure] of QUESTIONS.entries()) {
    if (only === null || only === index + 1) verdicts.push(...(await measure(bench)));
  }
  return verdicts;
}
