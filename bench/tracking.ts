/* Question: are visitors' requests as fast as promised? One question per file in tracking/. */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { judgeAttribution } from "./tracking/attribution.ts";
import { judgeClicks, judgeLinks } from "./tracking/intake.ts";
import { judgeProcessing } from "./tracking/process-payments.ts";
import { judgeStripeIntake } from "./tracking/stripe-intake.ts";

/** Runs the questions of tracking. */
export async function answerTracking(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [
    ...(asked(1) ? await judgeClicks(bench) : []),
    ...(asked(2) ? await judgeLinks(bench) : []),
    ...(asked(3) ? await judgeStripeIntake(bench) : []),
    ...(asked(4) ? await judgeProcessing(bench) : []),
    ...(asked(5) ? await judgeAttribution(bench) : []),
  ];
}
