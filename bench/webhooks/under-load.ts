/*
 * Question: how long do single events to one healthy endpoint take, first alone and then while other traffic
 * loads the worker?
 */
import type { Database } from "@findersfee/database/postgres/connect";
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { receiverProcess, startWork, workerProcess } from "./children.ts";
import { makeEvents, PER_SECOND } from "./latency.ts";
import { makeDatabase, subscribe } from "./subscribers.ts";

const MAX_RATIO = 2;
const EVENTS_PER_SECOND = 50;
const WARM_UP_SECONDS = 2;

/** The load of other organizations. */
export interface Load {
  /** For the verdict: "while …". */
  name: string;
  /**
   * Creates this many seconds of load in a database with one organization, for endpoints at the receiver's
   * port. Resolves when events can be measured.
   */
  make: (sql: Database, place: { port: number; seconds: number }) => Promise<void>;
  /** For the report: counts a part of the load in the database, after the measurement. */
  left: { name: string; count: (sql: Database) => Promise<number> };
}

interface Observation {
  p50_ms: number;
  p99_ms: number;
}

interface Round {
  alone: Observation;
  under_load: Observation;
  /** Requests of the load that its receiver answered at the same time. */
  others: number;
  left: number;
}

/**
 * Compares the p99 of single events, alone and under load, with a new database and a new worker for each
 * round.
 */
export async function measureUnderLoad(bench: Bench, question: number, load: Load): Promise<Verdict[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round++) rounds.push(await takeRound(bench, load));
  bench.print(describe(load, rounds));
  const alone = spread(rounds.map((round) => round.alone.p99_ms)).median;
  const under_load = spread(rounds.map((round) => round.under_load.p99_ms)).median;
  return [
    {
      question: `${question} p99 of single events while ${load.name}`,
      measured: `${fine(under_load)} ms`,
      limit: `${fine(alone)} ms without`,
      ratio: fine(under_load / alone),
      target: `<= ${MAX_RATIO}`,
      met: under_load / alone <= MAX_RATIO,
    },
  ];
}

async function takeRound(bench: Bench, load: Load): Promise<Round> {
  const receiver = receiverProcess();
  // A separate process: in the measured receiver's process, the load's responses would count as latency.
  const other = receiverProcess();
  const worker = workerProcess();
  return await withChildren([worker, receiver, other], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const { port: other_port } = await other.ask({ job: "listen" });
    const database = await makeDatabase(bench.server);
    const seconds = bench.quick ? 6 : 20;
    const measure = async (job: { seconds: number; per_second: number }) => {
      await receiver.ask({ job: "reset" });
      await makeEvents({ ...database, ...job });
      return await receiver.ask({ job: "wait", count: job.seconds * job.per_second });
    };
    return await withConnection(database.database_url, async (sql) => {
      await subscribe(sql, database.organization_id, [`http://127.0.0.1:${port}/hooks`]);
      await startWork(worker, database.database_url);
      await measure({ seconds: WARM_UP_SECONDS, per_second: PER_SECOND });
      const alone = await measure({ seconds, per_second: EVENTS_PER_SECOND });
      await load.make(sql, { port: other_port, seconds });
      await other.ask({ job: "reset" });
      const under_load = await measure({ seconds, per_second: EVENTS_PER_SECOND });
      const { others } = await other.ask({ job: "report" });
      return { alone, under_load, others, left: await load.left.count(sql) };
    });
  });
}

function describe({ name, left }: Load, rounds: readonly Round[]): string {
  return formatTable([
    [
      `single events, while ${name}`,
      "p50 ms",
      "p99 ms",
      "p50 alone",
      "p99 alone",
      "other requests",
      left.name,
    ],
    ...rounds.map((round, number) => [
      `round ${number + 1}`,
      ...[round.under_load.p50_ms, round.under_load.p99_ms, round.alone.p50_ms, round.alone.p99_ms].map(fine),
      whole(round.others),
      whole(round.left),
    ]),
  ]);
}
