import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { addJob } from "@findersfee/database/work/queue";
import { OWN_SHARD } from "@findersfee/database/work/shards";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { MailServer } from "../mail-server.ts";
import { setOwners } from "../owners.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";
import { queuedJobs } from "./test-queue.ts";

let test: TestDatabase;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

async function startWorker(smtp_url: string, { lease_seconds = 2 } = {}): Promise<Worker> {
  const worker = await startTestWorker(test, {
    lease_seconds,
    mail: { smtp_url, from: "findersfee@example.com" },
  });
  closed.push(() => worker.stop());
  return worker;
}

/** A mail server that never answers the first connection, and passes later ones on to another. */
async function startStuckMailServer(
  mails: MailServer,
): Promise<{ port: number; sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}).on("data", () => {}));
    if (sockets.length === 1) return;
    const other = connect({ host: "127.0.0.1", port: mails.port }).on("error", () => {});
    socket.pipe(other).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closed.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen on a port.");
  return { port: address.port, sockets };
}

it("frees the jobs of a dead worker for any other worker", async () => {
  const [receiver, mails] = await Promise.all([Receiver.start(), MailServer.start()]);
  for (const server of [receiver, mails]) closed.push(() => server.close());
  const stuck = await startStuckMailServer(mails);
  const organization_id = await makeOrganization(test.database);
  await setOwners(test.database, organization_id, ["owner@example.com"]);
  receiver.answer = (_, response) => response.writeHead(410).end();
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 1);
  // So that it does not renew its lease while the test runs.
  await startWorker(`smtp://127.0.0.1:${stuck.port}`, { lease_seconds: 300 });
  await eventually(() => expect(stuck.sockets).toHaveLength(1));
  // As if the worker had named its locks when it last renewed the lease, and then fallen silent.
  await test.database`
    update workers set alive_until = now() - interval '1 second',
      queue_worker_ids = (select array_agg(locked_by) from graphile_worker.jobs where locked_by is not null)`;
  await startWorker(mails.url);
  await mails.has(1);
  // The first attempt has not ended: its job was freed under it.
  expect(stuck.sockets[0]?.closed).toBe(false);
  // Else it would wait for an answer when it is stopped.
  for (const socket of stuck.sockets) socket.destroy();
});

it("frees jobs that are locked under names of no living worker", async () => {
  const mails = await MailServer.start();
  closed.push(() => mails.close());
  await addJob(test.database, "payout_day", { payload: { lost: "yes" }, queue: "lost" });
  await addJob(test.database, "payout_day", { payload: { lost: "no" }, queue: "held" });
  await test.database`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-' || (payload ->> 'lost')`;
  await test.database`
    update graphile_worker._private_job_queues set locked_at = job.locked_at, locked_by = job.locked_by
    from graphile_worker._private_jobs job where job.job_queue_id = _private_job_queues.id`;
  // Another worker has done one of them.
  await addJob(test.database, "payout_day", { queue: "left" });
  await test.database`
    update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'pool-no' where queue_name = 'left'`;
  await test.database`delete from graphile_worker._private_jobs where locked_by is null`;
  await test.database`
    insert into workers (id, started_at, alive_until, queue_worker_ids)
    values (gen_random_uuid(), now(), now() + interval '1 hour', '{pool-no}')`;
  await startWorker(mails.url);
  await eventually(async () => expect(await queuedJobs(test.database)).toHaveLength(1));
  expect(await queuedJobs(test.database)).toMatchObject([{ locked_by: "pool-no" }]);
  const locked = test.database`
    select queue_name from graphile_worker._private_job_queues
    where locked_by is not null and not starts_with(queue_name, ${OWN_SHARD})`;
  expect(await locked).toEqual([{ queue_name: "held" }]);
});
