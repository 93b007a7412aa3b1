/*
 * Answers: are events delivered as fast, and as fairly, as promised? One question per file in webhooks/.
 */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { judgeDrain } from "./webhooks/drain.ts";

/** Answers the questions of webhooks. */
export async function answerWebhooks(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [...(asked(1) ? await judgeDrain(bench) : [])];
}
