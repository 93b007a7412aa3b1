import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Actor, actorText } from "../../src/actor.ts";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { linkPromoCode } from "../../src/processors/promo-codes/link.ts";
import { addPartner, report } from "../attribution/program.ts";
import { payment } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";
import { history, recorded } from "./history.ts";

const KEY: Actor = { kind: "key", id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" };
const ACTOR = actorText(KEY);

const CAMPAIGN = {
  name: "Partners",
  website_url: "https://shop.test",
  commission_type: "fixed",
  commission_amount: 12.5,
  code_mode: "both",
  reference_coupon: "partners",
} as const;

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = { ...(await makeContext(test.database)), actor: KEY };
});

/** The fields that all of these changes have in common. */
function by(resource: string, resource_id: string) {
  return { resource, resource_id, actor: ACTOR, currency: null };
}

describe("campaigns", () => {
  it("are recorded with all fields when created, and with the changed fields when updated", async () => {
    const { id } = await createCampaign(context, CAMPAIGN);
    const [created] = await history(context, { resource: "campaign" });
    expect(created).toMatchObject({
      ...by("campaign", id),
      action: "created",
      before: null,
      currency: "USD",
    });
    expect(created?.after).toMatchObject({ name: "Partners", commission_amount: 12.5, cookie_duration: 30 });
    expect(Object.keys(created?.after ?? {})).not.toContain("id");
    const change = () => updateCampaign(context, { id, name: "Friends", commission_amount: 20 });
    expect(await recorded(context, change)).toEqual([
      {
        ...by("campaign", id),
        action: "updated",
        before: { name: "Partners", commission_amount: 12.5 },
        after: { name: "Friends", commission_amount: 20 },
        currency: "USD",
      },
    ]);
    expect(await recorded(context, change)).toEqual([]);
    expect(await recorded(context, () => updateCampaign(context, { id }))).toEqual([]);
  });

  it("record a change of the default campaign", async () => {
    const first = await createCampaign(context, { ...CAMPAIGN, is_default: true });
    const second = await createCampaign(context, { ...CAMPAIGN, name: "Second" });
    const moved = (from: string, to: string) => [
      {
        ...by("campaign", from),
        action: "updated",
        before: { is_default: true },
        after: { is_default: false },
      },
      {
        ...by("campaign", to),
        action: "updated",
        before: { is_default: false },
        after: { is_default: true },
        currency: "USD",
      },
    ];
    expect(
      await recorded(context, () => updateCampaign(context, { id: second.id, is_default: true })),
    ).toEqual(moved(first.id, second.id));
    const [unset, created] = await recorded(context, () =>
      createCampaign(context, { ...CAMPAIGN, is_default: true }),
    );
    expect(unset).toEqual(moved(second.id, "")[0]);
    expect(created).toMatchObject({ action: "created", after: { is_default: true } });
  });
});

describe("affiliates", () => {
  it("are recorded with their codes, without computed fields", async () => {
    const campaign = await createCampaign(context, CAMPAIGN);
    const made = {
      campaign_id: campaign.id,
      email: "jane@example.com",
      ref_code: "jane",
      promo_code: "JANE",
    };
    const { id } = await createAffiliate(context, made);
    const [created] = await history(context, { resource: "affiliate" });
    expect(created).toMatchObject({ ...by("affiliate", id), action: "created", before: null });
    expect(created?.after).toEqual({
      campaign_id: campaign.id,
      email: "jane@example.com",
      first_name: "",
      last_name: "",
      payout_currency: null,
      payout_email: null,
      ref_codes: ["jane"],
      promo_codes: ["JANE"],
      approved: true,
      banned: false,
      details: null,
      note: null,
      custom_fields: [],
      new_paid_referral_notifications: true,
      tags: [],
    });
    const change = () => updateAffiliate(context, { id, ref_code: "doe", banned: true, email: made.email });
    expect(await recorded(context, change)).toEqual([
      {
        ...by("affiliate", id),
        action: "updated",
        before: { ref_codes: ["jane"], banned: false },
        after: { ref_codes: ["doe"], banned: true },
      },
    ]);
    expect(await recorded(context, change)).toEqual([]);
    expect(await recorded(context, () => updateAffiliate(context, { id }))).toEqual([]);
  });

  it("record each of several concurrent updates with its own fields", async () => {
    const { affiliate_id: id } = await addPartner(context, { name: "Many" });
    const names = Array.from({ length: 8 }, (_, number) => `name-${number}`);
    const changes = await recorded(context, () =>
      Promise.all(names.map((ref_code) => updateAffiliate(context, { id, ref_code }))),
    );
    expect(changes).toHaveLength(names.length);
    const next = new Map(changes.map(({ before, after }) => [String(before?.ref_codes), after?.ref_codes]));
    // One chain through all of them: no step begins where another one does.
    expect(next.size).toBe(names.length);
    expect([...next.values()].map(String).sort()).toEqual(names);
  });

  it("record a promo code that is linked manually", async () => {
    const { affiliate_id } = await addPartner(
      context,
      { name: "Coupons", code_mode: "both", reference_coupon: "partners" },
      { promo_code: "JILL" },
    );
    const change = () => linkPromoCode(context, { affiliate_id, external_id: "promo_1", code: "JIL" });
    expect(await recorded(context, change)).toEqual([
      {
        ...by("promo_code", affiliate_id),
        action: "linked",
        before: { code: "JILL", external_id: null, linked: false },
        after: { code: "JIL", external_id: "promo_1", linked: true },
      },
    ]);
    expect(await recorded(context, change)).toEqual([]);
  });
});

describe("referrals", () => {
  it("are recorded when updated, and when created except by a key", async () => {
    const { affiliate_id } = await addPartner(context, { name: "Referrals" });
    const referral = { affiliate_id, subscription_status: "signed_up" } as const;
    const byKey = await createReferral(context, { ...referral, email: "lee@example.com" });
    expect(await history(context, { resource: "referral" })).toEqual([]);
    const person: Actor = { kind: "user", id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91" };
    const byHand = await createReferral(
      { ...context, actor: person },
      { ...referral, email: "kim@example.com" },
    );
    expect(await history(context, { resource: "referral" })).toMatchObject([
      {
        resource_id: byHand.id,
        resource_name: "kim@example.com",
        action: "created",
        actor: actorText(person),
        after: {
          affiliate_id,
          email: "kim@example.com",
          processor_customer_id: null,
          subscription_status: "signed_up",
        },
      },
    ]);
    const change = () =>
      updateReferral(context, { id: byKey.id, email: "new@example.com", subscription_status: "active" });
    expect(await recorded(context, change)).toMatchObject([
      {
        ...by("referral", byKey.id),
        action: "updated",
        before: { email: "lee@example.com", subscription_status: "signed_up" },
        after: { email: "new@example.com", subscription_status: "active" },
      },
    ]);
    expect(await recorded(context, change)).toEqual([]);

    await eraseAffiliate(context, affiliate_id);
    expect(await history(context, { resource: "referral", resource_id: byKey.id })).toMatchObject([
      { before: { email: "[erased]", subscription_status: "signed_up" }, after: { email: "[erased]" } },
    ]);
  });
});

describe("commissions", () => {
  it("are recorded when updated, but not when created", async () => {
    const { affiliate_id } = await addPartner(context, { name: "Commissions" });
    const referral = { affiliate_id, email: "buyer@example.com", subscription_status: "signed_up" } as const;
    const { id: referral_id } = await createReferral(context, referral);
    const sale = { referral_id, revenue_amount: 100, commission_amount: 30, currency: "JPY" };
    const { id } = await createCommission(context, sale);
    expect(await history(context, { resource: "commission" })).toEqual([]);
    const changed = (before: object, after: object) => [
      { ...by("commission", id), action: "updated", before, after, currency: "JPY" },
    ];
    const change = () => updateCommission(context, { id, commission_amount: 25 });
    expect(await recorded(context, change)).toEqual(
      changed({ commission_amount: 30 }, { commission_amount: 25 }),
    );
    expect(await recorded(context, change)).toEqual([]);
    expect(await recorded(context, () => updateCommission(context, { id }))).toEqual([]);
    const referral_date = "2026-01-02T03:04:05.678Z";
    const { referral_date: was } = await updateCommission(context, { id });
    expect(await recorded(context, () => updateCommission(context, { id, referral_date }))).toEqual(
      changed({ referral_date: was }, { referral_date }),
    );
    expect(await recorded(context, () => updateCommission(context, { id, payout_status: "voided" }))).toEqual(
      changed({ payout_status: "not_paid" }, { payout_status: "voided" }),
    );
  });

  it("are recorded with the decision when a rerun creates them", async () => {
    const { affiliate_id } = await addPartner(
      context,
      { approval_needed: true, code_mode: "both", reference_coupon: "partners" },
      { promo_code: "JANE" },
    );
    await linkPromoCode(context, { affiliate_id, external_id: "promo_1" });
    const promo_codes = [{ external_id: "promo_1", code: "JANE" }];
    const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
    await report(context, payment({ subject: "in_1", ...customer, promo_codes }));
    const id = (await listPaymentDecisions(context, { limit: 10 })).data[0]?.id ?? "";
    expect(await recorded(context, () => rerunPayment(context, id))).toEqual([]);
    await updateAffiliate(context, { id: affiliate_id, approved: true });
    const [rerun, ...more] = await recorded(context, () => rerunPayment(context, id));
    expect(more).toEqual([]);
    expect(rerun).toMatchObject({
      ...by("payment_decision", id),
      action: "rerun",
      before: { outcome: "affiliate_unapproved", commission_id: null, commission_amount: 0 },
      after: { outcome: "commission", commission_amount: 30 },
      currency: "USD",
    });
  });
});

it("records settings, each minimum with its currency", async () => {
  const id = context.organization.id;
  const change = () => updateSettings(context, { minimum_payouts: { USD: 10.5 }, hold_days: 3 });
  expect(await recorded(context, change)).toEqual([
    {
      ...by("settings", id),
      action: "updated",
      before: { minimum_payouts: {}, hold_days: 15 },
      after: { minimum_payouts: { USD: 10.5 }, hold_days: 3 },
      currency: null,
    },
  ]);
  expect(await recorded(context, change)).toEqual([]);
  expect(await recorded(context, () => updateSettings(context, {}))).toEqual([]);
  expect(await recorded(context, () => updateSettings(context, { currency: "EUR", payout_day: 5 }))).toEqual([
    {
      ...by("settings", id),
      action: "updated",
      before: { currency: "USD", payout_day: null },
      after: { currency: "EUR", payout_day: 5 },
      currency: null,
    },
  ]);
});
