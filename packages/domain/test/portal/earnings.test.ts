import type { ListEarnings } from "@findersfee/contract/portal/earnings";
import type { TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { creditPayment } from "../../src/attribution/overrides/make.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { acceptClaim, previewClaim } from "../../src/customers/claims/accept.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { importExchangeRates } from "../../src/exchange-rates/import.ts";
import { newId } from "../../src/ids.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { createClaim } from "../../src/portal/claims.ts";
import { getEarning, listEarnings } from "../../src/portal/earnings.ts";
import { listOwnReferrals } from "../../src/portal/referrals.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { addPartner, click, report } from "../attribution/program.ts";
import { checkout, dispute, payment, refund } from "../attribution/reported.ts";
import { ecbFile } from "../exchange-rates/files.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import {
  addEarner,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  pay,
  payOut,
  payouts,
} from "../ledger/program.ts";
import { buy, hideEmails, sessionOf } from "./own-session.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let session: AffiliateSession;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  session = await sessionOf(context, jane.affiliate_id);
});

const list = async (query: Partial<ListEarnings> = {}) =>
  await listEarnings(test.database, session, { limit: 50, ...query });
const amountsOf = ({ data }: Awaited<ReturnType<typeof list>>) =>
  data.map(({ commission_amount }) => commission_amount);

describe("the list of an affiliate's commissions", () => {
  it("goes down and up again by pages, without other affiliates", async () => {
    const other = await addEarner(context);
    for (const amount of [1, 2, 3]) {
      await earn(context, jane, { amount });
      await earn(context, other, { amount: 10 * amount });
    }
    const first = await list({ limit: 2 });
    expect(amountsOf(first)).toEqual([3, 2]);
    const next = await list({ limit: 2, after: first.older ?? "" });
    expect(amountsOf(next)).toEqual([1]);
    expect(next.older).toBeNull();
    expect(amountsOf(await list({ limit: 2, before: next.newer ?? "" }))).toEqual([3, 2]);
  });

  it("filters by state, in each by pages", async () => {
    const { id: organization_id } = context.organization;
    for (const amount of [1, 2]) await earn(context, jane, { amount });
    await payOut(context, monthsAgo(1));
    await pay(context, [(await payouts(context))[0]?.id ?? ""]);
    for (const amount of [3, 4]) await earn(context, jane, { amount });
    await payOut(context, monthsAgo(0));
    for (const amount of [5, 6]) {
      const id = await earn(context, jane, { amount });
      await updateCommission(context, { id, payout_status: "voided" });
    }
    for (const amount of [7, 8]) await earn(context, jane, { amount });
    for (const amount of [9, 10]) {
      const commission_id = await earn(context, jane, { amount });
      await test.database`
        update unpaid_commissions set due_at = now() + interval '1 day'
        where organization_id = ${organization_id} and commission_id = ${commission_id}`;
    }
    const expected = { paid: [2, 1], pending: [4, 3], voided: [6, 5], due: [8, 7], held: [10, 9] };
    for (const [state, amounts] of Object.entries(expected)) {
      const of = { state: state as keyof typeof expected };
      const page = await list(of);
      expect(amountsOf(page)).toEqual(amounts);
      expect(new Set(page.data.map((row) => row.state))).toEqual(new Set([state]));
      const first = await list({ ...of, limit: 1 });
      const next = await list({ ...of, limit: 1, after: first.older ?? "" });
      expect(amountsOf(next)).toEqual(amounts.slice(1));
      expect(amountsOf(await list({ ...of, limit: 1, before: next.newer ?? "" }))).toEqual(
        amounts.slice(0, 1),
      );
    }
  });

  it("shows amounts in the units of their currencies, and the payout of each", async () => {
    await earn(context, jane, { amount: 1500, currency: "JPY" });
    await payOut(context, monthsAgo(0));
    const [payout] = await payouts(context);
    const { data } = await list();
    expect(data).toMatchObject([
      {
        currency: "JPY",
        commission_amount: 1500,
        revenue_amount: 3000,
        state: "pending",
        payout: { id: payout?.id, period: monthsAgo(0) },
      },
    ]);
  });

  it("hides parts of emails, and revenue, if the campaign hides emails", async () => {
    const email = await buy(context, jane, { subject: "in_hidden" });
    await buy(context, jane, { subject: "in_hidden_2" });
    expect((await list()).data.map(({ customer }) => customer)).toContain(email);
    await hideEmails(context);
    const { data } = await list();
    const story = await getEarning(test.database, session, data[0]?.id ?? "");
    const referrals = await listOwnReferrals(test.database, session, { limit: 50 });
    expect(data[0]).toMatchObject({
      customer: expect.stringMatching(/^b…[0-9]@customers.test$/),
      revenue_amount: null,
    });
    expect(story.payment?.steps).toMatchObject([{ amount: 30, of_amount: null }]);
    expect(referrals.data[0]?.customer).toMatch(/^.…[0-9]@customers.test$/);
    for (const answer of [data, story, referrals]) {
      expect(JSON.stringify(answer)).not.toMatch(/buyer|customer[0-9]/);
    }
  });

  it("refuses positions that no answer has", async () => {
    await expect(list({ after: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("costs one statement", async () => {
    for (let amount = 1; amount <= 3; amount++) await earn(context, jane, { amount });
    expect(await statementsOf(test.database, list)).toHaveLength(1);
  });
});

describe("the story of an affiliate's commission", () => {
  const story = async (id: string) => await getEarning(test.database, session, id);

  it("has a fixed amount in both currencies, with the exchange rate", async () => {
    const { affiliate_id } = await addPartner(context, { commission_type: "fixed", commission_amount: 50 });
    await updateSettings(context, { converts_fixed_amounts: true });
    const paid_at = new Date(Date.now() - 3 * 24 * 60 * 60_000);
    const day = paid_at.toISOString().slice(0, 10);
    await importExchangeRates(test.database, ecbFile({ [day]: { USD: "1.0812" } }));
    const click_id = await click(context, { affiliate_id, at: new Date(paid_at.getTime() - 60_000) });
    const customer = { customer_id: "cus_euro", email: "kim@customers.test" };
    await report(
      context,
      checkout({ subject: "cs_euro", ...customer, click_ids: [click_id], at: paid_at }),
      payment({ subject: "in_euro", ...customer, currency: "EUR", at: paid_at }),
    );
    session = await sessionOf(context, affiliate_id);
    const [row] = (await list()).data;
    expect(await story(row?.id ?? "")).toMatchObject({
      earning: { commission_amount: 46.24, currency: "EUR" },
      payment: {
        steps: [{ amount: 50, conversion: { amount: 46.24, currency: "EUR", rate: "0.9248982612" } }],
      },
    });
  });

  it("tells of the click, the rates, refunds and the sum, and nothing of the affiliate who lost", async () => {
    const other = await addPartner(context);
    const customer = { customer_id: "cus_story", email: "kim@customers.test" };
    const at = new Date(Date.now() - 3 * 24 * 60 * 60_000);
    const before = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
    const lost = await click(context, { ...other, at: before(60) });
    const won = await click(context, { ...jane, at: before(30) });
    await test.database`update clicks set landing_url = 'https://shop.test/pricing' where id = ${won}`;
    await report(context, checkout({ subject: "cs_story", ...customer, click_ids: [lost, won], at }));
    await report(context, payment({ subject: "in_story", ...customer, revenue_minor: 4_900n, at }));
    await report(
      context,
      refund({ subject: "re_story", references: ["in_story"], amount_minor: 2_450n, at: new Date() }),
    );
    const [row] = (await list()).data;
    const found = await story(row?.id ?? "");
    expect(found).toMatchObject({
      earning: { customer: "kim@customers.test", commission_amount: 7.35, revenue_amount: 24.5 },
      source: {
        kind: "click",
        code: "code",
        clicked_at: before(30).toISOString(),
        landing_url: "https://shop.test/pricing",
        sub_id: null,
      },
      payment: {
        paid_at: at.toISOString(),
        steps: [{ rule: "campaign", type: "percentage", amount: 30, of_amount: 49, conversion: null }],
        exact_amount: "1470",
      },
      reason: null,
      entries: [
        { kind: "earned", amount: 14.7, because: null },
        { kind: "reduced", amount: -7.35, because: "refund" },
      ],
      payout: null,
      net_amount: 7.35,
      adds_up: true,
    });
    expect(JSON.stringify(found)).not.toMatch(new RegExp(`${other.affiliate_id}|${lost}|evt_|in_story|cus_`));
  });

  it("has the reversal of a paid commission, and the commission of a reversal", async () => {
    await buy(context, jane, { subject: "in_back" });
    await payOut(context, monthsAgo(0));
    const [payout] = await payouts(context);
    await pay(context, [payout?.id ?? ""]);
    await report(
      context,
      refund({ subject: "re_back", references: ["in_back"], amount_minor: 10_000n, at: new Date() }),
    );
    const [reversal, paid] = (await list()).data;
    expect(await story(paid?.id ?? "")).toMatchObject({
      payout: { id: payout?.id, status: "paid" },
      related: [{ id: reversal?.id, commission_amount: -30, state: "due" }],
    });
    expect(await story(reversal?.id ?? "")).toMatchObject({
      earning: { commission_amount: -30, reversal_of: paid?.id },
      source: { kind: "click" },
      entries: [{ kind: "reversed", amount: -30, because: "refund" }],
      related: [{ id: paid?.id, state: "paid" }],
      adds_up: true,
    });
  });

  it("tells of a dispute, and of what the organization changed", async () => {
    await buy(context, jane, { subject: "in_disputed" });
    await buy(context, jane, { subject: "in_voided" });
    const [voided, disputed] = (await list()).data;
    await report(
      context,
      dispute({ subject: "dp_1", references: ["in_disputed"], amount_minor: 10_000n, at: new Date() }),
    );
    await updateCommission(context, { id: voided?.id ?? "", payout_status: "voided" });
    const lastOf = async (id: string | undefined) => (await story(id ?? "")).entries.at(-1);
    expect(await lastOf(disputed?.id)).toMatchObject({ kind: "voided", because: "dispute" });
    expect(await lastOf(voided?.id)).toMatchObject({ kind: "voided", because: "organization" });
  });

  describe("says why a customer who came by no click is the affiliate's", () => {
    const CUSTOMER = { customer_id: "cus_direct", email: "direct@customers.test" };
    const REASON = { reason: "agreed on the phone", dry_run: false };
    const at = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000);

    const payDirectly = (subject: string, days: number) =>
      report(context, payment({ subject, ...CUSTOMER, at: at(days) }));

    async function decisionId(payment_id: string): Promise<string> {
      const [row] = await test.database<[{ id: string }]>`
        select id from payment_decisions where payment_id = ${payment_id}
          and organization_id = ${context.organization.id}`;
      return row.id;
    }

    async function reasonOfNewest() {
      const [row] = (await list()).data;
      const { source, reason } = await story(row?.id ?? "");
      expect(source).toBeNull();
      return reason;
    }

    it("an accepted report of a missing sale, also for later payments", async () => {
      await payDirectly("in_claimed", 3);
      const day = at(3).toISOString().slice(0, 10);
      const { id } = await createClaim(test.database, session, {
        email: CUSTOMER.email,
        paid_on: day,
        note: "",
      });
      const claim = { id, payment_decision_id: await decisionId("in_claimed") };
      const { version } = await previewClaim(context, claim);
      await acceptClaim(context, { ...claim, version, answer: null });
      const accepted = { kind: "claim", at: expect.stringMatching(/^2/) };
      expect(await reasonOfNewest()).toEqual(accepted);
      await payDirectly("in_after", 1);
      expect(await reasonOfNewest()).toEqual(accepted);
    });

    it("a credit, and a referral that the organization recorded itself", async () => {
      await payDirectly("in_credited", 3);
      const { affiliate_id } = jane;
      const credited = { processor_payment_id: "in_credited", past_payments: false };
      await creditPayment(context, { ...credited, affiliate_id, ...REASON });
      expect(await reasonOfNewest()).toMatchObject({ kind: "credit" });
      const email = "recorded@customers.test";
      await createReferral(context, { affiliate_id, email, subscription_status: "signed_up" });
      await report(
        context,
        payment({ subject: "in_recorded", customer_id: "cus_rec", email, at: new Date() }),
      );
      expect(await reasonOfNewest()).toEqual({ kind: "organization", at: null });
    });
  });

  it("of a manual and a void commission has no payment", async () => {
    const id = await earn(context, jane, { amount: 5 });
    await updateCommission(context, { id, payout_status: "voided" });
    expect(await story(id)).toMatchObject({
      earning: { state: "voided" },
      source: null,
      payment: null,
      net_amount: 0,
      adds_up: true,
    });
  });

  it("is not found for another affiliate, even one of the same customer", async () => {
    const email = await buy(context, jane, { subject: "in_mine" });
    const joe = await addPartner(context);
    const [mine] = (await list()).data;
    session = await sessionOf(context, joe.affiliate_id);
    await expect(story(mine?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    await expect(story(newId(new Date()))).rejects.toMatchObject({ code: "not_found" });
    expect(
      JSON.stringify([await list(), await listOwnReferrals(test.database, session, { limit: 50 })]),
    ).not.toContain(email);
  });

  it("does not show a commission of another organization to an affiliate with the same address", async () => {
    const id = await earn(context, jane, { amount: 5 });
    const elsewhere = await makePayoutContext(test.database);
    const again = await addEarner(elsewhere);
    await test.database`
      update affiliates set email = 'twice@example.com' where id = any (${[jane.affiliate_id, again.affiliate_id]}::uuid[])`;
    session = await sessionOf(elsewhere, again.affiliate_id);
    await expect(story(id)).rejects.toMatchObject({ code: "not_found" });
    expect((await list()).data).toEqual([]);
  });
});

describe("the list of an affiliate's referrals", () => {
  const referrals = async (query: Partial<Parameters<typeof listOwnReferrals>[2]> = {}) =>
    await listOwnReferrals(test.database, session, { limit: 50, ...query });

  it("has what each earned by currency, less reversals, and pages", async () => {
    await earn(context, jane, { amount: 5 });
    await earn(context, jane, { amount: 900, currency: "JPY" });
    const voided = await earn(context, jane, { amount: 7 });
    await updateCommission(context, { id: voided, payout_status: "voided" });
    await buy(context, jane, { subject: "in_referral" });
    const first = await referrals({ limit: 1 });
    expect(first.data).toMatchObject([
      {
        subscription_status: "signed_up",
        earned: [{ currency: "USD", amount: 30 }],
        earns_until: null,
        payments_left: null,
      },
    ]);
    const next = await referrals({ limit: 1, after: first.older ?? "" });
    expect(next.data).toMatchObject([
      {
        id: jane.referral_id,
        earned: [
          { currency: "JPY", amount: 900 },
          { currency: "USD", amount: 5 },
        ],
      },
    ]);
    expect(next.older).toBeNull();
    expect(await statementsOf(test.database, referrals)).toHaveLength(1);
  });

  it("says until when a referral earns, or how many payments still do", async () => {
    const limited = async (limit_type: string, limit_amount: number) => {
      await test.database`
        update campaigns set limit_type = ${limit_type}, limit_amount = ${limit_amount}
        where organization_id = ${context.organization.id}`;
      return (await referrals()).data[0];
    };
    expect(await limited("months", 12)).toMatchObject({ earns_until: null, payments_left: null });
    const referral_date = new Date("2026-01-31T10:00:00.000Z");
    await earn(context, jane, { amount: 5, referral_date });
    const voided = await earn(context, jane, { amount: 5 });
    await updateCommission(context, { id: voided, payout_status: "voided" });
    expect(await limited("months", 1)).toMatchObject({ earns_until: "2026-02-28T10:00:00.000Z" });
    expect(await limited("payments", 3)).toMatchObject({ earns_until: null, payments_left: 2 });
    expect(await limited("payments", 1)).toMatchObject({ payments_left: 0 });
  });
});
