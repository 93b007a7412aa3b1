/* Discounts that start when a checkout is completed that used their codes. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleDiscount } from "@findersfee/samples/stripe/discount";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { linkPromoCode } from "../../src/processors/promo-codes/link.ts";
import { addAffiliate, click, commissions, outcomes } from "./program.ts";
import { makeVisit, PAID, type Report, reportEvents, type Visit } from "./stripe-reports.ts";

const CODES = { code_mode: "both", reference_coupon: "TWENTY" } as const;

/** Seconds before the payment. */
const OPENED = 50;
const SESSION = "cs_test_1";
const SUBSCRIPTION = "sub_1";

let test: TestDatabase;
let visit: Visit;
/** The affiliate of the promotion code; the visit is another affiliate's click. */
let coder: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(makeProgram);

async function makeProgram(): Promise<void> {
  visit = await makeVisit(test.database);
  await updateCampaign(visit.context, { id: visit.partner.campaign_id, ...CODES });
  coder = await addCoder("promo_1");
}

async function addCoder(external_id: string, fields: { email?: string } = {}): Promise<string> {
  const { campaign_id } = visit.partner;
  const affiliate_id = await addAffiliate(visit.context, { campaign_id, ...fields });
  await linkPromoCode(visit.context, { affiliate_id, external_id, code: external_id });
  return affiliate_id;
}

async function earners(): Promise<string[]> {
  const live = (await commissions(visit.context)).filter(({ payout_status }) => payout_status !== "voided");
  return live.map(({ affiliate_id }) => affiliate_id);
}

/** Before 2025-01-27.acacia, a session does not name its codes. */
function session(version: ApiVersion, click_id: string | null, after = 1): Report {
  const object = sampleCheckoutSession(version, {
    id: SESSION,
    created: PAID - OPENED,
    mode: "subscription",
    amount_subtotal: 10_000,
    customer: "cus_1",
    email: "buyer@customers.test",
    invoice: "in_1",
    subscription: SUBSCRIPTION,
    client_reference_id: click_id,
  });
  return { type: "checkout.session.completed", object, after };
}

function discount(version: ApiVersion, after: number, names: "session" | "subscription" = "session"): Report {
  const object = sampleDiscount(version, {
    id: "di_1",
    start: PAID + after,
    coupon: "TWENTY",
    promotion_code: "promo_1",
    customer: "cus_1",
    checkout_session: names === "session" ? SESSION : null,
    subscription: SUBSCRIPTION,
  });
  return { type: "customer.discount.created", object, after };
}

function invoice(version: ApiVersion): Report {
  const object = sampleInvoice(version, {
    id: "in_1",
    created: PAID,
    customer: "cus_1",
    customer_email: "buyer@customers.test",
    lines: [{ product: "prod_basic", amount: 10_000 }],
    subscription: SUBSCRIPTION,
  });
  return { type: "invoice.paid", object };
}

/** Each order of three reports. */
function orders(reports: readonly Report[]): Report[][] {
  const [a, b, c] = reports;
  if (a === undefined || b === undefined || c === undefined) throw new Error("fewer than three reports");
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
}

describe.each(api_versions)("a discount of %s", (version) => {
  it.each([
    ["starts before the payment", -20, "session"],
    ["starts after the payment", 30, "session"],
    ["names only the subscription", -20, "subscription"],
    ["names only the subscription and starts after the payment", 30, "subscription"],
  ] as const)("that %s wins over the click of its checkout", async (_, after, names) => {
    for (let order = 0; order < 6; order++) {
      await makeProgram();
      const reports = [session(version, visit.click_id), discount(version, after, names), invoice(version)];
      await reportEvents(visit.context, version, orders(reports)[order] ?? []);
      expect(await earners()).toEqual([coder]);
    }
  });

  it("earns without a click, although it starts after the payment", async () => {
    await reportEvents(visit.context, version, [
      session(version, null),
      invoice(version),
      discount(version, 30),
    ]);
    expect(await earners()).toEqual([coder]);
  });

  it("that a subscription gets later leaves the customer to the click", async () => {
    const later = discount(version, 86_400, "subscription");
    await reportEvents(visit.context, version, [later, session(version, visit.click_id), invoice(version)]);
    expect(await earners()).toEqual([visit.partner.affiliate_id]);
  });

  it("of the customer's own code gives nobody the customer", async () => {
    await addCoder("promo_2", { email: "buyer@customers.test" });
    const own = discount(version, -20);
    Object.assign(own.object, { promotion_code: "promo_2" });
    await reportEvents(visit.context, version, [session(version, visit.click_id), own, invoice(version)]);
    expect(await outcomes(visit.context)).toEqual({ in_1: "self_referral" });
  });

  it("does not let a click from after the checkout was opened win", async () => {
    const at = new Date((PAID + 3_600) * 1000);
    const { affiliate_id } = visit.partner;
    const late = await click(visit.context, { affiliate_id, at });
    await reportEvents(visit.context, version, [
      session(version, late),
      discount(version, 30),
      invoice(version),
    ]);
    expect(await earners()).toEqual([coder]);
  });
});
