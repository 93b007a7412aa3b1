/* A rebuild in parts has the sums of all rows, with any stop, any concurrent write and any failed call. */
import { transaction } from "@findersfee/database/postgres/connect";
import { CLICKS, dropPartitions, makePartitions } from "@findersfee/database/postgres/partitions";
import { beginRebuild } from "@findersfee/database/reports/totals/rebuilds";
import { lockTotalSeal } from "@findersfee/database/reports/totals/seals";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CreationContext } from "../../../src/commissions/create.ts";
import { firstIdOf } from "../../../src/ids.ts";
import { rebuildTotals } from "../../../src/reports/totals/rebuild.ts";
import { takeTotalStep } from "../../../src/reports/totals/step.ts";
import { verifyTotals } from "../../../src/reports/totals/verify.ts";
import { addEarner, type Earner, earn, makePayoutContext } from "../../ledger/program.ts";
import { sealDueTotals } from "../../work.ts";
import { findDifferingTotals } from "./summed.ts";

const HOUR = 3_600_000;
const EARNERS = 4;
/** Between the rows of two earners. */
const HOURS_APART = 7;
const OLD_MONTHS = 4;
/** Which parts are checked: each stop takes all parts before it again, and each check reads all totals. */
const EACH = FULL_TESTS ? 1 : 8;

let test: TestDatabase;
let context: CreationContext;
/** The latest first. */
let earners: (Earner & { commission_id: string; at: Date })[];

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  earners = [];
  for (let number = 0; number < EARNERS; number++) {
    const earner = await addEarner(context);
    const commission_id = await earn(context, earner, { amount: 10 + number });
    const at = new Date(Date.now() - (4 + number * HOURS_APART) * HOUR);
    earners.push(await moveTo(at, { ...earner, commission_id }));
    await addClicks(at, earner);
  }
  // The first sums.
  await rebuildTotals(test.database, context.organization.id);
});

/** Moves the rows of an earner to a time, with their ids; the referral converts an hour later. */
async function moveTo(
  at: Date,
  { commission_id, ...earner }: Earner & { commission_id: string },
): Promise<(typeof earners)[number]> {
  const { id } = context.organization;
  const moved = { commission_id: firstIdOf(new Date(at.getTime() + HOUR)), referral_id: firstIdOf(at) };
  await withoutTriggers(test.database, async (sql) => {
    await sql`
      update referrals set id = ${moved.referral_id}, created_at = ${at}, signup_date = ${at},
        converted_at = ${at}::timestamptz + interval '1 hour'
      where organization_id = ${id} and id = ${earner.referral_id}`;
    await sql`
      update commissions set id = ${moved.commission_id}, referral_id = ${moved.referral_id},
        created_at = ${at}::timestamptz + interval '1 hour', referral_date = ${at}
      where organization_id = ${id} and id = ${commission_id}`;
    for (const table of ["ledger_entries", "unpaid_commissions"]) {
      await sql`
        update ${sql(table)} set commission_id = ${moved.commission_id}
        where organization_id = ${id} and commission_id = ${commission_id}`;
    }
  });
  return { ...earner, ...moved, at };
}

/** Clicks of two visitors. One of them returns in the same hour, and in another one. */
async function addClicks(at: Date, { affiliate_id }: Pick<Earner, "affiliate_id">): Promise<void> {
  const hour = Math.floor(at.getTime() / HOUR) * HOUR;
  for (const [number, visitor] of ["aa", "aa", "bb", "aa"].entries()) {
    const clicked_at = new Date(hour + number + (number === 3 ? HOUR : 0));
    await test.database`
      insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
      values (${context.organization.id}, ${firstIdOf(clicked_at)}, ${affiliate_id}, 'jane', decode(${visitor}, 'hex'),
        ${clicked_at})`;
  }
}

async function begin(): Promise<void> {
  const { id } = context.organization;
  await transaction(test.database, async (sql) => {
    const seal = await lockTotalSeal(sql, id);
    if (seal === null) throw new Error("no seal");
    await beginRebuild(sql, id, seal);
  });
}

/** One step, of as few rows as possible. False: it was the last one. */
async function take(): Promise<boolean> {
  const { id } = context.organization;
  return await transaction(test.database, async (sql) => {
    const seal = await lockTotalSeal(sql, id);
    if (seal === null) throw new Error("no seal");
    return await takeTotalStep(sql, id, { seal, rows: 1 });
  });
}

/** Begins, and takes `count` steps. False: fewer were necessary. */
async function takeSteps(count: number): Promise<boolean> {
  await begin();
  for (let step = 0; step < count; step++) if (!(await take())) return false;
  return true;
}

async function damage(): Promise<void> {
  await withoutTriggers(
    test.database,
    (sql) => sql`
      update daily_totals set signups = signups + 2
      where organization_id = ${context.organization.id} and signups > 0`,
  );
}

const broken = () => verifyTotals(test.database, context.organization.id);

async function expectRight(): Promise<void> {
  expect(await broken()).toEqual([]);
  expect(await findDifferingTotals(context)).toEqual([]);
  const { id } = context.organization;
  const left = await test.database`
    select generation from (
      select organization_id, generation from hourly_totals
      union all select organization_id, generation from daily_totals
      union all select organization_id, generation from affiliate_clicks
      union all select organization_id, generation from performance_totals
      union all select organization_id, generation from affiliate_performance
    ) as total
    where organization_id = ${id}
      and generation <> (select generation from total_seals where organization_id = ${id})`;
  expect(left).toHaveLength(0);
  const clicks = await test.database`
    select affiliate_id, clicks::int from affiliate_clicks
    where organization_id = ${id} and affiliate_id = any (${earners.map(({ affiliate_id }) => affiliate_id)}::uuid[])`;
  expect(clicks.map((row) => row.clicks)).toEqual(earners.map(() => 3));
}

it("takes a part for each few rows", async () => {
  let steps = 1;
  for (await begin(); await take(); ) steps += 1;
  expect(steps).toBeGreaterThan(2 * EARNERS);
  await expectRight();
});

describe("a rebuild that stopped after any part", () => {
  it.each([
    ["runs again", 0, () => rebuildTotals(test.database, context.organization.id, { rows: 2 })],
    ["is continued by a worker", 2, () => sealDueTotals(context)],
  ])("%s with right totals", async (_, first, repair) => {
    for (let count = FULL_TESTS ? 0 : first; ; count += EACH) {
      await damage();
      expect((await broken()).length).toBeGreaterThan(0);
      const has_more = await takeSteps(count);
      await repair();
      await expectRight();
      if (!has_more) break;
      expect(count).toBeLessThan(50);
    }
  });
});

it("shows the former totals until it is complete", async () => {
  const { id } = context.organization;
  const generation = async () => {
    const [row] = await test.database<[{ generation: number }]>`
      select generation from total_seals where organization_id = ${id}`;
    return row.generation;
  };
  await damage();
  const former = [await generation(), await broken()];
  await begin();
  let parts = 0;
  for (; (await generation()) === former[0]; parts++) {
    expect(await broken()).toEqual(former[1]);
    await take();
  }
  expect(parts).toBeGreaterThan(EARNERS);
  expect(await broken()).toEqual([]);
});

it("counts changes of rows before and after the part that has them", async () => {
  const { id } = context.organization;
  const change = async (earner: (typeof earners)[number], number: number) => {
    await test.database`
      update commissions set revenue_minor = revenue_minor + ${2 + number}, referral_date = referral_date - interval '1 day'
      where organization_id = ${id} and id = ${earner.commission_id}`;
    await test.database`
      update referrals set signup_date = signup_date - interval '1 day', converted_at = converted_at - interval '30 minutes'
      where organization_id = ${id} and id = ${earner.referral_id}`;
  };
  await begin();
  let parts = 0;
  for (let has_more = true; has_more; parts++) {
    for (const [number, earner] of earners.entries()) {
      // All of them between two parts are for the full form: the changes are read again by each check.
      if (FULL_TESTS || number === parts % EARNERS) await change(earner, number);
    }
    has_more = await take();
    if (parts % EACH !== 0) continue;
    expect(await findDifferingTotals(context)).toEqual([]);
    expect(await broken()).toEqual([]);
  }
  await expectRight();
});

it("agrees with others at the same time", async () => {
  await damage();
  const rebuild = () => rebuildTotals(test.database, context.organization.id, { rows: 1 });
  await Promise.all([rebuild(), rebuild(), sealDueTotals(context)]);
  await expectRight();
});

it.each(LOST_ANSWERS)("is right whichever call fails: %s", async (kind) => {
  await failEachCall(test.url, kind, async (database, _, faulty) => {
    await damage();
    await rebuildTotals(database, context.organization.id, { rows: 20 }).catch(() => undefined);
    faulty.lift();
    await rebuildTotals(test.database, context.organization.id);
    await expectRight();
  });
});

it("keeps clicks that are no longer stored, also those that are dropped meanwhile", async () => {
  const [now, { id }] = [new Date(), context.organization];
  const old = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - OLD_MONTHS, 5));
  await makePartitions(test.database, CLICKS, { now: old, ahead: OLD_MONTHS });
  const { affiliate_id } = await addEarner(context);
  await addClicks(old, { affiliate_id });
  const counted = async () => {
    const [row] = await test.database`
      select
        (select sum(clicks)::int from hourly_totals join total_seals using (organization_id, generation)
          where organization_id = ${id}) as hours,
        (select sum(clicks)::int from daily_totals join total_seals using (organization_id, generation)
          where organization_id = ${id}) as days,
        (select sum(clicks)::int from affiliate_clicks join total_seals using (organization_id, generation)
          where organization_id = ${id}) as affiliates,
        (select array_agg(distinct clicks)::text from (
          select sum((select sum(value) from unnest(clicks) as value))::int as clicks
          from performance_totals join total_seals using (organization_id, generation)
          where organization_id = ${id} and (starts, ends) in (
            select * from total_spans(starts) where ends - starts in (1, 28, 29, 30, 31, 365, 366))
          group by ends - starts = 1, ends - starts > 31, dimension, scope_id = 0
          union all
          select sum((select sum(value) from unnest(clicks) as value))::int
          from affiliate_performance join total_seals using (organization_id, generation)
          where organization_id = ${id}) as line) as lines`;
    return row;
  };
  const clicks = 3 * (EARNERS + 1);
  const all = { hours: clicks, days: clicks, affiliates: clicks, lines: `{${clicks}}` };
  await rebuildTotals(test.database, id, { rows: 1 });
  expect(await counted()).toEqual(all);
  await begin();
  await take();
  const end_of_old = new Date(Date.UTC(old.getUTCFullYear(), old.getUTCMonth() + 1));
  expect((await dropPartitions(test.database, CLICKS, end_of_old)).deferred).toEqual([]);
  await sealDueTotals(context);
  expect(await counted()).toEqual(all);
  for (const time_zone of ["Asia/Kathmandu", "America/Los_Angeles"]) {
    await test.database`update organizations set time_zone = ${time_zone} where id = ${id}`;
    await sealDueTotals(context);
    expect(await counted()).toEqual(all);
  }
  await expectRight();
});
