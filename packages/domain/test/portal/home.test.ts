import { HOME_DAYS } from "@findersfee/contract/portal/home";
import type { TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { previewPayoutRun } from "../../src/payouts/runs/preview.ts";
import { getHome, getPulse } from "../../src/portal/home.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { click, report } from "../attribution/program.ts";
import { refund } from "../attribution/reported.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import { addEarner, type Earner, earn, monthsAgo, pay, payOut, payouts } from "../ledger/program.ts";
import { buy, sessionOf } from "./own-session.ts";

const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let session: AffiliateSession;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  session = await sessionOf(context, jane.affiliate_id);
});

const home = async () => await getHome(test.database, session);

/** Earns a commission that is due after some days. */
async function earnHeld({
  amount,
  days,
  currency = "USD",
}: {
  amount: number;
  days: number;
  currency?: string;
}) {
  const id = await earn(context, jane, { amount, currency });
  await test.database`
    update unpaid_commissions set due_at = now() + ${days} * interval '1 day'
    where organization_id = ${context.organization.id} and commission_id = ${id}`;
  return id;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const today = () => dayOf(new Date());
const inDays = (days: number) => dayOf(new Date(Date.now() + days * DAY));

describe("the home of an affiliate", () => {
  it("is empty before the first click", async () => {
    const { payouts: next, last_days, newest } = await home();
    expect(next).toEqual({
      next_on: null,
      time_zone: "UTC",
      payout_email: null,
      withheld_until: null,
      currencies: [],
    });
    expect(newest).toEqual([]);
    expect(last_days).toMatchObject({ clicks: 0, conversions: 0, earned: [] });
    expect(last_days.days).toHaveLength(HOME_DAYS);
    expect(last_days.days.at(-1)?.day).toBe(today());
    expect(last_days.days[0]?.day).toBe(inDays(1 - HOME_DAYS));
  });

  it("has what is due, held until when, in payouts and paid, by currency", async () => {
    await earn(context, jane, { amount: 5 });
    await payOut(context, monthsAgo(2));
    await pay(context, [(await payouts(context))[0]?.id ?? ""]);
    await earn(context, jane, { amount: 7 });
    await payOut(context, monthsAgo(1));
    await earn(context, jane, { amount: 100.5 });
    await earn(context, jane, { amount: 3000, currency: "JPY" });
    await earnHeld({ amount: 20, days: 5 });
    await earnHeld({ amount: 4, days: 5 });
    await earnHeld({ amount: 0.5, days: 9 });
    await updateSettings(context, { hold_days: 30 });
    await earn(context, await addEarner(context), { amount: 88 });
    expect((await home()).payouts.currencies).toEqual([
      {
        currency: "USD",
        outcome: "included",
        amount: 100.5,
        minimum: 0,
        due: 100.5,
        held: 24.5,
        in_review: 0,
        held_until: [
          { on: inDays(5), amount: 24 },
          { on: inDays(9), amount: 0.5 },
        ],
        in_payout: 7,
        paid: 5,
        deductions: [],
      },
      expect.objectContaining({ currency: "JPY", amount: 3000, due: 3000, held: 0, held_until: [] }),
    ]);
  });

  it("sums up the last dates of many", async () => {
    for (let days = 1; days <= 15; days++) await earnHeld({ amount: 1, days });
    const [{ held, held_until } = { held: 0, held_until: [] }] = (await home()).payouts.currencies;
    expect(held).toBe(15);
    expect(held_until).toHaveLength(12);
    expect(held_until.at(-1)).toEqual({ on: inDays(15), amount: 4 });
  });

  it("counts what becomes due before the next payout day", async () => {
    const now = new Date();
    // The first day of the next month: this month has its run.
    await payOut(context, monthsAgo(0));
    await updateSettings(context, { payout_day: 1 });
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    const days = (next.getTime() - now.getTime()) / DAY;
    await earn(context, jane, { amount: 10 });
    await earnHeld({ amount: 2, days: days - 0.001 });
    await earnHeld({ amount: 30, days: days + 0.01 });
    const { next_on, currencies } = (await home()).payouts;
    expect(next_on).toBe(dayOf(next));
    expect(currencies).toMatchObject([{ outcome: "included", amount: 12, due: 10, held: 32 }]);
  });

  it("says why the next run pays nothing, as the preview of the run does", async () => {
    await updateSettings(context, { minimum_payouts: { USD: 50, EUR: 1 } });
    await buy(context, jane, { subject: "in_1", currency: "JPY", revenue_minor: 3000n });
    await payOut(context, monthsAgo(1));
    await report(
      context,
      refund({ subject: "re_1", references: ["in_1"], amount_minor: 3000n, at: new Date() }),
    );
    await earn(context, jane, { amount: 49.99 });
    await earn(context, jane, { amount: 1, currency: "EUR" });
    await earnHeld({ amount: 1, days: 1, currency: "GBP" });
    const { currencies } = (await home()).payouts;
    const shown = currencies.map(({ currency, outcome, amount }) => ({ currency, outcome, amount }));
    expect(shown).toEqual([
      { currency: "USD", outcome: "below_minimum", amount: 49.99 },
      { currency: "EUR", outcome: "included", amount: 1 },
      { currency: "GBP", outcome: "held", amount: 0 },
      { currency: "JPY", outcome: "negative", amount: -900 },
    ]);
    const { data } = await previewPayoutRun(context, { limit: 50 });
    const previewed = data.map(({ currency, outcome, amount }) => ({ currency, outcome, amount }));
    const byCurrency = (a: { currency: string }, b: { currency: string }) =>
      a.currency.localeCompare(b.currency);
    expect(previewed.sort(byCurrency)).toEqual(shown.sort(byCurrency));
  });

  it("shows the payout email, if the affiliate has one", async () => {
    await updateAffiliate(context, { id: jane.affiliate_id, payout_email: "money@example.com" });
    expect((await home()).payouts.payout_email).toBe("money@example.com");
  });

  it("counts the last 30 days, sealed and recent, without other affiliates", async () => {
    const other = await addEarner(context);
    const { id: organization_id } = context.organization;
    await test.database`
      insert into daily_totals (organization_id, generation, currency, day, affiliate_id, clicks, signups, conversions,
        revenue_minor, commission_minor, lost_minor)
      select ${organization_id}, 1, currency, day::date, affiliate_id, clicks, clicks / 2, 0, commission, commission, 0
      from (values
        ('XXX', ${inDays(-3)}, ${jane.affiliate_id}::uuid, 4, 0), ('USD', ${inDays(-3)}, ${jane.affiliate_id}::uuid, 0, 250),
        ('XXX', ${inDays(-30)}, ${jane.affiliate_id}::uuid, 9, 0), ('XXX', ${inDays(-3)}, ${other.affiliate_id}::uuid, 7, 0)
      ) as total (currency, day, affiliate_id, clicks, commission)`;
    await click(context, { ...jane, at: new Date() });
    await click(context, { ...other, at: new Date() });
    await earn(context, jane, { amount: 1.5 });
    await earn(context, jane, { amount: 700, currency: "JPY" });
    await earn(context, other, { amount: 99 });
    const { last_days } = await home();
    expect(last_days).toMatchObject({ time_zone: "UTC", clicks: 5, signups: 3, conversions: 1 });
    expect(last_days.days[HOME_DAYS - 4]).toMatchObject({ day: inDays(-3), clicks: 4, signups: 2 });
    expect(last_days.days.at(-1)).toMatchObject({ clicks: 1, signups: 1, conversions: 1 });
    expect(last_days.earned.map(({ currency, amount }) => ({ currency, amount }))).toEqual([
      { currency: "USD", amount: 4 },
      { currency: "JPY", amount: 700 },
    ]);
    expect(last_days.earned[0]?.days.slice(-4)).toEqual([2.5, 0, 0, 1.5]);
  });

  it("lists the newest ten commissions, of this affiliate alone", async () => {
    const other = await addEarner(context);
    await earn(context, other, { amount: 77 });
    for (let amount = 1; amount <= 11; amount++) await earn(context, jane, { amount });
    const amounts = (await home()).newest.map(({ commission_amount }) => commission_amount);
    expect(amounts).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it("costs as many statements for one commission as for many", async () => {
    await earn(context, jane, { amount: 1 });
    const few = (await statementsOf(test.database, home)).length;
    for (let amount = 1; amount <= 12; amount++) await earn(context, jane, { amount });
    expect((await statementsOf(test.database, home)).length).toBe(few);
    expect(few).toBeLessThanOrEqual(5);
  });
});

describe("the pulse", () => {
  const pulse = async () => (await getPulse(test.database, session)).pulse;

  it("is one statement, and that of the page", async () => {
    expect((await home()).pulse).toBe(await pulse());
    expect(await statementsOf(test.database, pulse)).toHaveLength(1);
  });

  it("differs after everything that the page shows, and nothing of other affiliates", async () => {
    const other = await addEarner(context);
    const before = await pulse();
    await earn(context, other, { amount: 1 });
    expect(await pulse()).toBe(before);
    const seen = new Set([before]);
    const id = await earn(context, jane, { amount: 5 });
    seen.add(await pulse());
    await updateCommission(context, { id, commission_amount: 4 });
    seen.add(await pulse());
    await payOut(context, monthsAgo(0));
    seen.add(await pulse());
    await updateAffiliate(context, { id: jane.affiliate_id, payout_email: "money@example.com" });
    seen.add(await pulse());
    await updateSettings(context, { payout_day: 5 });
    seen.add(await pulse());
    expect(seen.size).toBe(6);
  });
});
