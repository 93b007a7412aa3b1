/* Question: how fast does a newly started worker drain a backlog, and then deliver a steady stream? */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { type Receiver, startWork, workerProcess } from "./children.ts";
import { makeEvents, PER_SECOND } from "./latency.ts";
import { fillDeliveries, makeDatabase, subscribe, type WorkerDatabase } from "./subscribers.ts";

export const ENDPOINTS = 100;
const DUE = 20_000;

export interface Observation {
  per_second: number;
  /** From an event to its deliveries. */
  p50_ms: number;
  p99_ms: number;
}

/** Creates a database with endpoints at the receiver. */
export async function makeSubscribedDatabase(bench: Bench, port: number): Promise<WorkerDatabase> {
  const database = await makeDatabase(bench.server);
  const urls = Array.from({ length: ENDPOINTS }, (_, number) => `http://127.0.0.1:${port}/hooks/${number}`);
  await withConnection(database.database_url, (sql) => subscribe(sql, database.organization_id, urls));
  return database;
}

/** Drains a backlog, then creates events at a steady rate for this many seconds. */
export async function observe(
  receiver: Receiver,
  database: WorkerDatabase,
  seconds: number,
): Promise<Observation> {
  const { database_url } = database;
  await withConnection(database_url, (sql) => fillDeliveries(sql, { per_endpoint: DUE / ENDPOINTS }));
  await receiver.ask({ job: "reset" });
  const worker = workerProcess();
  return await withChildren([worker], async () => {
    await startWork(worker, database_url);
    const drained = await receiver.ask({ job: "wait", count: DUE });
    await receiver.ask({ job: "reset" });
    await makeEvents({ ...database, seconds, per_second: PER_SECOND / ENDPOINTS });
    const { p50_ms, p99_ms } = await receiver.ask({ job: "wait", count: seconds * PER_SECOND });
    return { per_second: DUE / drained.seconds, p50_ms, p99_ms };
  });
}
