import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { workPayoutRuns } from "../work.ts";
import { brokenRules, makePayoutContext, monthsAgo, paidIn, payOut, previews, promised } from "./program.ts";
import { createUnpaidCommissions, outcomeOfPayouts, type UnpaidCommission } from "./unpaid-commissions.ts";

/** More of them by `INTERRUPTED_RUNS=300`. */
const RUNS = extent("INTERRUPTED_RUNS", { short: 8, full: 25 });
const MINIMUM = 10;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const owed = fc.record({
  currency: fc.constantFrom("USD", "USD", "EUR"),
  amount_minor: fc.constantFrom(500, 700, 1_000, 2_500, -600, -3_000),
  held: fc.boolean(),
  is_adjustment: fc.constantFrom(true, false, false),
}) satisfies fc.Arbitrary<UnpaidCommission>;

const program = fc.record({
  owed: fc.array(fc.array(owed, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 60 }),
  /** For each attempt: the number of reads of its signal after which each concurrent worker is aborted. */
  attempts: fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
});

/** Each test has a run that is interrupted: twice before its first batch, and after it. */
const often_interrupted: typeof program extends fc.Arbitrary<infer One> ? One : never = {
  owed: Array.from({ length: 20 }, () => [
    { currency: "USD", amount_minor: 2_500, held: false, is_adjustment: false },
  ]),
  attempts: [[0], [0], [1]],
};

/** A run pays 10 to 60 affiliates, so it takes several transactions. */
const BATCH = 5;

/** A signal that is aborted after this many reads; a run reads it before each batch. */
function abortedAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let looked = 0;
  Object.defineProperty(signal, "aborted", { get: () => ++looked > looks });
  return signal;
}

async function make(rows: readonly (readonly UnpaidCommission[])[]): Promise<Context> {
  const context = await makePayoutContext(test.database, { minimum_payouts: { USD: MINIMUM } });
  await createUnpaidCommissions(context, rows);
  return context;
}

it("completes an interrupted run with the same result", {
  timeout: 300_000 + RUNS * 2_000,
}, async () => {
  let payouts = 0;
  let left = 0;
  await fc.assert(
    fc.asyncProperty(program, async ({ owed: rows, attempts }) => {
      const uninterrupted = await make(rows);
      const preview = await previews(uninterrupted);
      await payOut(uninterrupted, monthsAgo(1));
      expect(await paidIn(uninterrupted, monthsAgo(1))).toEqual(promised(preview));
      const interrupted = await make(rows);
      await startPayoutRun(interrupted, { period: monthsAgo(1), method: "manual" });
      for (const ends of attempts) {
        await Promise.all(
          ends.map((end) => workPayoutRuns(test.database, abortedAfter(end), { batch: BATCH })),
        );
        // The same again goes on with it, unless it is over.
        const again = startPayoutRun(interrupted, { period: monthsAgo(1), method: "manual" });
        left += (await again).finished_at === null ? 1 : 0;
      }
      const { signal } = new AbortController();
      const work = () => workPayoutRuns(test.database, signal, { batch: BATCH });
      await Promise.all([work(), work()]);
      const expected = await outcomeOfPayouts(uninterrupted);
      expect(await outcomeOfPayouts(interrupted)).toEqual(expected);
      expect([await brokenRules(uninterrupted), await brokenRules(interrupted)]).toEqual([[], []]);
      payouts += "payouts" in expected && Array.isArray(expected.payouts) ? expected.payouts.length : 0;
    }),
    { numRuns: RUNS, examples: [[often_interrupted]] },
  );
  // Else nothing was compared, or nothing interrupted.
  expect(payouts).toBeGreaterThan(RUNS);
  expect(left).toBeGreaterThan(0);
});
