/* Question: does the SDK meet its targets for speed? One question per file in sdk/. */
import type { Bench } from "./bench.ts";
import { judgeCall } from "./sdk/call.ts";
import { judgeVerify } from "./sdk/verify.ts";
import type { Verdict } from "./table.ts";

/** Runs the questions of the SDK. */
export async function answerSdk(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [...(asked(1) ? await judgeCall(bench) : []), ...(asked(2) ? await judgeVerify(bench) : [])];
}
