/*
 * The rules for messages, mails, payout runs, replays, exports, imports, totals and reviews that hold
 * when any call of the worker to Postgres fails.
 */
import { expect, it } from "vitest";
import {
  approveReviews,
  exportAffiliates,
  importFile,
  payOut,
  processMessages,
  replay,
  sealHours,
  sendMails,
} from "./jobs.ts";
import { MATRIX_MILLISECONDS, runJobMatrix } from "./matrix.ts";

it.concurrent.each([
  ["processes each message once", processMessages],
  ["sends each mail and marks it", sendMails],
  ["finishes payout runs with the right sums and a clean ledger", payOut],
  ["finishes replays", replay],
  ["finishes exports with each row once", exportAffiliates],
  ["finishes imports with each line once", importFile],
  ["seals the totals of hours once", sealHours],
  ["approves commissions that have waited long enough once", approveReviews],
])("%s, for a failure of each call", { timeout: MATRIX_MILLISECONDS }, async (_, script) => {
  const { rounds, faulty, problems } = await runJobMatrix(script);
  expect(problems).toEqual([]);
  // A call that a round does not always make fails in some rounds only.
  expect(faulty).toBeGreaterThan(rounds / 4);
});
