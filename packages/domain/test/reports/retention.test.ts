/* How many of an affiliate's customers pay again, by the month of their first payment. */
import { addMonths, startOf } from "@findersfee/contract/reports/periods";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getRetention } from "../../src/reports/retention.ts";
import { addPartner, click, type Partner, report } from "../attribution/program.ts";
import { checkout, payment, refund } from "../attribution/reported.ts";
import { makePayoutContext } from "../ledger/program.ts";

const THIS_MONTH = startOf(new Date().toISOString().slice(0, 10), "month");
const monthsAgo = (months: number) => addMonths(THIS_MONTH, -months);
/** The first moment of the month, in UTC, which is the organization's time zone, and a second. */
const atOf = (months: number) => new Date(`${monthsAgo(months)}T00:00:01Z`);
const nameOf = (months: number) => monthsAgo(months).slice(0, 7);

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let payments = 0;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  jane = await addPartner(context);
});

/** A customer who pays in these months, the first one first. Returns the payments. */
async function pay(months: readonly number[], affiliate = jane): Promise<string[]> {
  const number = payments;
  const customer = { customer_id: `cus_${number}`, email: `customer-${number}@customers.test` };
  const at = atOf(months[0] ?? 0);
  const click_ids = [await click(context, { ...affiliate, at: new Date(at.getTime() - 500) })];
  await report(context, checkout({ subject: `cs_${number}`, ...customer, click_ids, at }));
  const subjects = [];
  for (const month of months) {
    payments += 1;
    const subject = `in_${payments}`;
    subjects.push(subject);
    await report(context, payment({ subject, ...customer, at: atOf(month) }));
  }
  return subjects;
}

const read = (options?: Parameters<typeof getRetention>[2]) =>
  getRetention(context, { affiliate_id: jane.affiliate_id, months: 12 }, options);

it("counts who paid again in each later month, each customer once a month", async () => {
  await pay([3, 2, 2, 0]);
  await pay([3, 1]);
  await pay([1, 0]);
  expect(await read()).toEqual({
    cohorts: [
      { month: nameOf(3), paid: [2, 1, 1, 1] },
      { month: nameOf(1), paid: [1, 1] },
    ],
    is_cut: false,
  });
});

it("counts no payment that was refunded, and nothing of other affiliates", async () => {
  const [, second = ""] = await pay([2, 1]);
  await report(
    context,
    refund({ subject: "re_1", amount_minor: 1_000_000n, references: [second], at: new Date() }),
  );
  await pay([2, 1, 0], await addPartner(context));
  expect((await read()).cohorts).toEqual([{ month: nameOf(2), paid: [1, 0, 0] }]);
});

it("begins with the month a year ago, and reads the newest commissions alone", async () => {
  await pay([12, 1]);
  await pay([11]);
  await pay([1, 0]);
  const { cohorts, is_cut } = await read();
  expect(cohorts.map(({ month }) => month)).toEqual([nameOf(11), nameOf(1)]);
  expect(is_cut).toBe(false);
  expect(await read({ most: 2 })).toEqual({
    cohorts: [{ month: nameOf(1), paid: [1, 1] }],
    is_cut: true,
  });
});

it("has nothing of an affiliate without customers, and none of an unknown one", async () => {
  expect(await read()).toEqual({ cohorts: [], is_cut: false });
  await expect(
    getRetention(context, { affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", months: 12 }),
  ).rejects.toMatchObject({ code: "not_found" });
});
