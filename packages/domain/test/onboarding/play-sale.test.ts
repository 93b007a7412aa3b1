/* A played sale earns the same as a real one, and no row of it belongs to the organization that played it. */

import { isOfTestData } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { createSessionAuthenticator } from "../../src/identity/accounts/authenticate.ts";
import { getMe } from "../../src/identity/accounts/me.ts";
import { openSession } from "../../src/identity/accounts/open-session.ts";
import { createUser } from "../../src/identity/users/create.ts";
import { newId } from "../../src/ids.ts";
import { sumBalances } from "../../src/ledger/sum-balances.ts";
import { isDamaged, verifyLedger } from "../../src/ledger/verify.ts";
import { getTestSale, playSale } from "../../src/onboarding/play-sale.ts";
import { removeTestData } from "../../src/onboarding/test-organization.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { getOverview } from "../../src/reports/overview.ts";
import { verifyTotals } from "../../src/reports/totals/verify.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { openSales, playDecided, rowsOf } from "./played.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

/** The context of the same person in the test data. */
const inside = (organization: { id: string }): Context => ({
  ...context,
  organization: { ...context.organization, id: organization.id },
});

const newSale = () => newId(new Date());

async function commissionsOf({
  id,
}: {
  id: string;
}): Promise<{ commission_minor: bigint; currency: string }[]> {
  return await test.database<{ commission_minor: bigint; currency: string }[]>`
    select commission_minor, currency from commissions where organization_id = ${id} order by id`;
}

describe("a played sale", () => {
  it("earns by the campaign's rules of now, in test data", async () => {
    const { campaign_id } = await addPartner(context, { commission_amount: 30 });
    const first = newSale();
    const organization = await playDecided(context, first);
    expect(await getTestSale(context, first)).toMatchObject({
      state: "decided",
      outcome: "commission",
      organization: { slug: "acme-test" },
      commission_id: expect.any(String),
    });
    await test.database`
      update campaigns set commission_value = 100000
      where organization_id = ${context.organization.id} and id = ${campaign_id}`;
    expect(await playDecided(context, newSale())).toEqual(organization);
    expect((await commissionsOf(organization)).map(({ commission_minor }) => commission_minor)).toEqual([
      1_470n,
      490n,
    ]);
  });

  it.each([
    { what: "by promo code", fields: { code_mode: "coupon", reference_coupon: "half" }, minor: 1_470n },
    { what: "with a fixed amount", fields: { commission_type: "fixed", commission_amount: 5 }, minor: 500n },
    {
      what: "with rates of products",
      fields: {
        custom_commission_type: "product",
        custom_commissions: [{ product_id: "a", type: "percentage", amount: 100 }],
      },
      minor: 1_470n,
    },
    { what: "that waits for approvals", fields: { approval_needed: true }, minor: 1_470n },
  ])("pays in a campaign $what", async ({ fields, minor }) => {
    const { campaign_id } = await addPartner(context, fields as never);
    const organization = await playDecided(context, newSale(), campaign_id);
    expect(await commissionsOf(organization)).toEqual([{ commission_minor: minor, currency: "USD" }]);
  });

  it("is in the organization's currency", async () => {
    await test.database`update organizations set currency = 'JPY' where id = ${context.organization.id}`;
    context = { ...context, organization: { ...context.organization, currency: "JPY" } };
    await addPartner(context);
    expect(await commissionsOf(await playDecided(context, newSale()))).toEqual([
      { commission_minor: 1_470n, currency: "JPY" },
    ]);
  });

  it("is in the currency that the organization has changed to", async () => {
    const { campaign_id } = await addPartner(context);
    await playDecided(context, newSale());
    await test.database`update organizations set currency = 'JPY' where id = ${context.organization.id}`;
    await test.database`
      update campaigns set commission_type = 'fixed', commission_value = 500
      where organization_id = ${context.organization.id} and id = ${campaign_id}`;
    context = { ...context, organization: { ...context.organization, currency: "JPY" } };
    const [, changed] = await commissionsOf(await playDecided(context, newSale()));
    expect(changed).toEqual({ commission_minor: 500n, currency: "JPY" });
  });

  it("leaves nothing in the organization but the entry of the audit log", async () => {
    await addPartner(context);
    const { id } = context.organization;
    const before = await rowsOf(test.database, id);
    await removeTestData(context, (await playDecided(context, newSale())).id);
    const { audit_log_entries = 0, ...others } = await rowsOf(test.database, id);
    expect({ ...others, audit_log_entries: audit_log_entries - 2 }).toEqual(before);
    const today = new Date().toISOString().slice(0, 10);
    const until = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    expect((await getOverview(context, { from: today, until, unit: "day", top: 5 })).present).toMatchObject({
      clicks: 0,
      revenue_amount: 0,
    });
    expect(await sumBalances(context)).toEqual([]);
  });

  it("changes nothing when it is played again", async () => {
    await addPartner(context);
    const sale = newSale();
    const { id } = await playDecided(context, sale);
    const before = await rowsOf(test.database, id);
    expect(before).toMatchObject({ clicks: expect.any(Number), commissions: 1, referrals: 1 });
    await playDecided(context, sale.toUpperCase());
    expect(await rowsOf(test.database, id)).toEqual(before);
  });

  it("at the same time as others has the same test data", async () => {
    await addPartner(context);
    const sales = [newSale(), newSale(), newSale()];
    const played = await Promise.all(sales.map((id) => playSale(context, openSales(test.database), { id })));
    expect(new Set(played.map(({ organization }) => organization.id)).size).toBe(1);
    const organization = await playDecided(context, newSale());
    expect(await commissionsOf(organization)).toHaveLength(4);
  });

  it("needs a campaign, and is not played in test data", async () => {
    const sales = openSales(test.database);
    await expect(playSale(context, sales, { id: newSale() })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await addPartner(context);
    const organization = await playDecided(context, newSale());
    await expect(playSale(inside(organization), sales, { id: newSale() })).rejects.toMatchObject({
      code: "test_data",
    });
    const unknown = { id: newSale(), campaign_id: newSale() };
    await expect(playSale(context, sales, unknown)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("test data", () => {
  it("has no payout runs, payouts, members or invitations, whatever writes them", async () => {
    await addPartner(context);
    const organization = await playDecided(context, newSale());
    const refused = async (work: Promise<unknown>) =>
      expect(isOfTestData(await work.catch((error: unknown) => error))).toBe(true);
    await refused(startPayoutRun(inside(organization), { method: "manual" }));
    const owner = {
      organization_id: organization.id,
      role: "owner",
      name: "Olga",
      email: "olga@example.com",
    };
    await refused(createUser(test.database, owner as never));
    const [affiliate] = await test.database<[{ id: string }]>`
      select id from affiliates where organization_id = ${organization.id}`;
    await refused(
      test.database.begin(async (sql) => {
        await sql`alter table payouts disable trigger guard_inserted`;
        await sql`
          insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
            payment_count, method, status, status_at, status_by, created_at)
          values (${organization.id}, ${newSale()}, ${affiliate.id}, 'Test', 100, 'USD', '2026-11', 1, 'manual', 'pending',
            now(), 'nobody', now())`;
      }),
    );
    await expect(
      test.database`update organizations set payout_day = 1 where id = ${organization.id}`,
    ).rejects.toThrow("organizations_test");
  });

  it("is reached with the role in its organization, until it is removed", async () => {
    const { id } = context.organization;
    const { user_id } = await createUser(test.database, {
      ...{ name: "Ann", email: `ann-${id}@example.com`, organization_id: id, role: "viewer" },
    });
    await addPartner(context);
    const organization = await playDecided(context, newSale());
    const me = async () =>
      (
        await getMe(
          test.database,
          { session_id: "", user_id, staff_sessions: new Map(), policies: new Map(), closed: new Map() },
          { dashboard_url: "http://localhost" },
        )
      ).organizations.map(({ slug, role, test_of }) => ({
        slug,
        role,
        test_of,
      }));
    const own = { slug: expect.stringMatching(/^acme/), role: "viewer", test_of: null };
    expect(await me()).toEqual([own, { slug: organization.slug, role: "viewer", test_of: id }]);
    const { token } = await openSession(
      test.database,
      { user_id, method: "password" },
      {
        ip_address: "192.0.2.7",
        user_agent: null,
      },
    );
    const reached = async () => [
      ...(await createSessionAuthenticator(test.database).authenticate(token)).staff_sessions.keys(),
    ];
    expect((await reached()).sort()).toEqual([id, organization.id].sort());
    await removeTestData(context, organization.id);
    expect(await me()).toEqual([own]);
    expect(await reached()).toEqual([id]);
  });

  it("accepts nothing once it is removed, keeps a ledger that adds up, and begins anew with the next sale", async () => {
    await addPartner(context);
    const sale = newSale();
    const removed = await playDecided(context, sale);
    const sales = openSales(test.database);
    await removeTestData(await makeContext(test.database), removed.id);
    expect(await getTestSale(context, sale)).toMatchObject({ state: "decided" });
    await removeTestData(context, context.organization.id);
    await removeTestData(context, removed.id);
    await removeTestData(context, removed.id);
    await expect(sales.intake.requireConnection("generic", removed.id)).rejects.toMatchObject({
      code: "not_found",
    });
    const [{ valid }] = await test.database<[{ valid: number }]>`
      select count(*)::int as valid from api_keys where organization_id = ${removed.id} and revoked_at is null`;
    expect(valid).toBe(0);
    await expect(getTestSale(context, sale)).rejects.toMatchObject({ code: "not_found" });
    expect(isDamaged(await verifyLedger(test.database, removed.id))).toBe(false);
    expect(await verifyTotals(test.database, removed.id)).toEqual([]);
    const next = await playDecided(context, newSale());
    expect(next.id).not.toBe(removed.id);
    expect(next.slug).toBe(removed.slug);
    expect(await commissionsOf(next)).toHaveLength(1);
  });

  it("cannot be removed and created again without end", async () => {
    await addPartner(context);
    await expect(
      (async () => {
        for (let turn = 0; turn <= 20; turn += 1) {
          const { organization } = await playSale(context, openSales(test.database), { id: newSale() });
          await removeTestData(context, organization.id);
        }
      })(),
    ).rejects.toMatchObject({ code: "rate_limited" });
  });
});
