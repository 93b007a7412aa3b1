import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import type { Context } from "@findersfee/domain/context";
import { createUser } from "@findersfee/domain/identity/users/create";
import { addEarner, makePayoutContext } from "@findersfee/domain/testing/ledger/program";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Environment, findersfee, serviceEnvironment } from "./command-line.ts";

let test: TestDatabase;
let environment: Environment;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url);
  context = await makePayoutContext(test.database);
});

afterAll(() => test.close());

it("erases an affiliate after confirmation", async () => {
  const { affiliate_id } = await addEarner(context);
  const command = `erase affiliate ${affiliate_id} --org ${context.organization.id}`;
  const unconfirmed = await findersfee(command, environment);
  expect(unconfirmed.code).toBe(2);
  expect(unconfirmed.stderr).toContain("Add --yes: erased data cannot be restored.");
  const { code, stdout } = await findersfee(`${command} --yes --json`, environment);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    id: affiliate_id,
    email: `${affiliate_id}@erased.invalid`,
    banned: true,
  });
});

it("erases owners' addresses from the audit log", async () => {
  const { id } = context.organization;
  const olga = { name: "Olga", email: "olga@example.com", organization_id: id, role: "owner" } as const;
  await createUser(test.database, olga);
  const { code, stdout } = await findersfee(`erase members --org ${id} --yes --json`, environment);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ organization_id: id, entries: 1 });
});
