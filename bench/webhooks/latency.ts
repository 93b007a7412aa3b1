/* Question: how long after an event's commit does its delivery reach the receiver, at a steady rate? */
import { connect } from "@findersfee/database/postgres/connect";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { createNotifier } from "@findersfee/domain/work/notify-workers";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { fine, type Verdict } from "../table.ts";
import { receiverProcess, startWork, workerProcess } from "./children.ts";
import { BODY, makeDatabase, subscribe } from "./subscribers.ts";

export const PER_SECOND = 300;
const MAX_P50_MS = 15;
const MAX_P99_MS = 60;

/** Question 2. */
export async function measureLatency(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  const worker = workerProcess();
  return await withChildren([worker, receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const { database_url, organization_id } = await makeDatabase(bench.server);
    await withConnection(database_url, (sql) =>
      subscribe(sql, organization_id, [`http://127.0.0.1:${port}/hooks`]),
    );
    await startWork(worker, database_url);
    const seconds = bench.quick ? 5 : 20;
    await makeEvents({ database_url, organization_id, seconds: 2, per_second: PER_SECOND });
    await receiver.ask({ job: "wait", count: 2 * PER_SECOND });
    await receiver.ask({ job: "reset" });
    await makeEvents({ database_url, organization_id, seconds, per_second: PER_SECOND });
    const report = await receiver.ask({ job: "wait", count: seconds * PER_SECOND });
    return [verdict("p50", report.p50_ms, MAX_P50_MS), verdict("p99", report.p99_ms, MAX_P99_MS)];
  });
}

/** Events at a steady rate, each in a separate commit, with the workers notified as the API does. */
export async function makeEvents(job: {
  database_url: string;
  organization_id: string;
  seconds: number;
  per_second: number;
}): Promise<void> {
  const database = connect({ url: job.database_url, poolSize: 10, prepare: true, name: "findersfee bench" });
  const notifyWorkers = createNotifier(database, "events", () => {});
  const events = job.seconds * job.per_second;
  const started_at = performance.now();
  const running: Promise<void>[] = [];
  const make = async () => {
    const created_at = new Date();
    await insertEvent(database, job.organization_id, {
      id: newId(created_at),
      type: "commission.created",
      body: BODY,
      created_at,
    });
    notifyWorkers(job.organization_id);
  };
  while (running.length < events) {
    const due = Math.floor(((performance.now() - started_at) / 1000) * job.per_second);
    while (running.length < Math.min(due, events)) running.push(make());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  await database.end({ timeout: 5 });
}

function verdict(name: string, milliseconds: number, most: number): Verdict {
  return {
    question: `2 from the event to the receiver, ${PER_SECOND} events/s, ${name}`,
    measured: `${fine(milliseconds)} ms`,
    limit: "",
    ratio: "",
    target: `<= ${most} ms`,
    met: milliseconds <= most,
  };
}
