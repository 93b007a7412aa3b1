/* Question: what does each trick for speed save? docs/contributing/performance.md lists them. One question per file in tricks/. */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { measureBatches } from "./tricks/batches.ts";
import { measureHooks } from "./tricks/hooks.ts";
import { measureProcess } from "./tricks/process.ts";
import { measureStatements } from "./tricks/statements.ts";

/** Runs the questions of tricks, which have no targets. */
export async function benchTricks(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  if (asked(1)) await measureStatements(bench);
  if (asked(2)) await measureBatches(bench);
  if (asked(3)) await measureProcess(bench);
  if (asked(4)) await measureHooks(bench);
  return [];
}
