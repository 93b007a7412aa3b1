/*
 * Question: are payout runs as fast as promised, and do they affect other users? One question per file in
 * payouts/.
 */
import type { Bench } from "./bench.ts";
import { measureBalance } from "./payouts/balance.ts";
import { measureRun } from "./payouts/run.ts";
import type { Verdict } from "./table.ts";

/** Runs the questions of payouts. */
export async function benchPayouts(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [...(asked(1) ? await measureRun(bench) : []), ...(asked(2) ? await measureBalance(bench) : [])];
}
