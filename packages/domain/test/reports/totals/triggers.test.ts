/* Each trigger is necessary: without it, the totals of the same change are wrong. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../../src/commissions/create.ts";
import { updateCommission } from "../../../src/commissions/update.ts";
import { createReferral } from "../../../src/customers/referrals/create.ts";
import { rebuildTotals } from "../../../src/reports/totals/rebuild.ts";
import { addPartner, type Partner } from "../../attribution/program.ts";
import { makeContext } from "../../subscriber.ts";
import { sealDueTotals } from "../../work.ts";
import { findDifferingTotals } from "./summed.ts";

const ZONE = "Pacific/Kiritimati";
const DAY_MILLISECONDS = 86_400_000;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  // As if all rows were older than 30 minutes.
  const triggers = await test.database<{ name: string; table: string; text: string }[]>`
    select tgname as name, tgrelid::regclass::text as table, pg_get_triggerdef(oid) as text from pg_trigger
    where tgname in ('total_added', 'total_changed')`;
  for (const { name, table, text } of triggers) {
    const always = text.replaceAll("now() - '00:30:00'", "now() + '01:00:00'");
    await test.database.unsafe(`drop trigger ${name} on ${table}; ${always}`);
  }
});

afterAll(() => test.close());

interface Program {
  context: CreationContext;
  partner: Partner;
  referral_id: string;
  commission_id: string;
}

let referrals = 0;

async function refer(context: CreationContext, affiliate_id: string): Promise<string> {
  referrals += 1;
  const email = `customer${referrals}@customers.test`;
  return (await createReferral(context, { affiliate_id, email, subscription_status: "active" })).id;
}

const earn = async (context: CreationContext, referral_id: string): Promise<string> =>
  (await createCommission(context, { referral_id, revenue_amount: 100, commission_amount: 30 })).id;

/** A program with a commission, with all hours sealed until after the test. */
async function sealedProgram(): Promise<Program> {
  const context = await makeContext(test.database);
  const partner = await addPartner(context);
  const referral_id = await refer(context, partner.affiliate_id);
  const commission_id = await earn(context, referral_id);
  const { id } = context.organization;
  await test.database`update referrals set sub_id = 'video' where organization_id = ${id}`;
  await test.database`
    update total_seals set sealed_until = date_trunc('hour', now(), 'UTC') + interval '2 hours', due_at = null
    where organization_id = ${id}`;
  await rebuildTotals(test.database, id);
  await test.database`update total_seals set due_at = null where organization_id = ${id}`;
  expect(await findDifferingTotals(context)).toEqual([]);
  return { context, partner, referral_id, commission_id };
}

const CASES: { trigger: string; table: string; change: (program: Program) => Promise<unknown> }[] = [
  {
    trigger: "total_added",
    table: "commissions",
    change: ({ context, referral_id }) => earn(context, referral_id),
  },
  {
    trigger: "total_changed",
    table: "commissions",
    change: ({ context, commission_id: id }) =>
      updateCommission(context, {
        id,
        referral_date: new Date(Date.now() - 5 * DAY_MILLISECONDS).toISOString(),
      }),
  },
  {
    trigger: "total_added",
    table: "referrals",
    change: ({ context, partner }) => refer(context, partner.affiliate_id),
  },
  {
    trigger: "total_changed",
    table: "referrals",
    change: ({ context: { database, organization }, referral_id }) =>
      database`
        update referrals set signup_date = signup_date - interval '5 days'
        where organization_id = ${organization.id} and id = ${referral_id}`,
  },
  {
    trigger: "total_moved",
    table: "referrals",
    change: ({ context: { database, organization }, referral_id }) =>
      database`
        update referrals set sub_id = 'newsletter', customer_country = 'DE'
        where organization_id = ${organization.id} and id = ${referral_id}`,
  },
  {
    trigger: "total_moved",
    table: "commissions",
    change: async ({ context, partner, commission_id }) => {
      const { id } = context.organization;
      const referral_id = await refer(context, partner.affiliate_id);
      await context.database`
        update commissions set referral_id = ${referral_id} where organization_id = ${id} and id = ${commission_id}`;
    },
  },
  {
    trigger: "totals_outdated",
    table: "affiliates",
    change: async ({ context, partner }) => {
      const { campaign_id } = await addPartner(context, { name: "Other" });
      await context.database`
        update affiliates set campaign_id = ${campaign_id}
        where organization_id = ${context.organization.id} and id = ${partner.affiliate_id}`;
    },
  },
];

describe.each(CASES)("$trigger on $table", ({ trigger, table, change }) => {
  async function differing(): Promise<number> {
    const program = await sealedProgram();
    await change(program);
    await sealDueTotals(program.context);
    return (await findDifferingTotals(program.context)).length;
  }

  it("keeps the totals right, which they are not without it", async () => {
    expect(await differing()).toBe(0);
    await test.database.unsafe(`alter table ${table} disable trigger ${trigger}`);
    expect(await differing()).toBeGreaterThan(0);
    await test.database.unsafe(`alter table ${table} enable trigger ${trigger}`);
  });
});

describe("totals_outdated on organizations", () => {
  async function zoneOfDays(): Promise<string | undefined> {
    const program = await sealedProgram();
    const { id } = program.context.organization;
    await test.database`update organizations set time_zone = ${ZONE} where id = ${id}`;
    await sealDueTotals(program.context);
    const [seal] = await test.database<{ time_zone: string }[]>`
      select time_zone from total_seals where organization_id = ${id}`;
    return seal?.time_zone;
  }

  it("has the days summed up in the new zone at once, which they are not without it", async () => {
    expect(await zoneOfDays()).toBe(ZONE);
    await test.database`alter table organizations disable trigger totals_outdated`;
    expect(await zoneOfDays()).toBe("UTC");
    await test.database`alter table organizations enable trigger totals_outdated`;
  });
});

describe("totals_begun on organizations", () => {
  it("gives each organization its seal, which it has not without it", async () => {
    const sealed = async () => {
      const { organization } = await makeContext(test.database);
      const rows = await test.database`select from total_seals where organization_id = ${organization.id}`;
      return rows.length;
    };
    expect(await sealed()).toBe(1);
    await test.database`alter table organizations disable trigger totals_begun`;
    expect(await sealed()).toBe(0);
    await test.database`alter table organizations enable trigger totals_begun`;
  });
});
