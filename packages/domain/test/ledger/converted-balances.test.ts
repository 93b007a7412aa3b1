/* The balances of all currencies, in the organization's. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { dayOf } from "../../src/exchange-rates/list.ts";
import { importOwnExchangeRates } from "../../src/exchange-rates/own.ts";
import { convertBalances, sumBalances } from "../../src/ledger/sum-balances.ts";
import { addPartner, payOut } from "../attribution/program.ts";
import { ecbFile } from "../exchange-rates/files.ts";
import { makeContext } from "../subscriber.ts";
import { earn } from "./program.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MILLISECONDS);

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  const email = "buyer@customers.test";
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const earner = { affiliate_id, referral_id: referral.id };
  const earned = { USD: 10, EUR: 33.33, JPY: 1_001 };
  for (const [currency, amount] of Object.entries(earned)) {
    await earn(context, earner, { amount, currency, referral_date: daysAgo(100) });
  }
  await payOut(context, "pending");
  await earn(context, earner, { amount: 20, currency: "EUR", referral_date: daysAgo(100) });
  await earn(context, earner, { amount: 7, currency: "CHF", referral_date: daysAgo(100) });
});

afterAll(() => test.close());

const noRates = { currency: "USD", held: 0, due: 0, in_payout: 10, total: 10 };

it("leaves currencies without a rate out, and names them", async () => {
  expect((await sumBalances(context)).map(({ currency }) => currency)).toEqual(["CHF", "EUR", "JPY", "USD"]);
  expect(await convertBalances(context)).toEqual({ ...noRates, missing_rates: ["CHF", "EUR", "JPY"] });
});

it("takes no rate that is older than 7 days", async () => {
  await importOwnExchangeRates(context, ecbFile({ [dayOf(daysAgo(8))]: { USD: "2", JPY: "200" } }));
  expect(await convertBalances(context)).toEqual({ ...noRates, missing_rates: ["CHF", "EUR", "JPY"] });
});

it("converts each sum, and rounds it once", async () => {
  await importOwnExchangeRates(context, ecbFile({ [dayOf(daysAgo(1))]: { USD: "1.0813", JPY: "162.47" } }));
  // 33.33 € = 36.04 $; 1,001 ¥ = 6.1611 € = 6.66 $; 20 € = 21.63 $.
  expect(await convertBalances(context)).toEqual({
    currency: "USD",
    held: 0,
    due: 21.63,
    in_payout: 52.7,
    total: 74.33,
    missing_rates: ["CHF"],
  });
});
