import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { extent } from "@findersfee/database/testing/full-tests";
import { type HeldTransaction, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { migrateQueue } from "@findersfee/database/work/queue";
import type { Context } from "@findersfee/domain/context";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { brokenRules, makePayoutContext, monthsAgo } from "@findersfee/domain/testing/ledger/program";
import {
  createUnpaidCommissions,
  outcomeOfPayouts,
  type UnpaidCommission,
} from "@findersfee/domain/testing/ledger/unpaid-commissions";
import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";

/* Kills workers during a payout run. PAYOUT_AFFILIATES and PAYOUT_KILLS make it longer. */
const AFFILIATES = extent("PAYOUT_AFFILIATES", { short: 1_000, full: 4_000 });
const KILLS = extent("PAYOUT_KILLS", { short: 1, full: 2 });
const WAIT_MILLISECONDS = 180_000;
const PERIOD = monthsAgo(1);

let test: TestDatabase;
let database: Database;
let environment: Environment;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await migrateQueue(test.url);
  environment = serviceEnvironment(test.url, { LOG_LEVEL: "fatal" });
});

afterAll(() => test.close());

/** An affiliate's commissions and adjustments, the same in each call. Most affiliates have a due amount, in one or two currencies. */
function unpaidCommissionsOf(number: number): UnpaidCommission[] {
  const due = { currency: number % 7 === 0 ? "EUR" : "USD", amount_minor: 1_000 + number, held: false };
  const more = { currency: "USD", amount_minor: 500, held: number % 3 === 0 };
  const reversed = { currency: "USD", amount_minor: number % 2 === 0 ? -400 : -9_000, held: false };
  const adjusted = { ...reversed, amount_minor: number % 2 === 0 ? 300 : -200, is_adjustment: true };
  if (number % 50 === 0) return [due, more, reversed];
  return number % 9 === 0 ? [due, more, adjusted] : [due, more];
}

async function createDueCommissions(): Promise<Context> {
  const context = await makePayoutContext(database, { minimum_payouts: { USD: 5 } });
  const numbers = Array.from({ length: AFFILIATES }, (_, number) => number);
  await createUnpaidCommissions(context, numbers.map(unpaidCommissionsOf));
  return context;
}

async function startWorker(): Promise<CommandLine> {
  const worker = new CommandLine(["worker"], environment);
  await worker.says(/The worker is running/);
  return worker;
}

async function payoutsOf({ organization }: Context): Promise<number> {
  const [row] = await database<[{ count: number }]>`
    select count(*)::int as count from payouts
    where organization_id = ${organization.id} and period = ${PERIOD}`;
  return row.count;
}

/** Starts the run, or resumes it. False: the run has finished. */
async function startOrResume(context: Context): Promise<boolean> {
  return (await startPayoutRun(context, { period: PERIOD, method: "manual" })).finished_at === null;
}

async function isRunning({ organization }: Context): Promise<boolean> {
  const rows = await database`
    select from payout_runs where organization_id = ${organization.id} and finished_at is null`;
  return rows.length > 0;
}

/** Keeps the run from finishing before its worker is killed, however late that is. Runs pay affiliates by their ids. */
async function holdLast({ organization }: Context): Promise<HeldTransaction> {
  const held = await holdTransaction(database);
  await held.sql`
    select from affiliates where organization_id = ${organization.id} order by id desc limit 20 for update`;
  return held;
}

it("creates the same payouts when workers are killed", {
  timeout: (2 + KILLS) * WAIT_MILLISECONDS,
}, async () => {
  const uninterrupted = await createDueCommissions();
  expect(await startOrResume(uninterrupted)).toBe(true);
  await workPayoutRuns(database, new AbortController().signal);
  const expected = await payoutsOf(uninterrupted);
  expect(expected).toBeGreaterThan(AFFILIATES);

  const crashed = await createDueCommissions();
  const remaining: number[] = [];
  for (let kill = 0; kill < KILLS && (await startOrResume(crashed)); kill++) {
    // Every second kill ends two workers. One of them waits for the other.
    const held = await holdLast(crashed);
    const workers = await Promise.all(Array.from({ length: 1 + (kill % 2) }, startWorker));
    const before = await payoutsOf(crashed);
    const threshold = before + Math.random() * ((expected - before) / (KILLS + 1 - kill));
    await waitForResult(WAIT_MILLISECONDS, async () =>
      (await payoutsOf(crashed)) > threshold || !(await isRunning(crashed)) ? true : null,
    );
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    await held.rollBack();
    // Simulates expired leases.
    await database`update workers set alive_until = now() - interval '1 second'`;
    remaining.push(expected - (await payoutsOf(crashed)));
  }
  await startOrResume(crashed);
  const last = await startWorker();
  await waitForResult(WAIT_MILLISECONDS, async () => ((await isRunning(crashed)) ? null : true));
  await last.end("SIGTERM");
  console.log(`${expected} payouts; ${remaining.join(", ")} remained at the kills`);
  expect(remaining[0]).toBeGreaterThan(0);
  expect(await outcomeOfPayouts(crashed)).toEqual(await outcomeOfPayouts(uninterrupted));
  expect([await brokenRules(uninterrupted), await brokenRules(crashed)]).toEqual([[], []]);
  const verified = await findersfee("verify ledger", environment);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The ledger adds up: (\d+) of \1 rules hold\.$/m),
  });
});
