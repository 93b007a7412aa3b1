/* Payout runs: one at a time in each worker, beside all other work, and shared between workers by their shards. */

import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addJob } from "@findersfee/database/work/queue";
import type { Context } from "@findersfee/domain/context";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { addEarner, earn, makePayoutContext, payouts } from "@findersfee/domain/testing/ledger/program";
import { changeCommission } from "@findersfee/domain/testing/postings";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../src/worker.ts";
import { startTestWorker } from "./test-worker.ts";

let test: TestDatabase;
let workers: Worker[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await test.close();
});

/** Creates an organization with a due commission of 30.00. */
async function createDueCommission(): Promise<{ context: Context; commission_id: string }> {
  const context = await makePayoutContext(test.database);
  return { context, commission_id: await earn(context, await addEarner(context), { amount: 30 }) };
}

async function unfinished(): Promise<number> {
  return (await test.database`select from payout_runs where finished_at is null`).length;
}

/** Resolves when this many statements of workers wait for a lock. */
async function isBlocked(count: number): Promise<void> {
  await eventually(async () => {
    const waiting = await test.database`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(waiting.length).toBe(count);
  });
}

it("finishes other work while a payout run waits", async () => {
  const [first, second] = [await createDueCommission(), await createDueCommission()];
  workers = await Promise.all([startTestWorker(test), startTestWorker(test)]);
  await transaction(test.database, async (sql) => {
    // The first run reaches a commission that another transaction changes.
    await changeCommission(sql, first.context.organization.id, {
      id: first.commission_id,
      commission_minor: 2_000n,
    });
    await startPayoutRun(first.context, { method: "manual" });
    await isBlocked(1);
    await startPayoutRun(second.context, { method: "manual" });
    for (let number = 0; number < 5; number++)
      await addJob(test.database, "payout_day", { key: `${number}` });
    await eventually(async () =>
      expect(
        await test.database`select from graphile_worker.jobs where task_identifier = 'payout_day'`,
      ).toEqual([]),
    );
  });
  await eventually(async () => expect(await unfinished()).toBe(0));
  expect(await payouts(first.context)).toMatchObject([{ amount_minor: 2_000n }]);
  expect(await payouts(second.context)).toMatchObject([{ amount_minor: 3_000n }]);
});

it("finishes the current call in a stopping worker and continues the run in another one", async () => {
  const [first, second] = [await createDueCommission(), await createDueCommission()];
  const stopped = await startTestWorker(test, { lease_seconds: 2 });
  const { stopping } = await transaction(test.database, async (sql) => {
    await changeCommission(sql, first.context.organization.id, {
      id: first.commission_id,
      commission_minor: 2_000n,
    });
    await startPayoutRun(first.context, { method: "manual" });
    await isBlocked(1);
    workers = [await startTestWorker(test, { lease_seconds: 2 })];
    const stop = stopped.stop();
    const [since] = await test.database<[{ at: Date }]>`select now() as at`;
    // The other worker takes the unowned shards, twice.
    await eventually(async () => {
      const renewed = await test.database`
        select from workers where renewed_at > ${since.at}::timestamptz + interval '0.6 seconds'`;
      expect(renewed.length).toBeGreaterThan(0);
    });
    await isBlocked(1);
    return { stopping: stop };
  });
  await stopping;
  await startPayoutRun(second.context, { method: "manual" });
  await eventually(async () => expect(await unfinished()).toBe(0));
  expect(await payouts(first.context)).toMatchObject([{ amount_minor: 2_000n }]);
  expect(await payouts(second.context)).toMatchObject([{ amount_minor: 3_000n }]);
});

it.runIf(FULL_TESTS)("retries a failed run with a growing delay and stores the reason", async () => {
  const { context } = await createDueCommission();
  await test.database.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'out of order'; end $$;
    create trigger refuse before update of finished_at on payout_runs for each row
      when (new.finished_at is not null) execute function refuse()`);
  workers = [await startTestWorker(test)];
  await startPayoutRun(context, { method: "manual" });
  const run = async () => {
    const [row] = await test.database`
      select failures, reason, round(extract(epoch from due_at - now()))::int as seconds, finished_at
      from payout_runs`;
    return row;
  };
  await eventually(async () => expect(await run()).toMatchObject({ failures: 1 }));
  expect(await run()).toMatchObject({ reason: expect.stringContaining("out of order"), finished_at: null });
  expect((await run())?.seconds).toBeLessThanOrEqual(5);
  await eventually(async () => {
    await test.database`update payout_runs set due_at = now()`;
    expect((await run())?.failures).toBeGreaterThan(1);
  });
  await test.database.unsafe("drop trigger refuse on payout_runs");
  await eventually(async () => {
    await test.database`update payout_runs set due_at = now() where due_at is not null`;
    expect(await unfinished()).toBe(0);
  });
  expect(await payouts(context)).toMatchObject([{ amount_minor: 3_000n }]);
});
