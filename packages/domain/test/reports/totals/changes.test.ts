/* A change of a row adds to total_changes when its hour may be sealed, and otherwise nothing. */
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CreationContext } from "../../../src/commissions/create.ts";
import { updateCommission } from "../../../src/commissions/update.ts";
import { updateReferral } from "../../../src/customers/referrals/update.ts";
import { firstIdOf } from "../../../src/ids.ts";
import { changeOrganization } from "../../../src/organizations/change.ts";
import { verifyTotals } from "../../../src/reports/totals/verify.ts";
import { addEarner, type Earner, earn, makePayoutContext } from "../../ledger/program.ts";
import { sealDueTotals } from "../../work.ts";
import { findDifferingTotals } from "./summed.ts";

let test: TestDatabase;
let context: CreationContext;
let earner: Earner;
let commission_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  earner = await addEarner(context);
  commission_id = await earn(context, earner, { amount: 10 });
});

async function changes(): Promise<{ name: string; sum: number }[]> {
  return await test.database<{ name: string; sum: number }[]>`
    select name, sum(amount)::int as sum from total_changes,
      lateral (values ('signups', signups), ('conversions', conversions), ('revenue', revenue_minor),
        ('commission', commission_minor)) as changed (name, amount)
    where organization_id = ${context.organization.id} and amount <> 0 group by name order by name`;
}

/** Moves everything of the organization into the past, with its ids. */
async function age(hours: number): Promise<void> {
  const { id } = context.organization;
  await withoutTriggers(test.database, async (sql) => {
    for (const [table, columns] of [
      ["commissions", ["created_at", "referral_date"]],
      ["referrals", ["created_at", "signup_date", "converted_at"]],
      ["ledger_entries", ["created_at"]],
    ] as const) {
      for (const column of columns) {
        await sql`
          update ${sql(table)} set ${sql(column)} = ${sql(column)} - ${hours}::int * interval '1 hour'
          where organization_id = ${id}`;
      }
    }
    const moved = firstIdOf(new Date(Date.now() - hours * 60 * 60 * 1000));
    await sql`update commissions set id = ${moved} where organization_id = ${id}`;
    await sql`update ledger_entries set commission_id = ${moved} where organization_id = ${id}`;
    await sql`update unpaid_commissions set commission_id = ${moved} where organization_id = ${id}`;
    await sql`
      update referrals set id = ${moved} where organization_id = ${id} and id = ${earner.referral_id}`;
    await sql`update commissions set referral_id = ${moved} where organization_id = ${id}`;
    await sql`
      update total_seals set due_at = now(), is_outdated = true where organization_id = ${id}`;
    commission_id = moved;
    earner = { ...earner, referral_id: moved };
  });
}

async function seal(): Promise<boolean> {
  return (await sealDueTotals(context)) > 0;
}

it("nothing is added for rows of the last 30 minutes", async () => {
  await updateCommission(context, { id: commission_id, payout_status: "voided" });
  await updateReferral(context, { id: earner.referral_id, subscription_status: "active" });
  expect(await changes()).toEqual([]);
  expect(await findDifferingTotals(context)).toEqual([]);
});

it("the first commission of an old referral adds nothing", async () => {
  earner = await addEarner(context);
  await withoutTriggers(
    test.database,
    (sql) =>
      sql`update referrals set created_at = created_at - interval '1 year' where id = ${earner.referral_id}`,
  );
  await earn(context, earner, { amount: 10 });
  expect(await changes()).toEqual([]);
  expect(await findDifferingTotals(context)).toEqual([]);
});

it("a change of an old commission is added, and sealed with the next hours", async () => {
  await age(4);
  expect(await seal()).toBe(true);
  expect(await seal()).toBe(false);
  expect(await verifyTotals(test.database, context.organization.id)).toEqual([]);
  await updateCommission(context, { id: commission_id, payout_status: "voided" });
  expect(await changes()).toEqual([
    { name: "commission", sum: -1_000 },
    { name: "revenue", sum: -2_000 },
  ]);
  expect(await findDifferingTotals(context)).toEqual([]);
  await test.database`update total_seals set due_at = now() where organization_id = ${context.organization.id}`;
  expect(await seal()).toBe(true);
  expect(await changes()).toEqual([]);
  expect(await findDifferingTotals(context)).toEqual([]);
  expect(await verifyTotals(test.database, context.organization.id)).toEqual([]);
});

it("rows that are recorded late are added", async () => {
  await test.database`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, converted_at,
      created_at)
    values (${context.organization.id}, ${firstIdOf(new Date(0))}, ${earner.affiliate_id}, 'late@customers.test',
      'active', now() - interval '1 day', now() - interval '1 day', now() - interval '1 day')`;
  expect(await changes()).toEqual([
    { name: "conversions", sum: 1 },
    { name: "signups", sum: 1 },
  ]);
});

it("a change of the time zone sums up all again, in the new days", async () => {
  await age(30);
  await seal();
  await changeOrganization(context, { time_zone: "Asia/Kathmandu" });
  // The former days, until the worker's turn.
  expect(await findDifferingTotals(context)).toEqual([]);
  expect(await seal()).toBe(true);
  const [row] = await test.database`
    select time_zone, is_outdated from total_seals where organization_id = ${context.organization.id}`;
  expect(row).toEqual({ time_zone: "Asia/Kathmandu", is_outdated: false });
  expect(await findDifferingTotals(context)).toEqual([]);
  expect(await verifyTotals(test.database, context.organization.id)).toEqual([]);
});

it("a visitor's clicks on a link count once an hour", async () => {
  const { id } = context.organization;
  const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  for (const [number, visitor] of ["aa", "aa", "bb"].entries()) {
    await test.database`
      insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
      values (${id}, ${firstIdOf(new Date(at.getTime() + number))}, ${earner.affiliate_id}, 'jane',
        decode(${visitor}, 'hex'), ${new Date(at.getTime() + number)})`;
  }
  const [sum] = await test.database<[{ count: number }]>`
    select count(*)::int as count from clicks where organization_id = ${id}`;
  expect(sum.count).toBe(3);
  expect(await findDifferingTotals(context)).toEqual([]);
});
