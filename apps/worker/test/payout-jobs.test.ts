/* The jobs that make payouts: one at a time, however many ask for it, and however many workers there are. */
import { transaction } from "@findersfee/database/connect";
import { addJob } from "@findersfee/database/queue";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import type { Context } from "@findersfee/domain/context";
import { RUN_PAYOUTS, startPayoutRun } from "@findersfee/domain/payout-runs/start";
import { addEarner, earn, makePayer, payouts } from "@findersfee/domain/testing/ledger/program";
import { changeCommission } from "@findersfee/domain/testing/postings";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { taskList } from "../src/tasks/list.ts";
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

/** An organization that owes 30.00, and its commission. */
async function makeOwing(): Promise<{ context: Context; commission_id: string }> {
  const context = await makePayer(test.database);
  return { context, commission_id: await earn(context, await addEarner(context), { amount: 30 }) };
}

/** All but the jobs that own shards: workers keep these. */
async function jobs(): Promise<{ task: string; is_running: boolean }[]> {
  return await test.database<{ task: string; is_running: boolean }[]>`
    select task_identifier as task, locked_by is not null as is_running
    from graphile_worker.jobs where task_identifier <> 'deliver' order by id`;
}

it("run one after the other, and leave the workers' other places to other jobs", async () => {
  const [first, second] = [await makeOwing(), await makeOwing()];
  workers = await Promise.all([startTestWorker(test), startTestWorker(test)]);
  await transaction(test.database, async (sql) => {
    // The first run comes to a commission that somebody is changing.
    await changeCommission(sql, first.context.organization.id, {
      id: first.commission_id,
      commission_minor: 2_000n,
    });
    await startPayoutRun(first.context, { method: "manual" });
    await eventually(async () => expect(await jobs()).toEqual([{ task: RUN_PAYOUTS, is_running: true }]));
    await startPayoutRun(second.context, { method: "manual" });
    for (let number = 0; number < 5; number++) await addJob(test.database, "payout_day");
    await eventually(async () =>
      expect(await jobs()).toEqual([
        { task: RUN_PAYOUTS, is_running: true },
        { task: RUN_PAYOUTS, is_running: false },
      ]),
    );
  });
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect(await payouts(first.context)).toMatchObject([{ amount_minor: 2_000n }]);
  expect(await payouts(second.context)).toMatchObject([{ amount_minor: 3_000n }]);
});

it("stay with a worker that stops until they are over, and leave their queue free", async () => {
  const [first, second] = [await makeOwing(), await makeOwing()];
  const stopped = await startTestWorker(test, { lease_seconds: 2 });
  const { stopping } = await transaction(test.database, async (sql) => {
    await changeCommission(sql, first.context.organization.id, {
      id: first.commission_id,
      commission_minor: 2_000n,
    });
    await startPayoutRun(first.context, { method: "manual" });
    await eventually(async () => expect(await jobs()).toEqual([{ task: RUN_PAYOUTS, is_running: true }]));
    workers = [await startTestWorker(test, { lease_seconds: 2 })];
    // The minute may add others.
    const running = () => test.database`
      select locked_by, locked_at from graphile_worker.jobs
      where task_identifier = ${RUN_PAYOUTS} and locked_by is not null`;
    const before = await running();
    const stop = stopped.stop();
    const [since] = await test.database<[{ at: Date }]>`select now() as at`;
    // The other one looks for what nobody holds, twice.
    await eventually(async () => {
      const renewed = await test.database`
        select from workers where renewed_at > ${since.at}::timestamptz + interval '0.6 seconds'`;
      expect(renewed.length).toBeGreaterThan(0);
    });
    expect(await running()).toEqual(before);
    return { stopping: stop };
  });
  await stopping;
  await startPayoutRun(second.context, { method: "manual" });
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect(await payouts(first.context)).toMatchObject([{ amount_minor: 2_000n }]);
  expect(await payouts(second.context)).toMatchObject([{ amount_minor: 3_000n }]);
});

it("are the same whether a run or the minute asks for them", async () => {
  const { cron } = taskList({ database: test.database, log: pino({ level: "silent" }) } as never);
  const of_minute = cron.find(({ task }) => task === RUN_PAYOUTS)?.options;
  await startPayoutRun((await makeOwing()).context, { method: "manual" });
  const [of_run] =
    await test.database`select queue_name, key from graphile_worker.jobs where task_identifier = ${RUN_PAYOUTS}`;
  expect(of_run).toEqual({ queue_name: of_minute?.queueName, key: of_minute?.jobKey });
});
