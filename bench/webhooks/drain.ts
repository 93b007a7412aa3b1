/*
 * Question: how much of the maximum send rate remains when claims, attempts and states are recorded, for
 * deliveries to one, some and many endpoints? And how does it compare with the plain design, a job and an
 * insert per delivery?
 */
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { type Bench, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { withConnection } from "../postgres-server.ts";
import type { PlainJob } from "../processes/plain-worker.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { barePostsProcess, type Receiver, receiverProcess, startWork, workerProcess } from "./children.ts";
import {
  BODY,
  fillDeliveries,
  fillPlainJobs,
  makeDatabase,
  subscribe,
  type WorkerDatabase,
} from "./subscribers.ts";

const MIN_RATIO = 0.4;
const MIN_PLAIN_RATIO = 4;
const ENDPOINTS = [1, 100, 10_000];
/** The plain design is so slow that fewer deliveries have to do. */
const PLAIN_SHARE = 0.2;
/** Filled deliveries become due all at once, after this delay. */
const DUE_SECONDS = 4;

/** Rates of one round, measured one after another. */
interface Round {
  drain: number;
  bare: number;
  /** NaN if not measured in this round. */
  plain: number;
}

/** Question 1. */
export async function measureDrain(bench: Bench): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const endpoints of ENDPOINTS) {
    const rounds = await takeRounds(bench, endpoints);
    bench.print(describe(endpoints, rounds));
    verdicts.push(againstBare(endpoints, rounds));
    if (!Number.isNaN(rounds[0]?.plain)) verdicts.push(againstPlain(endpoints, rounds));
  }
  return verdicts;
}

/** Warms up every process with as much as a round. */
async function takeRounds(bench: Bench, endpoints: number): Promise<Round[]> {
  const receiver = receiverProcess();
  const bare = barePostsProcess();
  const worker = workerProcess();
  const children = [receiver, bare, worker];
  return await withChildren(children, async () => {
    const deliveries = bench.quick ? 10_000 : 20_000;
    const { port } = await receiver.ask({ job: "listen" });
    const database = await prepare(bench, { port, endpoints });
    await startWork(worker, database.database_url);
    const rounds: Round[] = [];
    for (let round = 0; round <= (bench.quick ? 1 : 5); round++) {
      const drained = await drain(bench, { receiver, database, endpoints, deliveries });
      const { per_second } = await bare.ask({
        url: `http://127.0.0.1:${port}/bare`,
        body: BODY,
        requests: deliveries,
        connections: drained.connections,
      });
      const plain =
        endpoints === 100 ? await drainPlainly(receiver, { database, deliveries, ...drained }) : Number.NaN;
      if (round > 0) rounds.push({ drain: drained.per_second, bare: per_second, plain });
    }
    return rounds;
  });
}

async function prepare(
  bench: Bench,
  { port, endpoints }: { port: number; endpoints: number },
): Promise<WorkerDatabase> {
  const database = await makeDatabase(bench.server);
  await withConnection(database.database_url, async (sql) => {
    const urls = Array.from({ length: endpoints }, (_, number) => `http://127.0.0.1:${port}/hooks/${number}`);
    await subscribe(sql, database.organization_id, urls);
    await makePartitions(sql, ATTEMPTS, { ahead: 0 });
  });
  return database;
}

/**
 * Deliveries per second, from the first to the last that the receiver sees, and the number of connections.
 */
async function drain(
  bench: Bench,
  {
    receiver,
    database,
    endpoints,
    deliveries,
  }: { receiver: Receiver; database: WorkerDatabase; endpoints: number; deliveries: number },
): Promise<{ per_second: number; connections: number }> {
  await receiver.ask({ job: "reset" });
  await withConnection(database.database_url, (sql) =>
    fillDeliveries(sql, { per_endpoint: deliveries / endpoints, due_seconds: DUE_SECONDS }),
  );
  const { seconds, distinct, count, connections } = await receiver.ask({ job: "wait", count: deliveries });
  if (distinct !== count) bench.print(`${count - distinct} deliveries were sent twice`);
  return { per_second: deliveries / seconds, connections };
}

/**
 * The same with the plain design, in a separate process: its queue must not be polled during other rounds.
 */
async function drainPlainly(
  receiver: Receiver,
  {
    database,
    deliveries,
    connections,
  }: { database: WorkerDatabase; deliveries: number; connections: number },
): Promise<number> {
  const plain: Child<PlainJob, void> = new Child(new URL("../processes/plain-worker.ts", import.meta.url));
  return await withChildren([plain], async () => {
    const { database_url } = database;
    const jobs = Math.round(deliveries * PLAIN_SHARE);
    await withConnection(database_url, (sql) => fillPlainJobs(sql, jobs));
    await receiver.ask({ job: "reset" });
    await plain.ask({ database_url, connections });
    const { seconds } = await receiver.ask({ job: "wait", count: jobs });
    return jobs / seconds;
  });
}

function describe(endpoints: number, rounds: readonly Round[]): string {
  return formatTable([
    [`drain to ${whole(endpoints)} endpoints, /s`, "bare POSTs", "ratio", "plain design", "times"],
    ...rounds.map(({ drain, bare, plain }) => [
      whole(drain),
      whole(bare),
      fine(drain / bare),
      ...(Number.isNaN(plain) ? ["", ""] : [whole(plain), fine(drain / plain)]),
    ]),
  ]);
}

function againstBare(endpoints: number, rounds: readonly Round[]): Verdict {
  const ratio = spread(rounds.map(({ drain, bare }) => drain / bare)).median;
  return {
    question: `1 drain to ${whole(endpoints)} endpoints`,
    measured: `${whole(spread(rounds.map(({ drain }) => drain)).median)}/s`,
    limit: `${whole(spread(rounds.map(({ bare }) => bare)).median)}/s bare POSTs`,
    ratio: fine(ratio),
    target: `>= ${MIN_RATIO}`,
    met: ratio >= MIN_RATIO,
  };
}

function againstPlain(endpoints: number, rounds: readonly Round[]): Verdict {
  const times = spread(rounds.map(({ drain, plain }) => drain / plain)).median;
  return {
    question: `1 drain to ${whole(endpoints)} endpoints`,
    measured: `${whole(spread(rounds.map(({ drain }) => drain)).median)}/s`,
    limit: `${whole(spread(rounds.map(({ plain }) => plain)).median)}/s plain design`,
    ratio: fine(times),
    target: `>= ${MIN_PLAIN_RATIO}`,
    met: times >= MIN_PLAIN_RATIO,
  };
}
