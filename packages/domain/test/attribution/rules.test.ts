import { describe, expect, it } from "vitest";
import { getAffiliateRules, removeAffiliateRules, setAffiliateRules } from "../../src/affiliates/rules.ts";
import type { PaymentMade } from "../../src/attribution/facts/payment-fact.ts";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addAffiliate, click, type Partner, report } from "./program.ts";
import { charge, checkout, payment, products, second } from "./reported.ts";
import { fixed, NOTHING, percent, rule } from "./rules.ts";

const DAY = 24 * 60 * 60;

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const setRules = (...rules: ReturnType<typeof rule>[]) =>
  updateCampaign(context, { id: partner.campaign_id, rules });

let payments = 0;

/** A payment of 100.00 USD by the customer of the partner. */
async function pay(fields: Partial<PaymentMade> = {}): Promise<string> {
  payments += 1;
  const subject = `in_${payments}`;
  const who = { customer_id: "cus_1", email: "buyer@customers.test", click_ids: [click_id] };
  await report(context, payment({ subject, at: second(DAY + payments), ...who, ...fields }));
  return subject;
}

/** A payment's earnings, by its rules: `rule 40 of 100`. */
async function decided(payment_id: string) {
  const [row] = await context.database<
    { outcome: string; commission: string; steps: { rule: string; rule_name?: string; of_minor: string }[] }[]
  >`
    select outcome, commission_minor::text as commission, explanation -> 'steps' as steps from payment_decisions
    where organization_id = ${context.organization.id} and payment_id = ${payment_id}`;
  if (row === undefined) throw new Error(`no decision for ${payment_id}`);
  return {
    outcome: row.outcome,
    commission: Number(row.commission),
    steps: row.steps.map(({ rule, rule_name, of_minor }) => `${rule_name ?? rule} ${of_minor}`),
  };
}

const earns = async (fields: Partial<PaymentMade> = {}) => (await decided(await pay(fields))).commission;

describe("the first rule that matches", () => {
  it("decides a line, and the campaign's rate what is left", async () => {
    await setRules(
      rule({ products: ["prod_a"], intervals: ["year"] }, percent(50), "Yearly"),
      rule({ products: ["prod_a", "prod_b"] }, NOTHING, "Free"),
    );
    const lines = [
      { product_id: "prod_a", amount_minor: 1_000n, interval: "year" as const },
      { product_id: "prod_b", amount_minor: 2_000n, interval: "year" as const },
      { product_id: "prod_c", amount_minor: 3_000n },
    ];
    expect(await decided(await pay({ lines }))).toEqual({
      outcome: "commission",
      commission: 500 + 0 + 7_000 * 0.3,
      steps: ["Yearly 1000", "Free 2000", "campaign 7000"],
    });
  });

  it("gives an amount in the payment's currency, or in no other", async () => {
    await setRules(rule({}, fixed({ USD: 12, EUR: 10 })));
    expect(await earns()).toBe(1_200);
    expect(await earns({ currency: "EUR" })).toBe(1_000);
    expect(await decided(await pay({ currency: "JPY" }))).toMatchObject({
      outcome: "fixed_amount_other_currency",
      commission: 0,
    });
  });

  it("waits for the products of a payment if rules choose lines", async () => {
    await setRules(rule({ intervals: ["year"] }, percent(50)));
    const id = await pay({ lines: [], lines_at: "in_apart" });
    expect(await decided(id)).toMatchObject({ outcome: "products_unknown" });
    const weights = [{ product_id: null, weight: 1n, interval: "year" as const }];
    await report(context, products({ subject: "in_apart", references: [id], weights }));
    expect(await decided(id)).toMatchObject({ commission: 5_000 });
  });
});

describe("conditions", () => {
  it("count payments that earned, and those that rules gave nothing", async () => {
    await setRules(
      rule({ payments: { to: 1 } }, NOTHING),
      rule({ payments: { from: 2, to: 3 } }, percent(40)),
    );
    expect(await decided(await pay())).toMatchObject({ outcome: "excluded_by_rule", commission: 0 });
    expect([await earns({ revenue_minor: 0n }), await earns(), await earns(), await earns()]).toEqual([
      0, 4_000, 4_000, 3_000,
    ]);
  });

  it("count months from the first payment", async () => {
    await setRules(rule({ months: { to: 1 } }, percent(40)), rule({ months: { from: 3 } }, percent(5)));
    const at = (days: number) => ({ at: second(days * DAY), paid_at: second(days * DAY) });
    expect(await earns(at(1))).toBe(4_000);
    expect(await earns(at(31))).toBe(4_000);
    expect(await earns(at(32))).toBe(3_000);
    expect(await earns(at(63))).toBe(500);
  });

  it("compare the country, currency, amount and promo codes of a payment, or of its checkout or charge", async () => {
    await setRules(
      rule({ countries: ["DE", "AT"], currencies: ["EUR"] }, percent(41)),
      rule({ amount: { currency: "USD", from: 100, below: 200 } }, percent(42)),
      rule({ promo_codes: ["launch"] }, percent(43)),
      rule({ countries: ["FR"] }, percent(44)),
    );
    expect(await earns({ country: "DE", currency: "EUR" })).toBe(4_100);
    expect(await earns({ country: "DE" })).toBe(4_200);
    expect(await earns({ revenue_minor: 20_000n })).toBe(6_000);
    const of_checkout = {
      promo_codes: [{ external_id: null, code: "LAUNCH" }],
      email: "buyer@customers.test",
    };
    const currency = "EUR";
    await report(
      context,
      checkout({ subject: "cs_1", at: second(DAY), references: ["in_late"], ...of_checkout }),
      payment({ subject: "in_late", at: second(DAY + 500), currency, email: "buyer@customers.test" }),
    );
    expect(await decided("in_late")).toMatchObject({ commission: 4_300 });
    const paid = await pay({ currency, references: ["pi_1"] });
    expect(await decided(paid)).toMatchObject({ commission: 3_000 });
    const reported = { currency, country: "FR", paid_minor: 11_900n, customer_id: "cus_1" };
    await report(context, charge({ subject: "pi_1", payment_id: "pi_1", at: second(DAY), ...reported }));
    expect(await decided(paid)).toMatchObject({ commission: 4_400 });
  });

  it("compare metadata, of which only keys that rules name are stored", async () => {
    const metadata = { plan: "enterprise", contact: "Jane Doe" };
    expect(await earns({ metadata })).toBe(3_000);
    await setRules(rule({ metadata: { key: "plan", values: ["enterprise"] } }, percent(45)));
    expect(await earns({ metadata })).toBe(4_500);
    expect(await earns({ metadata: { plan: "basic" } })).toBe(3_000);
    const rows = await context.database<{ metadata: object | null }[]>`
      select data -> 'metadata' as metadata from payment_facts
      where organization_id = ${context.organization.id} and kind = 'payment' order by state_at`;
    expect(rows.map((row) => row.metadata)).toEqual([null, { plan: "enterprise" }, { plan: "basic" }]);
  });
});

it("a payment keeps the rules of its first processing", async () => {
  await setRules(rule({}, percent(40)));
  const before = await pay();
  await setRules(rule({}, percent(60)));
  const after = await pay();
  await setRules();
  // A refund decides it again.
  await report(
    context,
    payment({
      subject: before,
      at: second(9 * DAY),
      paid_at: second(DAY),
      email: "buyer@customers.test",
      click_ids: [click_id],
      customer_id: "cus_1",
    }),
  );
  expect(await decided(before)).toMatchObject({ commission: 4_000 });
  expect(await decided(after)).toMatchObject({ commission: 6_000 });
  expect(await earns()).toBe(3_000);
});

describe("an affiliate's own rules", () => {
  it("precede the campaign's from a time on, and end at another", async () => {
    await setRules(rule({ currencies: ["USD"] }, percent(20)));
    const own = { affiliate_ids: [partner.affiliate_id], note: "Conference deal" };
    await setAffiliateRules(context, {
      ...own,
      starts_at: second(10 * DAY).toISOString(),
      rules: [rule({ payments: { from: 2 } }, percent(70))],
    });
    await setAffiliateRules(context, { ...own, starts_at: second(20 * DAY).toISOString(), rules: [] });
    const at = (days: number) => ({ at: second(days * DAY), paid_at: second(days * DAY) });
    expect([await earns(at(9)), await earns(at(10)), await earns(at(19)), await earns(at(20))]).toEqual([
      2_000, 7_000, 7_000, 2_000,
    ]);
  });

  it("are set for several affiliates at once, replaced, removed, and in the audit log", async () => {
    const other = await addAffiliate(context, { campaign_id: partner.campaign_id });
    const affiliate_ids = [partner.affiliate_id, other];
    const starts_at = second(0).toISOString();
    const set = (amount: number) =>
      setAffiliateRules(context, {
        affiliate_ids,
        starts_at,
        note: null,
        rules: [rule({}, percent(amount))],
      });
    expect(await set(50)).toEqual({ starts_at, affiliates: 2 });
    await set(60);
    expect(await getAffiliateRules(context, other)).toMatchObject({
      periods: [{ starts_at, rules: [{ reward: { amount: 60 } }] }],
    });
    const other_click = await click(context, { affiliate_id: other, at: second(2) });
    expect(
      await earns({ click_ids: [other_click], customer_id: "cus_2", email: "other@customers.test" }),
    ).toBe(6_000);
    await removeAffiliateRules(context, { affiliate_id: other, starts_at });
    expect(await getAffiliateRules(context, other)).toMatchObject({ periods: [] });
    expect(await getAffiliateRules(context, partner.affiliate_id)).toMatchObject({
      periods: [{ starts_at }],
    });
    const { data } = await listAuditEntries(context, {
      limit: 10,
      resource: "affiliate",
      resource_id: other,
    });
    expect(data.map(({ action }) => action)).toEqual(["updated", "updated", "updated", "created"]);
  });

  it("are refused for one affiliate if another does not exist", async () => {
    const affiliate_ids = [partner.affiliate_id, "00000000-0000-7000-8000-000000000000"];
    const rules = [rule({}, percent(50))];
    await expect(setAffiliateRules(context, { affiliate_ids, note: null, rules })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await getAffiliateRules(context, partner.affiliate_id)).toMatchObject({ periods: [] });
  });
});

it("rules of wrong amounts are refused with their paths", async () => {
  await expect(
    setRules(
      rule({ amount: { currency: "JPY", from: 0.5 } }, fixed({ USD: 1.005 })),
      rule({}, percent(0.00001)),
    ),
  ).rejects.toMatchObject({
    issues: [
      { path: "rules[0].conditions.amount.from" },
      { path: "rules[0].reward.amounts[0].amount" },
      { path: "rules[1].reward.amount" },
    ],
  });
});
