/* A campaign's settings for eligible customers, the winning click, and the payments that earn. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dryRunPayment } from "../../src/attribution/dry-run.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { Context } from "../../src/context.ts";
import { makeContext } from "../subscriber.ts";
import { addAffiliate, addPartner, click, commissions, outcomes, report } from "./program.ts";
import { checkout, payment, refund, second } from "./reported.ts";

let test: TestDatabase;
let context: Context;

const DAY = 24 * 60 * 60;
const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

async function partner(settings: object) {
  const { affiliate_id, campaign_id } = await addPartner(context, settings);
  const clicked = (day: number, id = affiliate_id) =>
    click(context, { affiliate_id: id, at: second(day * DAY) });
  return { affiliate_id, campaign_id, clicked };
}

const checkedOut = (day: number, click_ids: string[]) =>
  checkout({ subject: `cs_${day}`, ...CUSTOMER, click_ids, at: second(day * DAY) });

const paid = (day: number, input = {}) =>
  payment({ subject: `in_${day}`, ...CUSTOMER, at: second(day * DAY), ...input });

async function decision(payment_id: string) {
  const { data } = await listPaymentDecisions(context, { limit: 10, processor_payment_id: payment_id });
  if (data[0] === undefined) throw new Error(`${payment_id} has no decision`);
  return data[0];
}

describe("customers", () => {
  it("new: a customer who paid without an affiliate before the click earns nothing", async () => {
    const { clicked, affiliate_id } = await partner({ customers: "new" });
    const click_id = await clicked(2);
    await report(context, paid(1), checkedOut(3, [click_id]), paid(3), paid(4));
    expect(await outcomes(context)).toEqual({
      in_1: "no_referral",
      in_3: "existing_customer",
      in_4: "existing_customer",
    });
    expect((await decision("in_3")).explanation.candidates).toEqual([
      { source: "click", reference: click_id, affiliate_id, result: "existing_customer" },
    ]);
  });

  it("is new by default", async () => {
    const { clicked } = await partner({});
    await report(context, paid(1), checkedOut(3, [await clicked(2)]), paid(3));
    expect((await outcomes(context)).in_3).toBe("existing_customer");
  });

  it("new: ignores free payments and payments after the click", async () => {
    const { clicked } = await partner({ customers: "new" });
    await report(
      context,
      paid(1, { revenue_minor: 0n }),
      paid(3),
      checkedOut(4, [await clicked(2)]),
      paid(4),
    );
    expect(await outcomes(context)).toEqual({
      in_1: "nothing_paid",
      in_3: "no_referral",
      in_4: "commission",
    });
  });

  it("new: a promo code counts from its checkout", async () => {
    await addPartner(context, { code_mode: "both", reference_coupon: "c" }, { promo_code: "JANE20" });
    const promo_codes = [{ external_id: null, code: "JANE20" }];
    await report(
      context,
      paid(1),
      checkout({ subject: "cs", ...CUSTOMER, promo_codes, at: second(DAY + 1) }),
    );
    await report(context, paid(2));
    expect((await outcomes(context)).in_2).toBe("existing_customer");
  });

  it("any: a customer who paid before is referred", async () => {
    const { clicked, affiliate_id } = await partner({ customers: "any" });
    await report(context, paid(1), checkedOut(3, [await clicked(2)]), paid(3));
    expect(await commissions(context)).toMatchObject([{ processor_payment_id: "in_3", affiliate_id }]);
  });

  it("new: an older payment that is reported last voids the commission", async () => {
    const { clicked } = await partner({ customers: "new" });
    await report(context, checkedOut(3, [await clicked(2)]), paid(3));
    expect((await outcomes(context)).in_3).toBe("commission");
    await report(context, paid(1));
    expect((await outcomes(context)).in_3).toBe("existing_customer");
    expect(await commissions(context)).toMatchObject([{ payout_status: "voided" }]);
  });

  it("applies in reruns and dry runs", async () => {
    const { clicked, campaign_id } = await partner({ customers: "new" });
    const click_id = await clicked(2);
    await report(context, paid(1), checkedOut(3, [click_id]), paid(3));
    const sale = {
      revenue_amount: 10,
      lines: [],
      ...CUSTOMER,
      click_id,
      paid_at: second(5 * DAY).toISOString(),
    };
    expect(await dryRunPayment(context, sale)).toMatchObject({ outcome: "existing_customer" });
    await updateCampaign(context, { id: campaign_id, customers: "any" });
    await report(context, paid(3, { at: second(3 * DAY + 1) }));
    expect((await outcomes(context)).in_3).toBe("existing_customer");
    const { id } = await decision("in_3");
    expect(await rerunPayment(context, id)).toMatchObject({ outcome: "commission" });
  });

  it("a rerun leaves the customer with the affiliate of a later checkout", async () => {
    const refused = await partner({ customers: "new" });
    const later = await partner({ customers: "any" });
    await report(context, paid(1), checkedOut(3, [await refused.clicked(2)]), paid(3));
    await report(context, checkedOut(5, [await later.clicked(4)]), paid(5));
    const before = await outcomes(context);
    expect(before).toMatchObject({ in_3: "existing_customer", in_5: "commission" });
    await updateCampaign(context, { id: refused.campaign_id, customers: "any" });
    for (const payment_id of ["in_3", "in_5"]) await rerunPayment(context, (await decision(payment_id)).id);
    expect(await outcomes(context)).toEqual(before);
    expect(await decision("in_5")).toMatchObject({ affiliate_id: later.affiliate_id });
  });
});

describe("attribution", () => {
  it("last_click: the last of several clicks wins; first_click: the first", async () => {
    for (const attribution of ["last_click", "first_click"]) {
      context = await makeContext(test.database);
      const { affiliate_id, campaign_id, clicked } = await partner({ attribution });
      const other = await addAffiliate(context, { campaign_id });
      const clicks = [await clicked(1), await clicked(2, other)];
      await report(context, checkedOut(3, clicks), paid(3));
      const winner = attribution === "first_click" ? affiliate_id : other;
      expect(await commissions(context)).toMatchObject([{ affiliate_id: winner }]);
    }
  });

  it("first_click: skips expired clicks", async () => {
    const { campaign_id, clicked } = await partner({ attribution: "first_click", cookie_duration: 10 });
    const other = await addAffiliate(context, { campaign_id });
    await report(context, checkedOut(20, [await clicked(1), await clicked(15, other)]), paid(20));
    expect(await commissions(context)).toMatchObject([{ affiliate_id: other }]);
  });

  it("the last click selects the campaign, and its setting applies", async () => {
    const first = await partner({ attribution: "first_click" });
    const colleague = await addAffiliate(context, { campaign_id: first.campaign_id });
    const last = await partner({ attribution: "last_click" });
    const clicks = async (days: [number, number, number]) => [
      await first.clicked(days[0]),
      await first.clicked(days[1], colleague),
      await last.clicked(days[2]),
    ];
    await report(context, checkedOut(9, await clicks([1, 2, 3])), paid(9));
    expect(await commissions(context)).toMatchObject([{ affiliate_id: last.affiliate_id }]);
    const someone = { customer_id: "cus_2", email: "other@customers.test" };
    await report(
      context,
      { ...checkedOut(10, await clicks([1, 4, 3])), ...someone },
      { ...paid(10), ...someone },
    );
    expect((await commissions(context))[1]).toMatchObject({ affiliate_id: first.affiliate_id });
  });

  it("first_click: the first click wins against a simultaneous last click of another affiliate", async () => {
    const first = await partner({ attribution: "first_click" });
    const colleague = await addAffiliate(context, { campaign_id: first.campaign_id });
    const last = await partner({ attribution: "last_click" });
    const a = await first.clicked(1);
    const b = await first.clicked(2, colleague);
    const c = await last.clicked(2);
    const orders = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ];
    for (const [index, clicks] of orders.entries()) {
      const someone = { customer_id: `cus_${index}`, email: `buyer${index}@customers.test` };
      const subject = `in_${index}`;
      await report(
        context,
        checkout({ subject: `cs_${index}`, ...someone, click_ids: clicks, at: second(3 * DAY) }),
        payment({ subject, ...someone, at: second(3 * DAY) }),
      );
      const { affiliate_id, explanation } = await decision(subject);
      const references = explanation.candidates.map(({ reference }) => reference);
      expect(references.indexOf(a), clicks.join()).toBeLessThan(references.indexOf(b));
      expect(affiliate_id, clicks.join()).not.toBe(colleague);
    }
  });
});

describe("commission_cap", () => {
  const fixed = { commission_type: "fixed", commission_amount: 50 };

  it("limits a fixed commission to its payment, unless it is off", async () => {
    for (const [settings, expected] of [
      [{}, 2_000n],
      [{ commission_cap: false }, 5_000n],
    ] as const) {
      context = await makeContext(test.database);
      const { clicked } = await partner({ ...fixed, ...settings });
      await report(context, checkedOut(2, [await clicked(1)]), paid(2, { revenue_minor: 2_000n }));
      expect(await commissions(context)).toMatchObject([{ commission_minor: expected }]);
    }
  });

  it("is a step of the decision, and refunds reduce the capped amount", async () => {
    const { clicked } = await partner(fixed);
    await report(
      context,
      checkedOut(2, [await clicked(1)]),
      paid(2, { revenue_minor: 2_000n }),
      refund({ subject: "re_1", amount_minor: 1_000n, references: ["in_2"] }),
    );
    expect(await decision("in_2")).toMatchObject({
      commission_amount: 20,
      explanation: {
        steps: [
          { rule: "campaign", type: "fixed", amount: 50, of_amount: 20 },
          { rule: "commission_cap", type: "fixed", amount: -30, of_amount: 20 },
        ],
        exact_amount: "2000",
      },
    });
    expect(await commissions(context)).toMatchObject([{ commission_minor: 1_000n }]);
  });
});

describe("skip_prorations", () => {
  it("creates no commission for a changed subscription", async () => {
    const { clicked } = await partner({ skip_prorations: true });
    await report(
      context,
      checkedOut(2, [await clicked(1)]),
      paid(2),
      paid(3, { is_proration: true }),
      paid(4),
    );
    expect(await outcomes(context)).toEqual({ in_2: "commission", in_3: "proration", in_4: "commission" });
  });

  it("is off by default", async () => {
    const { clicked } = await partner({});
    await report(context, checkedOut(2, [await clicked(1)]), paid(3, { is_proration: true }));
    expect(await outcomes(context)).toEqual({ in_3: "commission" });
  });
});

it("terms captured before these settings existed keep the behavior of that time", async () => {
  const { clicked } = await partner({ commission_type: "fixed", commission_amount: 50 });
  await report(context, checkedOut(3, [await clicked(2)]), paid(3, { revenue_minor: 2_000n }));
  await test.database`
    update payment_facts set snapshot = jsonb_set(snapshot, '{affiliates}', (
      select jsonb_agg(affiliate #- '{terms,customers}' #- '{terms,attribution}' #- '{terms,commission_cap}'
        #- '{terms,skip_prorations}') from jsonb_array_elements(snapshot -> 'affiliates') affiliate))
    where organization_id = ${context.organization.id} and snapshot is not null`;
  await report(context, paid(1));
  expect(await commissions(context)).toMatchObject([{ commission_minor: 5_000n, payout_status: "not_paid" }]);
});
