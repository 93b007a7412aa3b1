import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { listSubIds } from "../../src/portal/sub-ids.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { refer } from "../../src/tracking/refer.ts";
import { openTracking } from "../../src/tracking/tracking.ts";
import { addPartner, click, type Partner, report } from "../attribution/program.ts";
import { checkout, payment, signUp } from "../attribution/reported.ts";
import { makePayoutContext } from "../ledger/program.ts";
import { sessionOf } from "./own-session.ts";

const DAY_MILLISECONDS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MILLISECONDS);

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let session: AffiliateSession;
let sales = 0;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  jane = await addPartner(context);
  session = await sessionOf(context, jane.affiliate_id);
});

const list = async () => await listSubIds(test.database, session);

/** A new customer buys for 100.00 after a click with a sub-id. */
async function buy(
  sub_id: string | null,
  {
    days = 2,
    currency = "USD",
    affiliate = jane,
  }: { days?: number; currency?: string; affiliate?: Partner } = {},
): Promise<string> {
  sales += 1;
  const at = daysAgo(days);
  const customer = { customer_id: `cus_${sales}`, email: `sub-${sales}@customers.test` };
  const click_ids = [await click(context, { ...affiliate, at, sub_id })];
  await report(
    context,
    checkout({ subject: `cs_${sales}`, ...customer, click_ids, at }),
    payment({ subject: `in_${sales}`, ...customer, at, currency }),
  );
  return customer.email;
}

async function subIdOf(email: string): Promise<string | null> {
  const [row] = await test.database<[{ sub_id: string | null }]>`
    select sub_id from referrals where email = ${email} and replaced_at is null`;
  return row.sub_id;
}

describe("the sub-ids of an affiliate", () => {
  it("sum up clicks, sign-ups, first commissions and earnings, by currency", async () => {
    const { id: organization_id } = context.organization;
    await buy("newsletter");
    await buy("newsletter", { currency: "EUR" });
    await buy("newsletter", { days: 45 });
    await buy("video");
    await buy(null);
    await buy("theirs", { affiliate: await addPartner(context, { name: "Others" }) });
    for (const [sub_id, days, clicks] of [
      ["newsletter", 0, 3],
      ["newsletter", 29, 4],
      ["newsletter", 30, 100],
      ["unsold", 5, 7],
    ] as const) {
      await test.database`
        insert into sub_id_clicks (day, organization_id, affiliate_id, sub_id, clicks)
        values ((now() at time zone 'UTC')::date - ${days}::int, ${organization_id}, ${jane.affiliate_id}, ${sub_id}, ${clicks})`;
    }
    expect(await list()).toEqual({
      sub_ids: [
        {
          sub_id: "newsletter",
          clicks: 7,
          signups: 2,
          conversions: 3,
          earned: [
            { currency: "EUR", amount: 30 },
            { currency: "USD", amount: 30 },
          ],
        },
        { sub_id: "video", clicks: 0, signups: 1, conversions: 1, earned: [{ currency: "USD", amount: 30 }] },
        { sub_id: "unsold", clicks: 7, signups: 0, conversions: 0, earned: [] },
      ],
      has_more: false,
    });
    expect(await statementsOf(test.database, list)).toHaveLength(1);
  });

  it("leave out void commissions, and name at most twenty", async () => {
    const email = await buy("void");
    const [row] = await test.database<[{ id: string }]>`
      select commission.id from commissions commission join referrals referral on referral.id = commission.referral_id
      where referral.email = ${email}`;
    await updateCommission(context, { id: row.id, payout_status: "voided" });
    expect((await list()).sub_ids).toMatchObject([{ sub_id: "void", conversions: 1, earned: [] }]);
    const { id: organization_id } = context.organization;
    await test.database`
      insert into sub_id_clicks (day, organization_id, affiliate_id, sub_id, clicks)
      select (now() at time zone 'UTC')::date, ${organization_id}, ${jane.affiliate_id}, 'place-' || number, number
      from generate_series(1, 25) as number`;
    const { sub_ids, has_more } = await list();
    expect([sub_ids.length, sub_ids[1]?.sub_id, has_more]).toEqual([20, "place-25", true]);
  });
});

describe("the sub-id of a referral", () => {
  it("is that of the click that won, whatever arrives first", async () => {
    const at = daysAgo(3);
    const email = "order@customers.test";
    const customer = { customer_id: "cus_order", email };
    const first = await click(context, { ...jane, at: daysAgo(5), sub_id: "first" });
    const last = await click(context, { ...jane, at: daysAgo(4), sub_id: "last" });
    await report(context, payment({ subject: "in_order", ...customer, at }));
    await report(context, checkout({ subject: "cs_order", ...customer, click_ids: [first, last], at }));
    expect(await subIdOf(email)).toBe("last");
  });

  it("follows the referral to another click, and stays when the click is no longer stored", async () => {
    const email = "moves@customers.test";
    const page = await click(context, { ...jane, at: daysAgo(5), sub_id: "page" });
    await report(context, signUp({ click_id: page, email, at: daysAgo(4) }));
    expect(await subIdOf(email)).toBe("page");
    const other = await addPartner(context, { name: "Others" });
    const click_id = await click(context, { ...other, at: daysAgo(3), sub_id: "checkout" });
    const customer = { customer_id: "cus_moves", email };
    await report(
      context,
      checkout({ subject: "cs_moves", ...customer, click_ids: [click_id], at: daysAgo(2) }),
    );
    expect(await subIdOf(email)).toBe("checkout");
    await test.database`delete from clicks where id = ${click_id}`;
    await report(context, payment({ subject: "in_moves", ...customer, at: daysAgo(1) }));
    expect(await subIdOf(email)).toBe("checkout");
  });

  it("is none if a click without one, or a promo code, won", async () => {
    const email = await buy(null);
    expect(await subIdOf(email)).toBeNull();
  });

  it("is that of the click of a sign-up that the organization confirms", async () => {
    const tracking = openTracking({
      database: test.database,
      secrets_key: Buffer.alloc(32),
      budgets_per_minute: { clicks: 0, signups: 0 },
      notifyWorkers: () => {},
    });
    const click_id = await click(context, { ...jane, at: daysAgo(1), sub_id: "signed" });
    const email = "signed@customers.test";
    await refer(tracking, context.organization, {
      click_id,
      email,
      actor: { kind: "automatic", name: "sign-up" },
    });
    expect(await subIdOf(email)).toBe("signed");
    expect((await list()).sub_ids).toMatchObject([{ sub_id: "signed", signups: 1, conversions: 0 }]);
  });
});
