/* The load of deliveries on Postgres: written rows, and statements. */

import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeBacklog, makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ fresh: true });
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await receiver.close();
  await test.close();
});

async function written(table: string): Promise<object | undefined> {
  const [row] = await test.database`
    select sum(n_tup_ins)::int as inserted, sum(n_tup_upd)::int as updated, sum(n_tup_del)::int as deleted
    from pg_stat_user_tables where relname ~ ${`^${table}`}`;
  return row;
}

it("writes a delivery twice if its first attempt succeeds", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeBacklog(test.database, organization_id, 500);
  const database = connect({ url: test.url, poolSize: 6, prepare: true, name: "findersfee test" });
  const worker = await startTestWorker({ ...test, database });
  await makeEvents(test.database, organization_id, 50);
  await receiver.has(550);
  await worker.stop();
  // A connection that ends has its writes counted.
  await database.end();
  await eventually(async () => {
    expect(await written("pending_deliveries")).toEqual({ inserted: 550, updated: 0, deleted: 550 });
    expect(await written("attempts_")).toEqual({ inserted: 550, updated: 0, deleted: 0 });
  });
});

it("reads each event of a backlog once", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeBacklog(test.database, organization_id, 2_000);
  const database = connect({ url: test.url, poolSize: 6, prepare: true, name: "findersfee test" });
  const worker = await startTestWorker({ ...test, database });
  await receiver.has(2_000);
  await worker.stop();
  await database.end();
  await eventually(async () => {
    const [row] = await test.database<{ fetched: number }[]>`
      select coalesce(idx_tup_fetch, 0)::int as fetched from pg_stat_user_tables where relname = 'events'`;
    expect(row?.fetched).toBeGreaterThanOrEqual(2_000);
    // On a machine that stalls, some are dropped and read again.
    expect(row?.fetched).toBeLessThan(3_000);
  });
});

it.runIf(FULL_TESTS)("probes many failing endpoints with few statements", async () => {
  const endpoints = 500;
  for (let number = 0; number < endpoints; number++)
    await subscribe(test.database, organization_id, receiver.url(`/${number}`));
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    select organization_id, id, 20, now() - interval '2 hours', now() - interval '1 hour' from endpoints`;
  await makeBacklog(test.database, organization_id, 1);
  receiver.answer = (_request, response) => response.writeHead(500).end();

  const faulty = await FaultyPostgres.before(test.url);
  closing.push(() => faulty.close());
  let statements = 0;
  faulty.follow(({ sql }) => {
    if (/pending_deliveries|endpoint_secrets|endpoint_health/.test(sql)) statements += 1;
    return null;
  });
  const database = connect({ url: faulty.url, poolSize: 6, prepare: true, name: "findersfee test" });
  closing.push(() => database.end({ timeout: 0 }));
  const worker = await startTestWorker({ ...test, database, url: faulty.url });
  closing.push(() => worker.stop());
  await eventually(async () => expect(await test.database`select from attempts`).toHaveLength(endpoints));
  expect(statements).toBeLessThan(endpoints);
});
