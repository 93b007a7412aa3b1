/* Acts of people after the first reports, in worlds in which each part of the reports has its own order. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { extent, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { undoOverride } from "../../src/attribution/overrides/make.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import { all_acts, override_acts, perform, withdrawnPayments } from "./acts.ts";
import {
  applyInBatches,
  balancesOf,
  earned,
  faults,
  inOrder,
  makeWorld,
  messagesOf,
  misannounced,
  resultOf,
  type World,
} from "./any-order-world.ts";
import { type Story, stories } from "./customer-stories.ts";
import { apply, wrongPassed } from "./program.ts";
import { payment } from "./reported.ts";

/** What a failed run printed. */
const { ANY_ORDER_SEED: seed, ANY_ORDER_PATH: path } = process.env;
const repeated = { ...(seed && { seed: Number(seed) }), ...(path && { path }) };

/** More of them by `ORDERS=1000`. */
const RUNS = extent("ORDERS", { short: 4, full: 15 });
const LIMIT = {
  interruptAfterTimeLimit: 100_000 + RUNS * 8_000,
  markInterruptAsFailure: true,
  ...repeated,
};
const TIMEOUT = 300_000 + RUNS * 8_000;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** All acts are made before the later payments, and the same in all worlds. */
const TOMORROW = Date.now() + DAY_MILLISECONDS;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** A story with customers that also pay after the acts. */
const long_stories: fc.Arbitrary<Story> = fc
  .tuple(
    stories,
    fc.array(fc.record({ customer: fc.nat({ max: 3 }), day: fc.nat({ max: 40 }) }), { maxLength: 4 }),
  )
  .map(([story, later]) => (bring) => {
    const facts = story(bring);
    return [...facts, ...later.map((paid, index) => laterPayment(facts, { ...paid, index }))];
  });

function laterPayment(
  facts: readonly PaymentFact[],
  { customer, day, index }: { customer: number; day: number; index: number },
): PaymentFact {
  const customers = facts.flatMap((fact) => (fact.kind === "customer" ? fact : []));
  const { customer_id = null, email = null } = customers[customer % customers.length] ?? {};
  const at = new Date(TOMORROW + day * DAY_MILLISECONDS);
  return payment({ subject: `in_later_${index}`, customer_id, email, at });
}

const history = fc.record({
  story: long_stories,
  processor: fc.constantFrom("stripe" as const, "generic" as const),
  /** Of all messages, in turn: whether they are reported before the acts. */
  is_before: fc.array(fc.constantFrom(true, true, true, false), { minLength: 40, maxLength: 40 }),
  orders: fc.tuple(
    fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
    fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
  ),
  sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
});

type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

/** The messages before and after the acts. */
function parts({ story, processor, is_before }: History, world: World): [IncomingFact[], IncomingFact[]] {
  const messages = messagesOf({ story, processor, emails: null }, world);
  const isBefore = (_: IncomingFact, index: number) => is_before[index % is_before.length] === true;
  return [messages.filter(isBefore), messages.filter((message, index) => !isBefore(message, index))];
}

it("gives the same result in any order of the reports before and after people's acts", {
  timeout: TIMEOUT,
}, async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(history, all_acts, async (history, acts) => {
      const [straight, shuffled] = [await makeWorld(test.database), await makeWorld(test.database)];
      const [before, after] = parts(history, straight);
      const [mixed_before, mixed_after] = parts(history, shuffled);
      await apply(straight.context, before);
      await applyInBatches(shuffled, inOrder(mixed_before, history.orders[0]), history.sizes);
      expect(await resultOf(shuffled)).toEqual(await resultOf(straight));
      const made: [string[], string[]] = [[], []];
      for (const act of acts) {
        const withdrawn = new Set([
          ...(await withdrawnPayments(straight)),
          ...(await withdrawnPayments(shuffled)),
        ]);
        const result = await perform(straight, act, { made: made[0], withdrawn });
        expect(await perform(shuffled, act, { made: made[1], withdrawn })).toBe(result);
        if (result === "done") done += 1;
      }
      await apply(straight.context, after);
      await applyInBatches(shuffled, inOrder(mixed_after, history.orders[1]), history.sizes);
      expect(withNumbers(await resultOf(shuffled), made[1])).toEqual(
        withNumbers(await resultOf(straight), made[0]),
      );
      expect(await balancesOf(shuffled)).toEqual(await balancesOf(straight));
      for (const world of [straight, shuffled]) {
        expect(await misannounced(world)).toEqual([]);
        expect(await wrongPassed(world.context)).toEqual([]);
        expect(await faults(world.context)).toEqual([]);
      }
    }),
    { ...LIMIT, numRuns: RUNS },
  );
  // The few histories of the short form may have no act that can be performed.
  if (FULL_TESTS) expect(done).toBeGreaterThan(0);
});

/** With the numbers of overrides in place of their ids. */
function withNumbers(
  { decisions, ...result }: Awaited<ReturnType<typeof resultOf>>,
  made: readonly string[],
) {
  return {
    ...result,
    decisions: decisions.map((row) => {
      const id = "override_id" in row ? row.override_id : null;
      return { ...row, override_id: id === null ? null : made.indexOf(String(id)) };
    }),
  };
}

it("undoes overrides as if they had never been made, also with payouts in between", {
  timeout: TIMEOUT,
}, async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(history, override_acts, async (history, acts) => {
      const [straight, acted] = [await makeWorld(test.database), await makeWorld(test.database)];
      await apply(straight.context, parts(history, straight).flat());
      const [before, after] = parts(history, acted);
      await applyInBatches(acted, inOrder(before, history.orders[0]), history.sizes);
      const made: string[] = [];
      for (const act of acts) if (act.does !== "adjust") await perform(acted, act, { made });
      await applyInBatches(acted, inOrder(after, history.orders[1]), history.sizes);
      await perform(acted, { does: "pay", status: "paid" }, { made });
      for (const [index, id] of inOrderOf(made, history.orders[1]).entries()) {
        await undoOverride(acted.context, { reason: "a mistake", dry_run: false, id }).catch(
          (error: unknown) => {
            // Undone by one of the acts.
            expect(error).toMatchObject({ code: "override_refused" });
          },
        );
        if (index === 0) await perform(acted, { does: "pay", status: "paid" }, { made });
      }
      undone += made.length;
      const [expected, result] = [await resultOf(straight), await resultOf(acted)];
      expect(result.decisions).toEqual(expected.decisions);
      expect(result.referrals).toEqual(expected.referrals);
      expect(earned(result)).toEqual(earned(expected));
      expect(await balancesOf(acted)).toEqual(earned(expected));
      expect(await misannounced(acted)).toEqual([]);
      expect(await wrongPassed(acted.context)).toEqual([]);
      expect(await faults(acted.context)).toEqual([]);
    }),
    { ...LIMIT, numRuns: RUNS },
  );
  if (FULL_TESTS) expect(undone).toBeGreaterThan(0);
});

function inOrderOf(ids: readonly string[], order: readonly number[]): string[] {
  return ids
    .map((id, index) => ({ id, key: order[index % order.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ id }) => id);
}
