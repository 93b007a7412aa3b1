/* Question: does the SDK meet its targets for speed? One question per file in sdk/. */
import type { Bench } from "./bench.ts";
import { measureCall } from "./sdk/call.ts";
import { measureVerify } from "./sdk/verify.ts";
import type { Verdict } from "./table.ts";

/** Runs the questions of the SDK. */
export async function benchSdk(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [...(asked(1) ? await measureCall(bench) : []), ...(asked(2) ? await measureVerify(bench) : [])];
}
