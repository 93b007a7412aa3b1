/* How an organization pays, and that a change rewrites nothing. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCampaign } from "../../src/campaigns/create.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { getSettings } from "../../src/organizations/settings/get.ts";
import { rotateSignupSecret } from "../../src/organizations/settings/rotate-signup-secret.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: CreationContext;
let partner: Partner;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  partner = await addPartner(context);
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MILLISECONDS).toISOString();
}

async function earn(days_ago: number): Promise<string> {
  const { affiliate_id } = partner;
  const email = `${crypto.randomUUID()}@customers.test`;
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const amounts = { revenue_amount: 100, commission_amount: 10 };
  const values = { referral_id: referral.id, ...amounts, referral_date: daysAgo(days_ago) };
  return (await createCommission(context, values)).id;
}

const balance = async () => (await listBalances(context, partner.affiliate_id))[0];

it("defaults to 15 days, no minimum and no payout day", async () => {
  const settings = {
    currency: "USD",
    hold_days: 15,
    minimum_payouts: {},
    payout_day: null,
    public_signups: "on",
    website_domains: [],
    converts_fixed_amounts: false,
  };
  expect(await getSettings(context)).toEqual(settings);
  expect(await updateSettings(context, {})).toEqual(settings);
  const values = { hold_days: 30, minimum_payouts: { EUR: 45, USD: 50.25 }, payout_day: 5 };
  expect(await updateSettings(context, values)).toEqual({ ...settings, ...values });
  expect(await updateSettings(context, { payout_day: null })).toMatchObject({
    hold_days: 30,
    payout_day: null,
  });
});

it("requires a secret before signatures, and keeps omitted fields", async () => {
  await expect(updateSettings(context, { public_signups: "signed" })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "public_signups", message: expect.stringContaining("secret") }],
  });
  expect((await getSettings(context)).public_signups).toBe("on");
  await rotateSignupSecret(context, Buffer.alloc(32));
  expect(await updateSettings(context, { public_signups: "signed" })).toMatchObject({
    public_signups: "signed",
  });
  expect(await updateSettings(context, { hold_days: 3 })).toMatchObject({ public_signups: "signed" });
});

it("applies settings to new commissions only", async () => {
  await earn(20);
  await updateSettings(context, { hold_days: 30 });
  expect(await balance()).toMatchObject({ held: 0, due: 10 });
  await earn(20);
  expect(await balance()).toMatchObject({ held: 10, due: 10 });
});

it("keeps the holding period of a commission with a changed date", async () => {
  const id = await earn(20);
  await updateSettings(context, { hold_days: 0 });
  await updateCommission(context, { id, referral_date: daysAgo(10) });
  expect(await balance()).toMatchObject({ held: 10, due: 0 });
  await updateCommission(context, { id, referral_date: daysAgo(16) });
  expect(await balance()).toMatchObject({ held: 0, due: 10 });
});

it("applies another currency to new commissions only", async () => {
  await earn(20);
  await updateSettings(context, { minimum_payouts: { USD: 50 } });
  expect(await updateSettings(context, { currency: "JPY" })).toMatchObject({
    currency: "JPY",
    minimum_payouts: { USD: 50 },
  });
  expect(await balance()).toMatchObject({ currency: "USD", due: 10 });
});

it("rejects either a new currency or a fixed amount, whichever comes second", async () => {
  const half = {
    name: "Half",
    commission_type: "fixed",
    commission_amount: 0.5,
    code_mode: "coupon",
    reference_coupon: "c",
  } as const;
  for (let round = 0; round < 10; round++) {
    const stale = await makeContext(test.database);
    const [changed, created] = await Promise.allSettled([
      updateSettings(stale, { currency: "JPY" }),
      createCampaign(stale, half),
    ]);
    expect([changed.status, created.status].sort()).toEqual(["fulfilled", "rejected"]);
    for (const { reason } of [changed, created].filter((result) => result.status === "rejected")) {
      expect(reason).toMatchObject({ code: "invalid_request" });
    }
  }
});

it("rejects another currency while campaigns have fixed amounts, and lists all invalid minimums", async () => {
  const minimum_payouts = { JPY: 0.5, USD: 1, EUR: 0.001, KWD: 0.0001, BHD: 0.001 };
  await expect(updateSettings(context, { minimum_payouts })).rejects.toMatchObject({
    code: "invalid_request",
    issues: ["JPY", "EUR", "KWD"].map((currency) => ({
      path: `minimum_payouts.${currency}`,
      message: `Has more decimals than ${currency}.`,
    })),
  });
  await addPartner(context, { commission_type: "fixed", commission_amount: 5 });
  await expect(updateSettings(context, { currency: "EUR" })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "currency", message: expect.stringContaining("fixed amounts in USD") }],
  });
  expect(await getSettings(context)).toMatchObject({ currency: "USD" });
});
