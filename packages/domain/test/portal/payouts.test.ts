import type { TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { setAffiliateStates } from "../../src/affiliates/set-state.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { getClosed } from "../../src/portal/closed.ts";
import { getStatement, listOwnPayouts, listStatementLines } from "../../src/portal/payouts.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { report } from "../attribution/program.ts";
import { refund } from "../attribution/reported.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import { addEarner, type Earner, earn, monthsAgo, pay, payOut } from "../ledger/program.ts";
import { buy, hideEmails, sessionOf } from "./own-session.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let session: AffiliateSession;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
  session = await sessionOf(context, jane.affiliate_id);
});

const list = async (query: Partial<Parameters<typeof listOwnPayouts>[2]> = {}) =>
  await listOwnPayouts(test.database, session, { limit: 50, ...query });
const statement = async (id: string, limit = 500) =>
  await getStatement(test.database, session, { id, limit });
const amountsOf = ({ lines }: { lines: { amount: number }[] }) => lines.map(({ amount }) => amount);
/** The id of the affiliate's newest payout. */
const newest = async () => (await list()).data[0]?.id ?? "";

describe("the payouts of an affiliate", () => {
  it("are listed by pages, the newest first, without others'", async () => {
    const other = await addEarner(context);
    for (const [months, amount] of [
      [2, 10],
      [1, 20],
      [0, 30],
    ] as const) {
      await earn(context, jane, { amount });
      await earn(context, other, { amount: 99 });
      await payOut(context, monthsAgo(months));
    }
    const first = await list({ limit: 2 });
    expect(first.data).toMatchObject([
      { amount: 30, period: monthsAgo(0), status: "pending", paid_at: null },
      { amount: 20, period: monthsAgo(1) },
    ]);
    const next = await list({ limit: 2, after: first.older ?? "" });
    expect(next.data).toMatchObject([{ amount: 10, currency: "USD", payment_count: 1 }]);
    expect((await list({ limit: 2, before: next.newer ?? "" })).data).toEqual(first.data);
    expect(await statementsOf(test.database, list)).toHaveLength(1);
  });

  it("are one for each currency of a run", async () => {
    await earn(context, jane, { amount: 10 });
    await earn(context, jane, { amount: 700, currency: "JPY" });
    await payOut(context, monthsAgo(0));
    const { data } = await list();
    const amounts = data.map(({ currency, amount }) => `${currency} ${amount}`).sort();
    expect(amounts).toEqual(["JPY 700", "USD 10"]);
    const yen = data.find(({ currency }) => currency === "JPY");
    expect(amountsOf(await statement(yen?.id ?? ""))).toEqual([700]);
  });
});

describe("a statement", () => {
  it("has both sides, all commissions and reversals, and adds up", async () => {
    await buy(context, jane, { subject: "in_statement" });
    await payOut(context, monthsAgo(1));
    await pay(context, [await newest()]);
    await report(
      context,
      refund({ subject: "re_statement", references: ["in_statement"], amount_minor: 5_000n, at: new Date() }),
    );
    await earn(context, jane, { amount: 20.05 });
    await earn(context, jane, { amount: 0.1 });
    await payOut(context, monthsAgo(0));
    const found = await statement(await newest());
    expect(found).toMatchObject({
      amount: 5.15,
      currency: "USD",
      period: monthsAgo(0),
      payment_count: 3,
      organization: { name: "Acme", support_email: null },
      affiliate: { name: expect.stringContaining("@partners.test"), payout_email: expect.any(String) },
      lines_after: null,
    });
    expect(amountsOf(found)).toEqual([-15, 20.05, 0.1]);
    expect(found.lines[0]).toMatchObject({ reversal_of: expect.any(String), revenue_amount: -50 });
    const paid = (await list()).data[1];
    expect(paid).toMatchObject({ status: "paid", paid_at: paid?.status_at });
  });

  it("continues by pages of lines, each line once", async () => {
    for (let amount = 1; amount <= 5; amount++) await earn(context, jane, { amount });
    await payOut(context, monthsAgo(0));
    const id = await newest();
    const first = await statement(id, 2);
    expect(amountsOf(first)).toEqual([1, 2]);
    const more = async (after: string | null) =>
      await listStatementLines(test.database, session, { id, after: after ?? "", limit: 2 });
    const second = await more(first.lines_after);
    expect(amountsOf(second)).toEqual([3, 4]);
    const third = await more(second.lines_after);
    expect(third).toMatchObject({ lines: [{ amount: 5 }], lines_after: null });
  });

  it("of a payout that failed keeps its amounts, also after its commissions are in the next run's payout", async () => {
    const changed = await earn(context, jane, { amount: 10 });
    await earn(context, jane, { amount: 2 });
    await payOut(context, monthsAgo(1));
    const failed = await newest();
    await movePayouts(context, { ids: [failed], status: "failed", reason: "internal remark" });
    await updateCommission(context, { id: changed, commission_amount: 4 });
    await payOut(context, monthsAgo(0));
    const again = await newest();
    expect(again).not.toBe(failed);
    expect(await statement(again)).toMatchObject({ amount: 6, status: "pending" });
    expect(amountsOf(await statement(again))).toEqual([4, 2]);
    const before = await statement(failed);
    expect(before).toMatchObject({ amount: 12, status: "failed", paid_at: null });
    expect(amountsOf(before)).toEqual([10, 2]);
    expect(JSON.stringify(before)).not.toContain("internal remark");
  });

  it("hides customers and revenue if the campaign hides emails", async () => {
    await earn(context, jane, { amount: 10 });
    await payOut(context, monthsAgo(0));
    await hideEmails(context);
    const found = await statement(await newest());
    expect(found.lines).toMatchObject([
      { customer: expect.stringMatching(/^c…[0-9]@customers.test$/), revenue_amount: null },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/customer[0-9]/);
  });

  it("is not found for another affiliate", async () => {
    await earn(context, jane, { amount: 10 });
    await payOut(context, monthsAgo(0));
    const id = await newest();
    const { lines } = await statement(id);
    session = await sessionOf(context, (await addEarner(context)).affiliate_id);
    await expect(statement(id)).rejects.toMatchObject({ code: "not_found" });
    const after = lines[0]?.id ?? "";
    await expect(listStatementLines(test.database, session, { id, after, limit: 1 })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await list()).data).toEqual([]);
  });

  it("costs as many statements for one line as for many", async () => {
    for (let amount = 1; amount <= 5; amount++) await earn(context, jane, { amount });
    await payOut(context, monthsAgo(0));
    const id = await newest();
    expect(await statementsOf(test.database, () => statement(id, 1))).toHaveLength(3);
    expect(await statementsOf(test.database, () => statement(id))).toHaveLength(3);
  });
});

describe("a closed program", () => {
  const closed = async () => {
    session = await sessionOf(context, jane.affiliate_id);
    return await getClosed(test.database, session);
  };

  it("says what a banned affiliate is still owed, and whom to ask", async () => {
    await earn(context, jane, { amount: 10 });
    await payOut(context, monthsAgo(0));
    await earn(context, jane, { amount: 3 });
    await earn(context, jane, { amount: 500, currency: "JPY" });
    await setAffiliateStates(context, { ids: [jane.affiliate_id], banned: true });
    await test.database`
      update organizations set support_email = 'partners@acme.example' where id = ${context.organization.id}`;
    expect(await closed()).toEqual({
      state: "banned",
      organization: { name: "Acme", support_email: "partners@acme.example" },
      reason: null,
      owed: [
        { currency: "JPY", due: 500, held: 0, in_payout: 0 },
        { currency: "USD", due: 3, held: 0, in_payout: 10 },
      ],
    });
  });

  it("owes nothing once all is paid, and gives the reason of a declined application", async () => {
    await earn(context, jane, { amount: 10 });
    await payOut(context, monthsAgo(0));
    await pay(context, [await newest()]);
    await test.database`
      update affiliates set approved = false, declined_at = now(), decline_reason = 'Coupon pages only'
      where id = ${jane.affiliate_id}`;
    expect(await closed()).toMatchObject({ state: "declined", reason: "Coupon pages only", owed: [] });
  });
});
