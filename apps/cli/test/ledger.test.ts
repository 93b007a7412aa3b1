import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import {
  addEarner,
  earn,
  makePayoutContext,
  monthsAgo,
  payOut,
} from "@findersfee/domain/testing/ledger/program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Environment, findersfee, serviceEnvironment } from "./command-line.ts";

let test: TestDatabase;
let environment: Environment;
let sound: CreationContext;
let damaged: CreationContext;
/** The commission with a manipulated amount. */
let commission_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url);
  sound = await makePayoutContext(test.database);
  damaged = await makePayoutContext(test.database);
  await earn(sound, await addEarner(sound), { amount: 30 });
  commission_id = await earn(damaged, await addEarner(damaged), { amount: 30 });
  await payOut(damaged, monthsAgo(1));
  await withoutTriggers(test.database, async (sql) => {
    await sql`update commissions set commission_minor = 9999 where id = ${commission_id}`;
    await sql`
      update payout_runs set finished_at = null, due_at = now(), created_at = created_at - interval '1 day'
      where organization_id = ${damaged.organization.id}`;
  });
});

afterAll(() => test.close());

it("lists damage and reports it with its exit code", async () => {
  const { code, stdout, stderr } = await findersfee("verify ledger", environment);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const organization = damaged.organization.id;
  expect(stdout).toMatch(/^damage: commission_entries \(1\): The entries of a commission add up/m);
  expect(stdout).toContain(`\n  organization ${organization}, commission ${commission_id}: `);
  expect(stdout).toMatch(/^damage: payout_amount \(1\): /m);
  expect(stdout).toMatch(/^warning: run_unfinished \(1\): /m);
  expect(stdout).toMatch(/\nThe ledger is damaged: \d+ of \d+ rules hold\.\n$/);
});

it("checks a single organization on request", async () => {
  const { code, stdout } = await findersfee(`verify ledger --org ${sound.organization.id}`, environment);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^The ledger adds up: (\d+) of \1 rules hold\.\n$/);
});

it("lists the first 20 of many, or all", async () => {
  const many = await makePayoutContext(test.database);
  const earner = await addEarner(many);
  const ids: string[] = [];
  for (let number = 0; number < 22; number++) ids.push(await earn(many, earner, { amount: 1 }));
  await withoutTriggers(
    test.database,
    (sql) => sql`delete from unpaid_commissions where organization_id = ${many.organization.id}`,
  );
  const verify = `verify ledger --org ${many.organization.id}`;
  const namedBy = async (command: string) => {
    const { stdout } = await findersfee(command, environment);
    return [ids.filter((id) => stdout.includes(`commission ${id}: `)).length, stdout.includes("and 2 more")];
  };
  expect(await namedBy(verify)).toEqual([20, true]);
  expect(await namedBy(`${verify} --all`)).toEqual([22, false]);
});

it("prints JSON", async () => {
  const { code, stdout } = await findersfee(
    `verify ledger --org ${damaged.organization.id} --json`,
    environment,
  );
  expect(code).toBe(1);
  const checked = JSON.parse(stdout);
  expect(checked.filter(({ found }: { found: number }) => found > 0)).toEqual([
    {
      name: "commission_entries",
      rule: expect.any(String),
      level: "damage",
      found: 1,
      rows: [
        {
          organization_id: damaged.organization.id,
          subject: `commission ${commission_id}`,
          finding: expect.stringContaining("-6999 too much"),
        },
      ],
    },
    expect.objectContaining({ name: "balance_commissions", found: 1 }),
    expect.objectContaining({ name: "payout_amount", found: 1 }),
    expect.objectContaining({ name: "run_unfinished", level: "warning", found: 1 }),
  ]);
});

it("rejects an unknown organization", async () => {
  const unknown = await findersfee("verify ledger --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", environment);
  expect(unknown).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "error: There is no organization with this id.\n",
  });
  expect(await findersfee("verify ledger --org everybody", environment)).toMatchObject({ code: 2 });
});
