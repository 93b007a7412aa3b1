/* Totals stay the sum of their rows after any change of the rows, and any time at which hours are sealed. */

import { type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { beginRebuild, findRebuild } from "@findersfee/database/reports/totals/rebuilds";
import { lockTotalSeal, sealTotals, type TotalSealRow } from "@findersfee/database/reports/totals/seals";
import {
  administer,
  createTestDatabase,
  type TestDatabase,
  withoutTriggers,
} from "@findersfee/database/testing";
import { extent, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.ts";
import { rebuildTotals } from "../../../src/reports/totals/rebuild.ts";
import { takeTotalStep } from "../../../src/reports/totals/step.ts";
import { verifyTotals } from "../../../src/reports/totals/verify.ts";
import { histories } from "../../ledger/actions.ts";
import { LedgerHistory } from "../../ledger/history.ts";
import { sealDueTotals } from "../../work.ts";
import { findDifferingTotals } from "./summed.ts";

/** More of them by `TOTALS_HISTORIES=500`. */
const RUNS = extent("TOTALS_HISTORIES", { short: 2, full: 8 });
const ZONES = ["UTC", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati"];

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 12 });
  // Postgres reports deadlocks at once instead of after a second.
  const name = new URL(test.url).pathname.slice(1);
  await administer(test.url, (sql) => sql.unsafe(`alter database ${name} set deadlock_timeout = '20ms'`));
  await changeAlways(test);
});

afterAll(() => test.close());

/** Makes all changes count as changes of old rows, so that hours can be sealed up to the present. */
async function changeAlways({ database }: TestDatabase): Promise<void> {
  const triggers = await database<{ name: string; table: string; text: string }[]>`
    select tgname as name, tgrelid::regclass::text as table, pg_get_triggerdef(oid) as text from pg_trigger
    where tgname in ('total_added', 'total_changed')`;
  expect(triggers).toHaveLength(4);
  for (const { name, table, text } of triggers) {
    const changed = text.replaceAll("now() - '00:30:00'", "now() + '01:00:00'");
    expect(changed).not.toBe(text);
    await database.unsafe(`drop trigger ${name} on ${table}; ${changed}`);
  }
}

/** Seals the rows recorded until now, while others write. A rebuild that is under way is finished before. */
async function sealNow(context: Context): Promise<void> {
  const { database, organization } = context;
  while ((await findRebuild(database, organization.id)) !== null) await takeStep(context);
  await transaction(database, async (sql) => {
    const {
      sealed_until: from,
      sealed_time_zone: time_zone,
      generation,
    } = await lockSeal(sql, organization.id);
    // No trigger adds differences of ledger entries, so that their transactions must have ended.
    const [{ until }] = await sql<[{ until: Date }]>`
      select date_trunc('milliseconds', min(xact_start)) as until from pg_stat_activity
      where datname = current_database()`;
    await sealTotals(sql, organization.id, { from, until, time_zone, generation });
  });
}

async function lockSeal(sql: Transaction, organization_id: string): Promise<TotalSealRow> {
  const seal = await lockTotalSeal(sql, organization_id);
  if (seal === null) throw new Error("no seal");
  return seal;
}

/** A step of a few rows, while others write. */
async function takeStep({ database, organization }: Context): Promise<void> {
  await transaction(database, async (sql) => {
    await takeTotalStep(sql, organization.id, { seal: await lockSeal(sql, organization.id), rows: 1 });
  });
}

/**
 * Gives some referrals another source, and adds a click with one, of a visitor of its own: seals of parts of an hour would count a
 * visitor's clicks more than once.
 */
async function changeSources({ database, organization: { id } }: Context, number: number): Promise<void> {
  const source = {
    link_code: SOURCES.code[number % 2] ?? null,
    landing_url: SOURCES.landing_url[number % 3] ?? null,
    referrer: SOURCES.referrer[number % 4] ?? null,
    sub_id: SOURCES.sub_id[number % 3] ?? null,
    visitor_country: SOURCES.country[number % 2] ?? null,
    customer_country: SOURCES.country[number % 3] ?? null,
  };
  await database`
    update referrals set ${database(source)}
    where organization_id = ${id} and hashtext(id::text) % 3 = ${number % 3}`;
  await database`
    insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at, landing_url, referrer, sub_id,
      country)
    select organization_id, first_id_of(now()), id, coalesce(${source.link_code}, 'jane'), uuid_send(gen_random_uuid()),
      date_trunc('milliseconds', now()), ${source.landing_url}, ${source.referrer}, ${source.sub_id},
      ${source.visitor_country}
    from affiliates where organization_id = ${id} order by hashtext(id::text || ${number}) limit 1
    on conflict do nothing`;
}

const SOURCES = {
  code: ["jane", "kim"],
  landing_url: ["https://example.com/pricing?plan=1", "https://example.com/#top"],
  referrer: ["https://news.example.org/today", "https://video.example.net/1?x=2", "http://blog.example.org/"],
  sub_id: ["newsletter", "video"],
  country: ["DE", "FR"],
};

interface Step {
  does: "source" | "seal" | "move" | "rebuild" | "begin" | "part" | "verify" | "compare";
  zone: string;
  number: number;
}

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(
      "source",
      "source",
      "source",
      "seal",
      "seal",
      "move",
      "rebuild",
      "begin",
      "part",
      "part",
      "part",
      "verify",
      "compare",
    ),
    zone: fc.constantFrom(...ZONES),
    number: fc.nat({ max: 1_000 }),
  }),
  { minLength: 5, maxLength: 15 },
);

async function take(context: Context, { does, zone, number }: Step): Promise<void> {
  const { database, organization } = context;
  switch (does) {
    case "source":
      return await changeSources(context, number);
    case "seal":
      return await sealNow(context);
    case "begin":
      return await transaction(database, async (sql) => {
        await beginRebuild(sql, organization.id, await lockSeal(sql, organization.id));
      });
    case "part":
      return await takeStep(context);
    case "rebuild":
      return await rebuildTotals(database, organization.id);
    case "verify":
      expect(await verifyTotals(database, organization.id)).toEqual([]);
      return;
    case "compare":
      expect(await findDifferingTotals(context)).toEqual([]);
      return;
    case "move":
      await database`update organizations set time_zone = ${zone} where id = ${organization.id}`;
      await sealDueTotals(context);
  }
}

it("totals are the sums of their rows after any history", async () => {
  let sealed = 0;
  await fc.assert(
    fc.asyncProperty(histories, steps, async (history, taken) => {
      const performed = await LedgerHistory.begin(test.database);
      const { context } = performed;
      // Its clicks are older than the organization.
      await rebuildTotals(test.database, context.organization.id);
      const work = async () => {
        for (const step of taken) await take(context, step);
      };
      await Promise.all([performed.perform(history), work()]);
      expect(await findDifferingTotals(context)).toEqual([]);
      expect(await verifyTotals(test.database, context.organization.id)).toEqual([]);
      await sealNow(context);
      expect(await findDifferingTotals(context)).toEqual([]);
      expect(await verifyTotals(test.database, context.organization.id)).toEqual([]);
      const [row] = await test.database<[{ count: number }]>`
        select count(*)::int as count from hourly_totals where organization_id = ${context.organization.id}`;
      sealed += row.count;
    }),
    // Shrinking takes longer than the test may.
    { numRuns: RUNS, endOnFailure: true },
  );
  // The few histories of the short form may have nothing to sum up.
  if (FULL_TESTS) expect(sealed).toBeGreaterThan(RUNS);
});

describe("a manipulated total", () => {
  it.each(["hourly_totals", "daily_totals", "performance_totals", "affiliate_performance"])(
    "of %s is found, and repaired by a rebuild",
    async (table) => {
      const { context } = await LedgerHistory.begin(test.database);
      const { id } = context.organization;
      await rebuildTotals(test.database, id);
      await sealNow(context);
      expect(await verifyTotals(test.database, id)).toEqual([]);
      await withoutTriggers(test.database, async (sql) => {
        const signups = sql.unsafe(/performance/.test(table) ? "signups[1]" : "signups");
        await sql`
          update ${sql(table)} set ${signups} = ${signups} + 2 where organization_id = ${id} and ${signups} > 0`;
      });
      const broken = await verifyTotals(test.database, id);
      expect(broken.length).toBeGreaterThan(0);
      expect(broken[0]).toEqual({
        organization_id: id,
        subject: expect.stringMatching(/^(hour .* of campaign|days? .* of \w+) .* in XXX$/),
        finding: expect.stringMatching(/^signups [+-]\d+$/),
      });
      await rebuildTotals(test.database, id);
      expect(await verifyTotals(test.database, id)).toEqual([]);
    },
  );
});
