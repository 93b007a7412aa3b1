/*
 * The rules for messages, mails, payout runs, replays, exports, imports, totals, reviews and tiers that hold
 * when any call of the worker to Postgres fails.
 */
import { expect, it } from "vitest";
import {
  approveReviews,
  exportAffiliates,
  importFile,
  measureTiers,
  payOut,
  processMessages,
  replay,
  sealHours,
  sendMails,
} from "./jobs.ts";
import { ALL, runMatrix } from "./matrix.ts";
import { Stage } from "./stage.ts";

it.concurrent.each([
  ["processes each message once", processMessages],
  ["sends each mail and marks it", sendMails],
  ["finishes payout runs with the right sums and a clean ledger", payOut],
  ["finishes replays", replay],
  ["finishes exports with each row once", exportAffiliates],
  ["finishes imports with each line once", importFile],
  ["seals the totals of hours once", sealHours],
  ["approves commissions that have waited long enough once", approveReviews],
  ["stores tiers once, with their bonuses", measureTiers],
])("%s, for a failure of each call", { timeout: ALL ? 3_600_000 : 900_000 }, async (_, script) => {
  const stage = await Stage.open();
  try {
    await stage.startWorker();
    const { rounds, faulty, problems } = await runMatrix(stage, { scripts: [script], with_idle: false });
    expect(problems).toEqual([]);
    // A call that a round does not always make fails in some rounds only.
    expect(faulty).toBeGreaterThan(rounds / 4);
  } finally {
    await stage.close();
  }
});
