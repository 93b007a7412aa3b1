/*
 * Question: does each endpoint's concurrency limit hold, and is everything delivered, when some of four
 * workers are killed and replaced during a drain?
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { type Bench, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { withConnection } from "../postgres-server.ts";
import type { CountingReceiverJob, CountingReceiverReport } from "../processes/counting-receiver.ts";
import { formatTable, type Verdict, whole } from "../table.ts";
import { startWork, type WorkerProcess, workerProcess } from "./children.ts";
import { areShared } from "./shares.ts";
import { fillDeliveries, makeDatabase, makeOrganization, subscribe } from "./subscribers.ts";

type CountingReceiver = Child<CountingReceiverJob, CountingReceiverReport>;

const WORKERS = 4;
/** Other workers take over from a killed one after this time. */
const LEASE_SECONDS = 8;
/** Long enough to use all of an endpoint's slots. */
const ANSWER_MILLISECONDS = 200;
/** Fills both kinds of endpoints before the first delivery is due. */
const DUE_SECONDS = 4;
/** Endpoints with up to 32 concurrent attempts. */
const PARALLEL = { kind: "parallel", endpoints: 24, most_open: 32 };
/** Endpoints with strict order, one attempt at a time. */
const ORDERED = { kind: "ordered", endpoints: 8, most_open: 1 };
const ORDERED_EACH = 50;
const LOOK_MILLISECONDS = 100;

/** The final state of the database. */
interface Rows {
  /** Successful deliveries. */
  delivered: number;
  attempts: number;
  pending: number;
}

interface Drained {
  report: CountingReceiverReport;
  rows: Rows;
  /** Versions of the killed workers. */
  killed: ReadonlySet<string>;
  seconds: number;
}

/** Question 12. */
export async function measureKilledWorkers(bench: Bench): Promise<Verdict[]> {
  const receiver: CountingReceiver = new Child(new URL("../processes/counting-receiver.ts", import.meta.url));
  const workers = new Workers();
  return await withChildren([receiver, workers], async () => {
    const deliveries = bench.quick ? 10_000 : 100_000;
    const { port } = await receiver.ask({ job: "listen", answer_milliseconds: ANSWER_MILLISECONDS });
    const { database_url, organization_id } = await makeDatabase(bench.server);
    return await withConnection(database_url, async (sql) => {
      for (let number = 0; number < WORKERS; number++) await workers.start(database_url);
      await areShared(sql, WORKERS);
      await fill(sql, { organization_id, port, deliveries });
      const kills = bench.quick ? 2 : 8;
      const drained = await drain(sql, { receiver, workers, database_url, deliveries, kills });
      bench.print(describe(drained));
      return verdicts(deliveries, drained);
    });
  });
}

/** Workers, each with its own version, which the receiver sees. */
class Workers {
  readonly killed = new Set<string>();
  readonly #running: { worker: WorkerProcess; version: string }[] = [];
  #started = 0;

  async start(database_url: string): Promise<void> {
    const worker = workerProcess();
    const version = `0.0.${++this.#started}`;
    this.#running.push({ worker, version });
    await startWork(worker, database_url, { lease_seconds: LEASE_SECONDS, version });
  }

  /** Kills the longest-running worker and starts another one. */
  async replace(database_url: string): Promise<void> {
    const oldest = this.#running.shift();
    if (oldest === undefined) throw new Error("no worker is running");
    await oldest.worker.kill();
    this.killed.add(oldest.version);
    await this.start(database_url);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map(({ worker }) => worker.stop()));
  }
}

async function fill(
  sql: Database,
  { organization_id, port, deliveries }: { organization_id: string; port: number; deliveries: number },
): Promise<void> {
  const urls = ({ kind, endpoints }: typeof PARALLEL) =>
    Array.from({ length: endpoints }, (_, number) => `http://127.0.0.1:${port}/${kind}/${number}`);
  const ordered_id = await makeOrganization(sql);
  await subscribe(sql, organization_id, urls(PARALLEL));
  await subscribe(sql, ordered_id, urls(ORDERED));
  await sql`update endpoints set ordered = true where organization_id = ${ordered_id}`;
  const due_seconds = DUE_SECONDS;
  const parallel_each = (deliveries - ORDERED.endpoints * ORDERED_EACH) / PARALLEL.endpoints;
  await fillDeliveries(sql, { per_endpoint: ORDERED_EACH, due_seconds, organization_id: ordered_id });
  await fillDeliveries(sql, { per_endpoint: parallel_each, due_seconds, organization_id });
}

/** Replaces this many workers, evenly over the deliveries; resolves when nothing is pending. */
async function drain(
  sql: Database,
  {
    receiver,
    workers,
    database_url,
    deliveries,
    kills,
  }: {
    receiver: CountingReceiver;
    workers: Workers;
    database_url: string;
    deliveries: number;
    kills: number;
  },
): Promise<Drained> {
  await receiver.ask({ job: "wait", distinct: 1 });
  const started_at = performance.now();
  for (let kill = 1; kill <= kills; kill++) {
    await receiver.ask({ job: "wait", distinct: Math.floor((deliveries * kill) / (kills + 1)) });
    await workers.replace(database_url);
  }
  await receiver.ask({ job: "wait", distinct: deliveries });
  const seconds = (performance.now() - started_at) / 1000;
  const rows = await readRowsAtEnd(sql);
  return { report: await receiver.ask({ job: "report" }), rows, killed: workers.killed, seconds };
}

/** Deliveries that a killed worker had sent but not recorded are sent once more. */
async function readRowsAtEnd(sql: Database): Promise<Rows> {
  for (;;) {
    const [rows] = await sql<[Rows]>`
      select (select count(*)::int from attempts where ended = 'delivered') as delivered,
        (select count(*)::int from attempts) as attempts,
        (select count(*)::int from pending_deliveries) as pending`;
    if (rows.pending === 0) return rows;
    await delay(LOOK_MILLISECONDS);
  }
}

/** The maximum number of concurrent requests at an endpoint of a kind. */
function mostOpen({ most_open }: CountingReceiverReport, { kind }: typeof PARALLEL): number {
  const counts = Object.entries(most_open).filter(([path]) => path.startsWith(`/${kind}/`));
  return Math.max(0, ...counts.map(([, count]) => count));
}

/**
 * Repeated deliveries that were not in flight when a worker was killed: an earlier request came from a live
 * worker, or its result was recorded (then the log has more attempts than deliveries).
 */
function wrongRepeats({ report, rows, killed }: Drained): number {
  const sent_by_living = report.repeated.filter((senders) =>
    senders.slice(0, -1).some((sender) => !killed.has(sender)),
  );
  return sent_by_living.length + (rows.attempts - rows.delivered);
}

function describe({ report, rows, killed, seconds }: Drained): string {
  return formatTable([
    ["workers killed", "requests", "repeated", "attempts", "delivered", "pending", "/s"],
    [
      ...[killed.size, report.count, report.repeated.length, rows.attempts, rows.delivered, rows.pending],
      report.distinct / seconds,
    ].map(whole),
  ]);
}

function verdicts(deliveries: number, drained: Drained): Verdict[] {
  const { report, rows, killed } = drained;
  const among = `${whole(deliveries)} by ${WORKERS} workers, ${killed.size} killed`;
  const exact = (question: string, measured: number, most: number): Verdict => ({
    question: `12 ${question}`,
    measured: whole(measured),
    limit: "",
    ratio: "",
    target: most === 0 ? "0" : `<= ${most}`,
    met: measured <= most,
  });
  return [
    exact("concurrent requests at an endpoint, at most", mostOpen(report, PARALLEL), PARALLEL.most_open),
    exact("the same with strict order", mostOpen(report, ORDERED), ORDERED.most_open),
    exact(`unsuccessful deliveries, ${among}`, deliveries - rows.delivered, 0),
    exact("repeated deliveries not in flight at a kill", wrongRepeats(drained), 0),
  ];
}
