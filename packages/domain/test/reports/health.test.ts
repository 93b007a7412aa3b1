import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import type { Context } from "../../src/context.ts";
import { LEDGER_RULES } from "../../src/ledger/check.ts";
import { getHealth } from "../../src/reports/health/get.ts";
import { retryMails } from "../../src/reports/health/retry-mails.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { addEarner, earn, makePayoutContext } from "../ledger/program.ts";
import { runJobs } from "../work.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const check = async (context: Context) => {
  await startJob(context, { kind: "ledger_check", input: {}, total: LEDGER_RULES });
  await runJobs(context);
  return (await getHealth(context)).ledger_check;
};

describe("a check of the ledger", () => {
  it("finds nothing in a correct one, and names each broken row of a damaged one", async () => {
    const context = await makePayoutContext(test.database);
    expect((await getHealth(context)).ledger_check).toBeNull();
    const earner = await addEarner(context);
    const id = await earn(context, earner, { amount: 1 });
    expect(await check(context)).toMatchObject({
      state: "finished",
      rules_checked: LEDGER_RULES,
      rules: LEDGER_RULES,
      damaged: 0,
      findings: [],
    });
    await withoutTriggers(
      test.database,
      (sql) => sql`update commissions set commission_minor = 99 where id = ${id}`,
    );
    const found = await check(context);
    expect(found).toMatchObject({ state: "finished", damaged: 3, warnings: 0 });
    expect(found?.findings.map(({ subject }) => subject)).toContain(`commission ${id}`);
    expect(found?.findings[0]).toEqual({
      rule: "The entries of a commission add up to its amount, or to 0 if it is voided.",
      level: "damage",
      subject: `commission ${id}`,
      finding: expect.stringMatching(/1 too much$/),
    });
    const stranger = await makePayoutContext(test.database);
    expect((await check(stranger))?.damaged).toBe(0);
  });

  it("names as many rows of each rule as a person reads", async () => {
    const context = await makePayoutContext(test.database);
    const earner = await addEarner(context);
    for (let number = 0; number < 60; number++) await earn(context, earner, { amount: 1 });
    await withoutTriggers(
      test.database,
      (sql) =>
        sql`update commissions set commission_minor = 99 where organization_id = ${context.organization.id}`,
    );
    const found = await check(context);
    expect([found?.damaged, found?.findings.length]).toEqual([121, 101]);
  });
});

describe("a mail that was given up", () => {
  it("is listed with its reason, and sent again once somebody wants it", async () => {
    const context = await makePayoutContext(test.database);
    const { id: organization_id } = context.organization;
    await test.database`
      insert into mails (organization_id, kind, about, recipient, state, reason, due_at, finished_at, failures)
      values (${organization_id}, 'invitation', 'x', 'joe@example.com', 'given_up', '550 no such user', null, now(), 8)`;
    const { given_up_mails } = await getHealth(context);
    expect(given_up_mails).toMatchObject([{ recipient: "joe@example.com", reason: "550 no such user" }]);
    const ids = given_up_mails.map(({ id }) => id);
    const stranger = await makePayoutContext(test.database);
    expect(await retryMails(stranger, ids)).toEqual({ retried: 0 });
    expect(await retryMails(context, ids)).toEqual({ retried: 1 });
    expect(await retryMails(context, ids)).toEqual({ retried: 0 });
    const [mail] = await test.database`
      select state, failures, reason from mails where organization_id = ${organization_id}`;
    expect(mail).toEqual({ state: "due", failures: 0, reason: null });
    expect((await getHealth(context)).given_up_mails).toEqual([]);
    const { data } = await listAuditEntries(context, { limit: 10, resource: "mail" });
    expect(data).toMatchObject([{ action: "rerun", before: { state: "given_up" }, after: { state: "due" } }]);
  });
});

it("says since when due work waits, with few statements", async () => {
  const context = await makePayoutContext(test.database);
  const { id: organization_id } = context.organization;
  expect((await getHealth(context)).oldest_due).toEqual([]);
  await test.database`
    insert into mails (organization_id, kind, about, recipient, due_at)
    values (${organization_id}, 'invitation', 'x', 'joe@example.com', now() - interval '1 hour'),
      (${organization_id}, 'invitation', 'y', 'joe@example.com', now() + interval '1 hour')`;
  const { oldest_due } = await getHealth(context);
  expect(oldest_due.map(({ kind }) => kind)).toEqual(["mails"]);
  expect(Date.now() - Date.parse(oldest_due[0]?.due_at ?? "")).toBeGreaterThan(3_500_000);
  await check(context);
  expect(await statementsOf(test.database, () => getHealth(context))).toHaveLength(10);
});
