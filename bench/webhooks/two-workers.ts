/* Question: do two workers on one Postgres drain at least as fast as one? */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { cpuSeconds, postgresCpuSeconds } from "../process-status.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { type Receiver, receiverProcess, startWork, type WorkerProcess, workerProcess } from "./children.ts";
import { ENDPOINTS, makeSubscribedDatabase } from "./observe.ts";
import { areShared } from "./shares.ts";
import { fillDeliveries } from "./subscribers.ts";

const MIN_RATIO = 1;
/** Filled deliveries become due all at once, after this delay. */
const DUE_SECONDS = 4;

/** A database with its delivering workers. */
interface Site {
  database_url: string;
  workers: WorkerProcess[];
}

interface Observation {
  per_second: number;
  /** CPU time in microseconds per delivery. */
  workers_cpu: number;
  postgres_cpu: number;
  receiver_cpu: number;
}

/** Question 11. */
export async function measureTwoWorkers(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  const children = [receiver, workerProcess(), workerProcess(), workerProcess()] as const;
  const [, ...workers] = children;
  return await withChildren(children, async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const one = await makeSite(bench, port, workers.slice(0, 1));
    const two = await makeSite(bench, port, workers.slice(1));
    const rounds: { one: Observation; two: Observation }[] = [];
    const deliveries = bench.quick ? 10_000 : 20_000;
    // Warms up every process with as much as two rounds: each of two workers does half of a round.
    for (const site of [one, two, two, one, two, two]) await drain(receiver, site, deliveries);
    for (let round = 0; round < (bench.quick ? 2 : 6); round++) {
      rounds.push({
        one: await drain(receiver, one, deliveries),
        two: await drain(receiver, two, deliveries),
      });
    }
    bench.print(describe(rounds));
    const ratio = spread(rounds.map(({ one, two }) => two.per_second / one.per_second)).median;
    return [
      {
        question: "11 drain by two workers",
        measured: `${whole(spread(rounds.map(({ two }) => two.per_second)).median)}/s`,
        limit: `${whole(spread(rounds.map(({ one }) => one.per_second)).median)}/s by one`,
        ratio: fine(ratio),
        target: `>= ${MIN_RATIO}`,
        met: ratio >= MIN_RATIO,
      },
    ];
  });
}

async function makeSite(bench: Bench, port: number, workers: WorkerProcess[]): Promise<Site> {
  const { database_url } = await makeSubscribedDatabase(bench, port);
  for (const worker of workers) await startWork(worker, database_url);
  await withConnection(database_url, (sql) => areShared(sql, workers.length));
  return { database_url, workers };
}

async function drain(
  receiver: Receiver,
  { database_url, workers }: Site,
  deliveries: number,
): Promise<Observation> {
  await receiver.ask({ job: "reset" });
  return await withConnection(database_url, async (sql) => {
    await fillDeliveries(sql, { per_endpoint: deliveries / ENDPOINTS, due_seconds: DUE_SECONDS });
    const read = async () => ({
      workers: await sum(workers.map(({ pid }) => cpuSeconds(pid))),
      postgres: (await postgresCpuSeconds(sql)) ?? Number.NaN,
      receiver: (await cpuSeconds(receiver.pid)) ?? Number.NaN,
    });
    const before = await read();
    const { seconds } = await receiver.ask({ job: "wait", count: deliveries });
    const after = await read();
    const each = (name: keyof typeof before) => ((after[name] - before[name]) / deliveries) * 1e6;
    return {
      per_second: deliveries / seconds,
      workers_cpu: each("workers"),
      postgres_cpu: each("postgres"),
      receiver_cpu: each("receiver"),
    };
  });
}

async function sum(values: Promise<number | null>[]): Promise<number> {
  return (await Promise.all(values)).reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
}

function describe(rounds: readonly { one: Observation; two: Observation }[]): string {
  const line = (name: string, seen: Observation) => [
    name,
    whole(seen.per_second),
    ...[seen.workers_cpu, seen.postgres_cpu, seen.receiver_cpu].map(whole),
  ];
  return formatTable([
    ["drain by", "/s", "CPU of workers, µs each", "of Postgres", "of the receiver"],
    ...rounds.flatMap(({ one, two }) => [line("one worker", one), line("two workers", two)]),
  ]);
}
