/*
 * Question: how fast is the backlog of one endpoint drained, and how fast is the rest after a restart of
 * everything halfway?
 */
import type { Database } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import {
  barePostsProcess,
  type Receiver,
  receiverProcess,
  startWork,
  type WorkerProcess,
  workerProcess,
} from "./children.ts";
import { BODY, fillDeliveries, makeDatabase, subscribe, type WorkerDatabase } from "./subscribers.ts";

const MIN_RATIO = 0.3;
/** A killed worker's deliveries wait for the end of its lease. */
const LEASE_SECONDS = 8;
const BARE_POSTS = 20_000;

/** How the worker stops; Postgres is stopped in both cases. */
type Ending = "stopped" | "killed";

interface Round {
  ending: Ending;
  /** Per second, for the whole backlog without a restart. */
  drain: number;
  /** Per second, for the deliveries left after the restart. */
  after: number;
  bare: number;
  left: number;
  /** From the start of the new worker to the first delivery. */
  first_seconds: number;
}

/** Question 9. */
export async function measureBacklog(bench: Bench): Promise<Verdict[]> {
  const backlog = bench.quick ? 20_000 : 100_000;
  const endings: Ending[] = ["stopped", "killed"];
  const rounds: Round[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round++)
    for (const ending of endings) rounds.push(await takeRound(bench, { backlog, ending }));
  bench.print(describe(rounds));
  return [
    verdict(`drain of ${whole(backlog)} to one endpoint`, rounds, ({ drain }) => drain),
    ...endings.map((ending) =>
      verdict(
        `the same, ${ending} halfway${bench.server.restart === null ? "" : ", Postgres too"}`,
        rounds.filter((round) => round.ending === ending),
        ({ after }) => after,
      ),
    ),
  ];
}

async function takeRound(
  bench: Bench,
  { backlog, ending }: { backlog: number; ending: Ending },
): Promise<Round> {
  const receiver = receiverProcess();
  const bare = barePostsProcess();
  const first = workerProcess();
  const second = workerProcess();
  return await withChildren([receiver, bare, first, second], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const database = await prepare(bench, port);
    const fill = () =>
      withConnection(database.database_url, (sql) => fillDeliveries(sql, { per_endpoint: backlog }));
    await fill();
    await startWork(first, database.database_url, { lease_seconds: LEASE_SECONDS });
    const whole_backlog = await receiver.ask({ job: "wait", count: backlog });
    const { per_second } = await bare.ask({
      url: `http://127.0.0.1:${port}/bare`,
      body: BODY,
      requests: BARE_POSTS,
      connections: whole_backlog.connections,
    });
    await receiver.ask({ job: "reset" });
    await fill();
    await receiver.ask({ job: "wait", count: backlog / 2 });
    const rest = await drainRest(bench, { receiver, first, second, database, ending });
    return { ending, drain: backlog / whole_backlog.seconds, bare: per_second, ...rest };
  });
}

async function prepare(bench: Bench, port: number): Promise<WorkerDatabase> {
  const database = await makeDatabase(bench.server);
  await withConnection(database.database_url, async (sql) => {
    await subscribe(sql, database.organization_id, [`http://127.0.0.1:${port}/hooks`]);
    await makePartitions(sql, ATTEMPTS, { ahead: 0 });
  });
  return database;
}

/**
 * Stops the first worker, restarts Postgres if it is embedded, and drains the rest with the second worker.
 */
async function drainRest(
  bench: Bench,
  {
    receiver,
    first,
    second,
    database,
    ending,
  }: {
    receiver: Receiver;
    first: WorkerProcess;
    second: WorkerProcess;
    database: WorkerDatabase;
    ending: Ending;
  },
): Promise<Pick<Round, "after" | "left" | "first_seconds">> {
  await (ending === "killed" ? first.kill() : first.stop());
  const database_url = (await bench.server.restart?.(database.database_url)) ?? database.database_url;
  const left = await withConnection(database_url, countPending);
  await receiver.ask({ job: "reset" });
  const started_at = performance.now();
  const came = receiver.ask({ job: "wait", count: 1 });
  await startWork(second, database_url, { lease_seconds: LEASE_SECONDS });
  await came;
  const first_seconds = (performance.now() - started_at) / 1000;
  const { seconds } = await receiver.ask({ job: "wait", count: left });
  return { after: left / seconds, left, first_seconds };
}

async function countPending(sql: Database): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from pending_deliveries`;
  return row.count;
}

function describe(rounds: readonly Round[]): string {
  return formatTable([
    ["worker", "drain, /s", "bare POSTs", "ratio", "after it, /s", "ratio", "left", "first after, s"],
    ...rounds.map(({ ending, drain, after, bare, left, first_seconds }) => [
      ending === "killed" ? `killed, lease of ${LEASE_SECONDS} s` : ending,
      whole(drain),
      whole(bare),
      fine(drain / bare),
      whole(after),
      fine(after / bare),
      whole(left),
      fine(first_seconds),
    ]),
  ]);
}

function verdict(question: string, rounds: readonly Round[], rate: (round: Round) => number): Verdict {
  const ratio = spread(rounds.map((round) => rate(round) / round.bare)).median;
  return {
    question: `9 ${question}`,
    measured: `${whole(spread(rounds.map(rate)).median)}/s`,
    limit: `${whole(spread(rounds.map(({ bare }) => bare)).median)}/s bare POSTs`,
    ratio: fine(ratio),
    target: `>= ${MIN_RATIO}`,
    met: ratio >= MIN_RATIO,
  };
}
