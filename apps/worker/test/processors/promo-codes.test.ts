import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { getAffiliate } from "@findersfee/domain/affiliates/get";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { linkPromoCode } from "@findersfee/domain/processors/promo-codes/link";
import { listPromoCodes } from "@findersfee/domain/processors/promo-codes/list";
import { retryPromoCode } from "@findersfee/domain/processors/promo-codes/retry";
import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promoCodes } from "../../src/processors/promo-codes.ts";
import { makeTestOrganization, type TestOrganization } from "../processing.ts";
import { SECRETS_KEY } from "../subscriptions.ts";
import { runTurns } from "../turns.ts";
import { failure, StripeServer } from "./stripe-server.ts";

let test: TestDatabase;
let stripe: StripeServer;
let organization: TestOrganization;

beforeEach(async () => {
  test = await createTestDatabase();
  stripe = await StripeServer.start();
  organization = await makeTestOrganization(test.database);
});

afterEach(async () => {
  await stripe.close();
  await test.close();
});

async function connect(api_key: string | null = "rk_live_abcdefgh1234"): Promise<void> {
  const input = { name: "stripe", signing_secret: STRIPE_SECRET, api_key, livemode: true } as const;
  await connectProcessor(organization.context, SECRETS_KEY, input);
}

async function sweep(): Promise<void> {
  const log = pino({ level: "silent" });
  const dependencies = { database: test.database, log, secrets_key: SECRETS_KEY, stripe_api_url: stripe.url };
  await runTurns(test.database, promoCodes(dependencies));
}

async function promoCode() {
  const { data } = await listPromoCodes(organization.context, {
    affiliate_id: organization.affiliate_id,
    limit: 10,
  });
  return data[0];
}

async function makeDue(): Promise<void> {
  await test.database`
    update affiliate_codes set due_at = now() where due_at is not null`;
}

it("creates a promo code at Stripe once from the campaign's coupon", async () => {
  await sweep();
  expect(await promoCode()).toMatchObject({ state: "needs_key", external_id: null });
  await connect();
  await sweep();
  await sweep();
  expect(stripe.codes).toMatchObject([
    {
      code: "JANE",
      promotion: { coupon: "co_30" },
      metadata: { findersfee_affiliate: organization.affiliate_id },
    },
  ]);
  expect(stripe.calls).toHaveLength(1);
  expect(stripe.calls[0]?.authorization).toBe("Bearer rk_live_abcdefgh1234");
  expect(await promoCode()).toMatchObject({ state: "made", external_id: "promo_made0", linked: false });
  const { promo_codes } = await getAffiliate(organization.context, organization.affiliate_id);
  expect(promo_codes).toEqual([{ code: "JANE", external_id: "promo_made0" }]);
});

it("creates no promo code without an API key", async () => {
  await connect(null);
  await sweep();
  expect(stripe.calls).toEqual([]);
});

describe("a failed creation", () => {
  it("is retried with the same idempotency key until Stripe responds", async () => {
    await connect();
    // The library itself asks once more after a connection that was closed.
    stripe.faults.push("drop", "drop");
    await sweep();
    expect(await promoCode()).toMatchObject({ state: "wanted", attempts: 1, external_id: null });
    await sweep();
    expect(stripe.calls).toHaveLength(2);
    await makeDue();
    await sweep();
    expect(stripe.calls.map(({ idempotency_key }) => idempotency_key)).toEqual(
      Array(3).fill(stripe.calls[0]?.idempotency_key),
    );
    expect(stripe.codes).toHaveLength(1);
    expect(await promoCode()).toMatchObject({ state: "made", attempts: 0, error: null });
  });

  it.each([
    [429, "rate_limit"],
    [500, undefined],
    [409, "idempotency_key_in_use"],
  ])("with %d is retried later", async (status, code) => {
    await connect();
    stripe.faults.push(failure(status, { message: "Later", ...(code === undefined ? {} : { code }) }));
    await sweep();
    const failed = await promoCode();
    expect(failed).toMatchObject({ state: "wanted", attempts: 1, error: expect.stringMatching(/Later/) });
    expect(Date.parse(failed?.next_attempt_at ?? "")).toBeGreaterThan(Date.now() + 20_000);
    await makeDue();
    await sweep();
    expect(await promoCode()).toMatchObject({ state: "made" });
  });

  it("with a permanent error is shown, and retried on request or after a change", async () => {
    await connect();
    stripe.coupons.clear();
    await sweep();
    expect(await promoCode()).toMatchObject({
      state: "failed",
      next_attempt_at: null,
      error: expect.stringMatching(/No such coupon.*resource_missing/),
    });
    expect((await listPromoCodes(organization.context, { failed: true, limit: 10 })).data).toHaveLength(1);
    await sweep();
    expect(stripe.calls).toHaveLength(1);
    stripe.coupons.add("co_30");
    expect(await retryPromoCode(organization.context, organization.affiliate_id)).toMatchObject({
      state: "wanted",
    });
    await sweep();
    expect(await promoCode()).toMatchObject({ state: "made", error: null });
    expect((await listPromoCodes(organization.context, { failed: true, limit: 10 })).data).toEqual([]);
  });

  it("does not block the codes of other affiliates", async () => {
    await connect();
    await updateAffiliate(organization.context, {
      id: organization.affiliate_id,
      promo_code: "NOT_FOR_STRIPE",
    });
    await sweep();
    expect(await promoCode()).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/Invalid code/),
    });
    await updateAffiliate(organization.context, { id: organization.affiliate_id, promo_code: "FINE" });
    await sweep();
    expect(await promoCode()).toMatchObject({ state: "made", code: "FINE" });
  });
});

it("replaces the former code after its text changes", async () => {
  await connect();
  await sweep();
  await updateAffiliate(organization.context, { id: organization.affiliate_id, promo_code: "JANE20" });
  await sweep();
  expect(stripe.codes.map(({ code, active }) => [code, active])).toEqual([
    ["JANE", false],
    ["JANE20", true],
  ]);
  expect(await promoCode()).toMatchObject({ external_id: "promo_made1", state: "made" });
  await updateAffiliate(organization.context, { id: organization.affiliate_id, promo_code: "jane20" });
  await sweep();
  expect(stripe.codes).toHaveLength(2);
});

it("replaces the former code after its coupon changes", async () => {
  await connect();
  await sweep();
  const { campaign } = await getAffiliate(organization.context, organization.affiliate_id);
  stripe.coupons.add("co_50");
  await updateCampaign(organization.context, { id: campaign.id, reference_coupon: "co_50" });
  await sweep();
  expect(stripe.codes.map(({ promotion, active }) => [promotion.coupon, active])).toEqual([
    ["co_30", false],
    ["co_50", true],
  ]);
});

it("creates promo codes when a campaign with links starts to use coupons", async () => {
  const { campaign } = await getAffiliate(organization.context, organization.affiliate_id);
  await updateCampaign(organization.context, { id: campaign.id, code_mode: "link" });
  await connect();
  await sweep();
  expect(stripe.calls).toEqual([]);
  expect(await promoCode()).toMatchObject({ state: "none" });
  await updateCampaign(organization.context, { id: campaign.id, code_mode: "coupon" });
  await sweep();
  expect(await promoCode()).toMatchObject({ state: "made" });
});

it("replaces the promo code of an erased affiliate and deletes its text at once", async () => {
  await connect();
  await sweep();
  const stored = async () => {
    const { affiliate_id } = organization;
    return JSON.stringify(
      await test.database`select to_json(promo) from affiliate_codes promo where affiliate_id = ${affiliate_id}`,
    );
  };
  expect(await stored()).toMatch(/"external_code":"JANE"/);
  await eraseAffiliate(organization.context, organization.affiliate_id);
  expect(await stored()).not.toMatch(/jane/i);
  await sweep();
  expect(stripe.codes.map(({ code, active }) => [code, active])).toEqual([
    ["JANE", false],
    [expect.stringMatching(/^erased-/), true],
  ]);
  expect(await stored()).not.toMatch(/jane/i);
});

it("stores no error text for an erased affiliate's promo code", async () => {
  await connect();
  stripe.addPromotionCode("JANE", "co_other");
  await sweep();
  expect(await promoCode()).toMatchObject({ state: "failed", error: expect.any(String) });
  await eraseAffiliate(organization.context, organization.affiliate_id);
  expect(await promoCode()).toMatchObject({ state: "wanted", error: null });
});

describe("created at Stripe manually", () => {
  it("is linked if it has the campaign's coupon, and stays active after the affiliate gets another", async () => {
    await connect();
    const made = stripe.addPromotionCode("jane", "co_30");
    await sweep();
    expect(await promoCode()).toMatchObject({ state: "made", external_id: made.id, linked: true });
    await updateAffiliate(organization.context, { id: organization.affiliate_id, promo_code: "JANE20" });
    await sweep();
    expect(stripe.codes.map(({ active }) => active)).toEqual([true, true]);
    expect(await promoCode()).toMatchObject({ external_id: "promo_made1", linked: false });
  });

  it("with another coupon conflicts, which is shown", async () => {
    await connect();
    stripe.addPromotionCode("JANE", "co_other");
    await sweep();
    expect(await promoCode()).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/already exists/),
    });
  });

  it("is linked by its id or its code", async () => {
    const external_id = "promo_1SVmJkB7WZ01zgkW";
    const { affiliate_id } = organization;
    expect(
      await linkPromoCode(organization.context, { affiliate_id, external_id, code: "SPRING" }),
    ).toMatchObject({
      code: "SPRING",
      external_id,
      state: "made",
      linked: true,
    });
    await connect();
    const { id } = stripe.addPromotionCode("SUMMER", "co_30");
    expect(await linkPromoCode(organization.context, { affiliate_id, code: "SUMMER" })).toMatchObject({
      state: "wanted",
    });
    await sweep();
    expect(await promoCode()).toMatchObject({ code: "SUMMER", external_id: id, state: "made", linked: true });
  });
});
