/* Question: are visitors' requests as fast as promised? One question per file in tracking/. */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { measureAttribution } from "./tracking/attribution.ts";
import { measureBacktest } from "./tracking/backtest.ts";
import { measureClicks, measureLinks } from "./tracking/intake.ts";
import { measureProcessing } from "./tracking/process-payments.ts";
import { measureRules } from "./tracking/rules.ts";
import { measureSignals } from "./tracking/signals.ts";
import { measureStripeIntake } from "./tracking/stripe-intake.ts";
import { measureSubIds } from "./tracking/sub-ids.ts";

/** Runs the questions of tracking. */
export async function benchTracking(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [
    ...(asked(1) ? await measureClicks(bench) : []),
    ...(asked(2) ? await measureLinks(bench) : []),
    ...(asked(3) ? await measureStripeIntake(bench) : []),
    ...(asked(4) ? await measureProcessing(bench) : []),
    ...(asked(5) ? await measureAttribution(bench) : []),
    ...(asked(6) ? await measureSubIds(bench) : []),
    ...(asked(7) ? await measureRules(bench) : []),
    ...(asked(7) ? await measureSignals(bench) : []),
    ...(asked(8) ? await measureBacktest(bench) : []),
  ];
}
