/*
 * Answers: are events delivered as fast, and as fairly, as promised? One question per file in webhooks/.
 */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { judgeDrain } from "./webhooks/drain.ts";
import { judgeHanging } from "./webhooks/hanging.ts";
import { judgeLatency } from "./webhooks/latency.ts";
import { judgeWorkerMemory } from "./webhooks/memory.ts";
import { judgeSubscribedCommissions } from "./webhooks/subscribed-commissions.ts";
import { judgeWaiting } from "./webhooks/waiting.ts";

/** Answers the questions of webhooks. */
export async function answerWebhooks(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [
    ...(asked(1) ? await judgeDrain(bench) : []),
    ...(asked(2) ? await judgeLatency(bench) : []),
    ...(asked(3) ? await judgeHanging(bench) : []),
    ...(asked(4) ? await judgeWaiting(bench) : []),
    ...(asked(5) ? await judgeWorkerMemory(bench) : []),
    ...(asked(6) ? await judgeSubscribedCommissions(bench) : []),
  ];
}
