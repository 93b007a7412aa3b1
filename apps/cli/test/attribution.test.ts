import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { startBacktest } from "@findersfee/domain/attribution/backtest/start";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import { addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { makePayoutContext } from "@findersfee/domain/testing/ledger/program";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Environment, serviceEnvironment } from "./command-line.ts";
import { findersfee } from "./in-process.ts";

let test: TestDatabase;
let environment: Environment;
let folder: string;
let context: CreationContext;
let organization_id: string;
let campaign_id: string;
let affiliate_id: string;

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url);
  folder = await mkdtemp(join(tmpdir(), "backtest-"));
  context = await makePayoutContext(test.database);
  organization_id = context.organization.id;
  const email = "jane@example.com";
  ({ campaign_id, affiliate_id } = await addPartner(context, {}, { email }));
  const who = { customer_id: "cus_1", email: "buyer@customers.test" };
  const click_ids = [await click(context, { affiliate_id, at: daysAgo(41) })];
  await report(
    context,
    checkout({ subject: "cs_1", ...who, click_ids, at: daysAgo(40) }),
    payment({ subject: "in_1", ...who, at: daysAgo(39) }),
    payment({ subject: "in_2", ...who, at: daysAgo(8) }),
  );
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await test.close();
});

async function backtest(draft: object | string, ...others: string[]) {
  const file = join(folder, "draft.json");
  await writeFile(file, typeof draft === "string" ? draft : JSON.stringify(draft));
  return await findersfee(
    ["backtest", "--org", organization_id, "--draft", file, "--months", "3", ...others],
    environment,
  );
}

describe("findersfee backtest", () => {
  it("prints what a draft would have cost, and stores nothing", async () => {
    const { code, stdout, stderr } = await backtest({ commission_amount: 10 }, "--campaign", campaign_id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^2 payments; 2 would be decided differently\n/);
    expect(stdout).toMatch(/^all +USD +2 +60\.00 +20\.00 +-40\.00$/m);
    expect(stdout).toMatch(/^jane@example\.com +USD +2 +60\.00 +20\.00 +-40\.00$/m);
    expect(stdout).toMatch(/^in_1 +\S+ +USD +100\.00 +30\.00 +10\.00$/m);
    expect(await test.database`select from jobs`).toHaveLength(0);
  });

  it("tries rules of affiliates' own, and prints JSON", async () => {
    const rules = [{ conditions: {}, reward: { type: "percentage", amount: 50 } }];
    const { code, stdout } = await backtest({ rules }, "--affiliates", affiliate_id, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      changed_payments: 2,
      gaining: [{ affiliate_id, before_amount: 60, after_amount: 100 }],
    });
  });

  it("ends one that the service runs, and names one that has ended", async () => {
    const { id } = await startBacktest(context, { campaign: { campaign_id }, months: 3 });
    const cancel = ["cancel-backtest", "--org", organization_id, "--backtest"];
    expect(await findersfee([...cancel, id], environment)).toMatchObject({
      ...{ code: 0, stdout: "The backtest is canceled.\n" },
    });
    const again = await findersfee([...cancel, id, "--json"], environment);
    expect(JSON.parse(again.stdout)).toMatchObject({ id, state: "canceled" });
    expect((await findersfee([...cancel, campaign_id], environment)).code).toBe(1);
  });

  it.each([
    ["{ not JSON", ["--campaign"], /--draft: .* must be a JSON object/],
    [{ commission_amount: -1 }, ["--campaign"], /--draft: commission_amount: /],
    [{}, [], /--campaign or --affiliates/],
  ] as const)("refuses the draft %j with %j", async (draft, [flag], message) => {
    const { code, stderr } = await backtest(draft, ...(flag === undefined ? [] : [flag, campaign_id]));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
