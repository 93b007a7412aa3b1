import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { addEarner, earn, makePayoutContext } from "@findersfee/domain/testing/ledger/program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Environment, findersfee, serviceEnvironment } from "./command-line.ts";

let test: TestDatabase;
let environment: Environment;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url);
  const context = await makePayoutContext(test.database);
  organization_id = context.organization.id;
  await earn(context, await addEarner(context), { amount: 30 });
  // A total of an hour in which nothing happened.
  await test.database`
    insert into hourly_totals (organization_id, generation, currency, hour, campaign_id, clicks, signups, conversions,
      revenue_minor, commission_minor, lost_minor)
    select organization_id, 1, 'USD', '2026-01-01T09:00:00Z', id, 0, 0, 0, 500, 0, 0 from campaigns
    where organization_id = ${organization_id}`;
});

afterAll(() => test.close());

it("finds a wrong total, and a rebuild repairs it", async () => {
  const found = await findersfee("verify totals", environment);
  expect(found).toMatchObject({ code: 1, stderr: "" });
  expect(found.stdout).toContain(
    `organization ${organization_id}, hour 2026-01-01T09:00:00+00:00 of campaign `,
  );
  expect(found.stdout).toMatch(/ in USD: revenue_minor \+500 too much\n/);
  expect(await findersfee(`totals rebuild --org ${organization_id}`, environment)).toEqual({
    code: 0,
    stdout: "Rebuilt the totals of 1 organization.\n",
    stderr: "",
  });
  expect(await findersfee(`verify totals --org ${organization_id}`, environment)).toMatchObject({
    code: 0,
    stdout: "The totals are the sums of their rows.\n",
  });
});

it("rejects an unknown organization", async () => {
  const unknown = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
  const stderr = "error: There is no organization with this id.\n";
  for (const command of ["verify totals", "totals rebuild"]) {
    expect(await findersfee(`${command} --org ${unknown}`, environment)).toMatchObject({ code: 1, stderr });
  }
});
