/* Leads of affiliates that have reached their limit of a day, or give up a place in it. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, click, payOut, report } from "./program.ts";
import { checkout, second, signUp } from "./reported.ts";

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  context = await makeContext(test.database);
});

async function partnerWithLimit(daily_limit: number): Promise<string> {
  const lead_commissions = [{ kind: "signup", amount: 2, daily_limit }];
  return (await addPartner(context, { lead_commissions })).affiliate_id;
}

/** The customers' leads, by the first letter of the email. */
async function leads(): Promise<string[]> {
  const rows = await context.database<{ email: string; outcome: string; affiliate_id: string }[]>`
    select referral.email, outcome, lead.affiliate_id from leads lead
    join referrals referral on referral.organization_id = lead.organization_id and referral.id = lead.referral_id
    where lead.organization_id = ${context.organization.id} order by email, referral.replaced_at`;
  return rows.map(({ email, outcome }) => `${email[0]} ${outcome}`);
}

async function earned(): Promise<number | undefined> {
  const [sum] = await context.database<{ minor: number }[]>`
    select sum(commission_minor)::int as minor from commissions
    where organization_id = ${context.organization.id} and not voided`;
  return sum?.minor;
}

describe("a sign-up that a page and the backend report, by an affiliate with one a day", () => {
  const EMAIL = "buyer@customers.test";
  let affiliate_id: string;

  beforeEach(async () => {
    affiliate_id = await partnerWithLimit(1);
  });

  async function byPage(): Promise<void> {
    const at = new Date();
    const click_id = await click(context, { affiliate_id, at });
    await report(context, signUp({ click_id, email: EMAIL, at }));
  }

  const byBackend = () =>
    createReferral(context, { affiliate_id, email: EMAIL, subscription_status: "signed_up" });

  it("earns once when the page is first", async () => {
    await byPage();
    await byBackend();
    expect(await leads()).toEqual(["b referral_withdrawn", "b commission"]);
    expect(await earned()).toBe(200);
  });

  it("earns once when the backend is first", async () => {
    await byBackend();
    await byPage();
    expect(await leads()).toEqual(["b commission"]);
    expect(await earned()).toBe(200);
  });

  it("earns once when it was paid in between", async () => {
    await byPage();
    await payOut(context);
    await byBackend();
    expect(await earned()).toBe(200);
    const found = await verifyLedger(context.database, context.organization.id);
    expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
  });
});

describe.each(["together", "one by one"])("older evidence for two customers, reported %s", (how) => {
  /** X came by `a`, and Y by `b`; then older checkouts are known, of Y by `a`. */
  async function olderEvidence(limit: number, x_leaves: boolean): Promise<string[]> {
    const [a, b] = [await partnerWithLimit(limit), await partnerWithLimit(limit)];
    const of_a = await click(context, { affiliate_id: a, at: second(1) });
    const of_b = await click(context, { affiliate_id: b, at: second(2) });
    const x = { customer_id: "cus_x", email: "x@customers.test" };
    const y = { customer_id: "cus_y", email: "y@customers.test" };
    await report(context, checkout({ subject: "x_late", ...x, click_ids: [of_a], at: second(20) }));
    await report(context, checkout({ subject: "y_late", ...y, click_ids: [of_b], at: second(21) }));
    const older = [
      checkout({ subject: "x_old", ...x, click_ids: [x_leaves ? of_b : of_a], at: second(10) }),
      checkout({ subject: "y_old", ...y, click_ids: [of_a], at: second(11) }),
    ];
    if (how === "together") await report(context, ...older);
    else for (const one of older) await report(context, one);
    return await leads();
  }

  it("counts a sign-up whose time changes once", async () => {
    expect(await olderEvidence(2, false)).toEqual(["x commission", "y commission"]);
  });

  it("gives the place of a sign-up that leaves to another one", async () => {
    expect((await olderEvidence(1, true))[1]).toBe("y commission");
  });
});
