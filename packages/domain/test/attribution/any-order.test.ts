import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { updateAdjustment } from "../../src/ledger/adjustments/update.ts";
import {
  addTo,
  applyInBatches,
  balancesOf,
  earned,
  faults,
  inOrder,
  makeWorld,
  messagesOf,
  misannounced,
  releaseOne,
  resultOf,
  type World,
  withoutZeros,
} from "./any-order-world.ts";
import { PARTNERS, stories } from "./customer-stories.ts";
import { apply, payOut, wrongPassed } from "./program.ts";
import { recorded_acts } from "./recorded-acts.ts";

/** What a failed run printed. */
const { ANY_ORDER_SEED: seed, ANY_ORDER_PATH: path } = process.env;
const repeated = { ...(seed && { seed: Number(seed) }), ...(path && { path }) };

/** More of them by `ORDERS=1000`. */
const RUNS = extent("ORDERS", { short: 3, full: 15 });

/** A property that fails is made smaller until then, and reports its seed. */
const LIMIT = { interruptAfterTimeLimit: 100_000 + RUNS * 8_000, markInterruptAsFailure: true, ...repeated };

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const processor = fc.constantFrom("stripe" as const, "generic" as const);
const single_emails = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });

it("attributes customers the same in any order, also with repeated reports", {
  timeout: 300_000 + RUNS * 8_000,
}, async () => {
  const reporting = fc.record({
    story: stories,
    processor,
    acts: recorded_acts,
    emails: fc.option(single_emails, { freq: 2 }),
    order: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
    /** The number of messages in each batch. */
    sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
    twice: fc.nat({ max: 3 }),
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(reporting, async ({ order, sizes, twice, ...reporting }) => {
      const straight = await makeWorld(test.database);
      await apply(straight.context, messagesOf(reporting, straight));
      const shuffled = await makeWorld(test.database);
      const messages = messagesOf(reporting, shuffled);
      const again = twice === 0 ? messages : messages.filter((_, index) => index % (twice + 1) === 0);
      await applyInBatches(shuffled, inOrder([...messages, ...again], order), sizes);
      const expected = await resultOf(straight);
      decided += expected.commissions.length;
      expect(await resultOf(shuffled)).toEqual(expected);
      for (const { context } of [straight, shuffled]) {
        expect(await wrongPassed(context)).toEqual([]);
        expect(await faults(context)).toEqual([]);
      }
    }),
    { ...LIMIT, numRuns: RUNS },
  );
  // Else nothing was compared. The few histories of the short form may have no commission.
  if (FULL_TESTS) expect(decided).toBeGreaterThan(0);
});

/** The movements of money after each batch. */
const paid_batch = fc.record({
  status: fc.constantFrom("none" as const, "pending" as const, "paid" as const, "paid" as const),
  /** An open payout that is canceled, or a paid one that comes back. */
  released: fc.option(fc.nat(), { freq: 2 }),
  adjusted: fc.option(
    fc.record({
      partner: fc.nat({ max: PARTNERS - 1 }),
      amount: fc.constantFrom(30, -12.5, 0.01, -400),
      is_withdrawn: fc.boolean(),
    }),
    { freq: 2 },
  ),
});

type PaidBatch = typeof paid_batch extends fc.Arbitrary<infer One> ? One : never;

/** Pays, takes payouts back and adjusts a balance; returns the adjustment, by affiliate and currency. */
async function movesMoney(
  { context, affiliates }: World,
  { status, released, adjusted }: PaidBatch,
): Promise<Record<string, bigint>> {
  let sum: Record<string, bigint> = {};
  if (adjusted !== null) {
    const { partner, amount, is_withdrawn } = adjusted;
    const input = { affiliate_id: affiliates[partner] ?? "", amount, reason: "A bonus" };
    const { id } = await createAdjustment(context, input);
    if (is_withdrawn) await updateAdjustment(context, { id, payout_status: "voided" });
    else sum = { [`${partner} USD`]: BigInt(Math.round(amount * 100)) };
  }
  if (status !== "none") await payOut(context, status);
  if (released !== null) await releaseOne(context, released);
  return sum;
}

it("keeps sums and publishes each event once with payouts, returned ones and adjustments in between", {
  timeout: 300_000 + RUNS * 8_000,
}, async () => {
  const history = fc.record({
    story: stories,
    processor,
    acts: recorded_acts,
    order: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
    batches: fc.array(paid_batch, { minLength: 1, maxLength: 6 }),
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ order, batches, ...rest }) => {
      const reporting = { ...rest, emails: null };
      const straight = await makeWorld(test.database);
      await apply(straight.context, messagesOf(reporting, straight));
      const paying = await makeWorld(test.database);
      const messages = inOrder(messagesOf(reporting, paying), order);
      const adjusted: Record<string, bigint> = {};
      for (let from = 0, step = 0; from < messages.length; from += 4, step++) {
        await apply(paying.context, messages.slice(from, from + 4));
        const batch = batches[step % batches.length];
        if (batch !== undefined) addTo(adjusted, await movesMoney(paying, batch));
      }
      const expected = await resultOf(straight);
      const result = await resultOf(paying);
      decided += expected.commissions.length;
      expect(result.decisions).toEqual(expected.decisions);
      expect(earned(result)).toEqual(earned(expected));
      expect(await balancesOf(straight)).toEqual(earned(expected));
      expect(await balancesOf(paying)).toEqual(withoutZeros(addTo(earned(expected), adjusted)));
      for (const world of [straight, paying]) expect(await misannounced(world)).toEqual([]);
      expect(await faults(paying.context)).toEqual([]);
    }),
    { ...LIMIT, numRuns: Math.ceil(RUNS / 2) },
  );
  if (FULL_TESTS) expect(decided).toBeGreaterThan(0);
});

it("uses an email from any report", { timeout: 300_000 + RUNS * 8_000 }, async () => {
  let earned = 0;
  await fc.assert(
    fc.asyncProperty(stories, processor, single_emails, async (story, processor, emails) => {
      const everywhere = await makeWorld(test.database);
      await apply(everywhere.context, messagesOf({ story, processor, emails: null }, everywhere));
      const once = await makeWorld(test.database);
      // One by one: the email is often the last thing that is known of a customer.
      for (const message of messagesOf({ story, processor, emails }, once))
        await apply(once.context, [message]);
      const expected = await resultOf(everywhere);
      earned += expected.commissions.length;
      expect(await resultOf(once)).toEqual(expected);
    }),
    { ...LIMIT, numRuns: Math.ceil(RUNS / 2) },
  );
  if (FULL_TESTS) expect(earned).toBeGreaterThan(0);
});
