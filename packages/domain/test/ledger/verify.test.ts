import { readFile } from "node:fs/promises";
import { findBroken, ledger_checks } from "@findersfee/database/ledger/checks";
import type { Connection } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDamaged, verifyLedger } from "../../src/ledger/verify.ts";
import { damages } from "./damages.ts";
import { type FilledLedger, fillLedger } from "./filled.ts";
import { addEarner, brokenRules, earn, makePayoutContext } from "./program.ts";

let test: TestDatabase;
let ledger: FilledLedger;
const found = new Set<string>();

beforeAll(async () => {
  test = await createTestDatabase();
  ledger = await fillLedger(test.database);
});

afterAll(() => test.close());

/** Keys and triggers are passed over by a replica's role, but neither checks nor unique indexes. */
async function dropConstraints(): Promise<void> {
  const checks = await test.database<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'c'
      and conrelid in ('balances'::regclass, 'commissions'::regclass, 'ledger_entries'::regclass, 'payouts'::regclass)`;
  for (const { table, name } of checks) {
    await test.database.unsafe(`alter table ${table} drop constraint "${name}"`);
  }
  await test.database`drop index payouts_run, payout_runs_period`;
}

it("has each rule once in the table of docs/payouts.md", async () => {
  const page = await readFile(new URL("../../../../docs/payouts.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## Verifying the ledger");
  const rules = [...section.matchAll(/^\| (`[^|]*?) +\|/gm)].flatMap(([, names = ""]) =>
    names.split(", ").map((name) => name.replaceAll("`", "")),
  );
  expect(rules.sort()).toEqual(ledger_checks.map(({ name }) => name).sort());
});

it("finds nothing in a correct ledger", async () => {
  const checked = await verifyLedger(test.database, null);
  expect(checked.map(({ name, found }) => `${name} ${found}`)).toEqual(
    ledger_checks.map(({ name }) => `${name} 0`),
  );
  await expect(verifyLedger(test.database, "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90")).rejects.toMatchObject({
    code: "not_found",
  });
});

it("lists the first 20 findings and separates damage from warnings", async () => {
  const context = await makePayoutContext(test.database);
  const earner = await addEarner(context);
  for (let number = 0; number < 25; number++) await earn(context, earner, { amount: 1 });
  await withoutTriggers(
    test.database,
    (sql) =>
      sql`update commissions set commission_minor = 99 where organization_id = ${context.organization.id}`,
  );
  const checked = await verifyLedger(test.database, context.organization.id);
  const named = checked.filter(({ found }) => found > 0);
  expect(named.map(({ name, found, rows }) => [name, found, rows.length])).toEqual([
    ["commission_entries", 25, 20],
    ["balance_commissions", 1, 1],
    ["unpaid_commission", 25, 20],
  ]);
  expect(named[0]?.rows[0]?.finding).toMatch(/have 1 too much$/);
  expect(isDamaged(checked)).toBe(true);
  const all = await verifyLedger(test.database, context.organization.id, { named: null });
  expect(all.filter(({ found, rows }) => found !== rows.length)).toEqual([]);
  expect(isDamaged(checked.filter(({ level }) => level === "warning"))).toBe(false);
});

describe("of manual damage", () => {
  beforeAll(dropConstraints);

  /** What breaks the rules, within a transaction. */
  async function brokenIn(sql: Connection): Promise<string[]> {
    const broken: string[] = [];
    for (const check of ledger_checks) {
      const { rows } = await findBroken(sql, ledger.context.organization.id, { check, limit: null });
      broken.push(...rows.map(({ subject }) => `${check.name}: ${subject}`));
    }
    return broken.sort();
  }

  /** Damages the ledger, and undoes it: filling one takes longer than all checks. */
  async function damageOnce(damage: (typeof damages)[number]["damage"]) {
    const undone = new Error("undone");
    const result: { expected: string[]; broken: string[] } = { expected: [], broken: [] };
    const damaging = withoutTriggers(test.database, async (sql) => {
      result.expected = [...(await damage(sql, ledger))].sort();
      result.broken = await brokenIn(sql);
      throw undone;
    });
    await expect(damaging).rejects.toBe(undone);
    return result;
  }

  it.each(damages)("finds only $name", async ({ damage }) => {
    const { expected, broken } = await damageOnce(damage);
    expect(broken).toEqual(expected);
    expect(expected).not.toEqual([]);
    for (const rule of expected) found.add(rule.split(":")[0] ?? "");
  });

  it("finds some of each kind, and nothing once all is undone", async () => {
    expect(await brokenRules(ledger.context)).toEqual([]);
    expect([...found].sort()).toEqual(ledger_checks.map(({ name }) => name).sort());
  });
});
