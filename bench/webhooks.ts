/* Question: are events delivered as fast and as fairly as promised? One question per file in webhooks/. */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { judgeBacklog } from "./webhooks/backlog.ts";
import { judgeBurst } from "./webhooks/burst.ts";
import { judgeDrain } from "./webhooks/drain.ts";
import { judgeFailing } from "./webhooks/failing.ts";
import { judgeHanging } from "./webhooks/hanging.ts";
import { judgeHistory } from "./webhooks/history.ts";
import { judgeKilledWorkers } from "./webhooks/killed-workers.ts";
import { judgeLatency } from "./webhooks/latency.ts";
import { judgeWorkerMemory } from "./webhooks/memory.ts";
import { judgeSubscribedCommissions } from "./webhooks/subscribed-commissions.ts";
import { judgeTwoWorkers } from "./webhooks/two-workers.ts";
import { judgeWaiting } from "./webhooks/waiting.ts";

/** Runs the questions of webhooks. */
export async function answerWebhooks(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [
    ...(asked(1) ? await judgeDrain(bench) : []),
    ...(asked(2) ? await judgeLatency(bench) : []),
    ...(asked(3) ? await judgeHanging(bench) : []),
    ...(asked(4) ? await judgeWaiting(bench) : []),
    ...(asked(5) ? await judgeWorkerMemory(bench) : []),
    ...(asked(6) ? await judgeSubscribedCommissions(bench) : []),
    ...(asked(7) ? await judgeBurst(bench) : []),
    ...(asked(8) ? await judgeFailing(bench) : []),
    ...(asked(9) ? await judgeBacklog(bench) : []),
    ...(asked(10) ? await judgeHistory(bench) : []),
    ...(asked(11) ? await judgeTwoWorkers(bench) : []),
    ...(asked(12) ? await judgeKilledWorkers(bench) : []),
  ];
}
