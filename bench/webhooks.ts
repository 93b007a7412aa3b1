/* Question: are events delivered as fast and as fairly as promised? One question per file in webhooks/. */
import type { Bench } from "./bench.ts";
import type { Verdict } from "./table.ts";
import { measureBacklog } from "./webhooks/backlog.ts";
import { measureBurst } from "./webhooks/burst.ts";
import { measureDrain } from "./webhooks/drain.ts";
import { measureFailing } from "./webhooks/failing.ts";
import { measureHanging } from "./webhooks/hanging.ts";
import { measureHistory } from "./webhooks/history.ts";
import { measureKilledWorkers } from "./webhooks/killed-workers.ts";
import { measureLatency } from "./webhooks/latency.ts";
import { measureWorkerMemory } from "./webhooks/memory.ts";
import { measureSubscribedCommissions } from "./webhooks/subscribed-commissions.ts";
import { measureTwoWorkers } from "./webhooks/two-workers.ts";
import { measureWaiting } from "./webhooks/waiting.ts";

/** Runs the questions of webhooks. */
export async function benchWebhooks(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  return [
    ...(asked(1) ? await measureDrain(bench) : []),
    ...(asked(2) ? await measureLatency(bench) : []),
    ...(asked(3) ? await measureHanging(bench) : []),
    ...(asked(4) ? await measureWaiting(bench) : []),
    ...(asked(5) ? await measureWorkerMemory(bench) : []),
    ...(asked(6) ? await measureSubscribedCommissions(bench) : []),
    ...(asked(7) ? await measureBurst(bench) : []),
    ...(asked(8) ? await measureFailing(bench) : []),
    ...(asked(9) ? await measureBacklog(bench) : []),
    ...(asked(10) ? await measureHistory(bench) : []),
    ...(asked(11) ? await measureTwoWorkers(bench) : []),
    ...(asked(12) ? await measureKilledWorkers(bench) : []),
  ];
}
