/*
 * Answers: how much of what sending alone can reach is left when claims, attempts and states are written
 * down, for deliveries to one endpoint, to some and to many?
 */
import { type Bench, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { withConnection } from "../postgres-server.ts";
import type { PostJob } from "../processes/bare-posts.ts";
import type { ReceiverJob, ReceiverReport } from "../processes/receiver.ts";
import type { WorkJob } from "../processes/worker.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { BODY, fillDeliveries, makeDatabase, SECRETS_KEY, subscribe } from "./subscribers.ts";

const LEAST_RATIO = 0.4;
const CONNECTIONS = 32;
const ENDPOINTS = [1, 100, 10_000];

export type Receiver = Child<ReceiverJob, ReceiverReport>;

export function receiverProcess(): Receiver {
  return new Child(new URL("../processes/receiver.ts", import.meta.url));
}

export function workerProcess(exec_arguments: readonly string[] = []): Child<WorkJob, void> {
  return new Child(new URL("../processes/worker.ts", import.meta.url), { exec_arguments });
}

/** Question 1. */
export async function judgeDrain(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  const bare: Child<PostJob, { per_second: number }> = new Child(
    new URL("../processes/bare-posts.ts", import.meta.url),
  );
  return await withChildren([receiver, bare], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const deliveries = bench.quick ? 10_000 : 20_000;
    const post = () =>
      bare.ask({
        url: `http://127.0.0.1:${port}/bare`,
        body: BODY,
        requests: deliveries,
        connections: CONNECTIONS,
      });
    await post();
    const verdicts: Verdict[] = [];
    for (const endpoints of ENDPOINTS) {
      const rates: number[] = [];
      const limits: number[] = [];
      for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
        limits.push((await post()).per_second);
        rates.push(await drain(bench, receiver, { port, endpoints, deliveries }));
      }
      verdicts.push(verdictOf(endpoints, median(rates), median(limits)));
    }
    return verdicts;
  });
}

/** Deliveries per second, from the first to the last that the receiver sees. */
async function drain(
  bench: Bench,
  receiver: Receiver,
  { port, endpoints, deliveries }: { port: number; endpoints: number; deliveries: number },
): Promise<number> {
  const { database_url, organization_id } = await makeDatabase(bench.server);
  await withConnection(database_url, async (sql) => {
    const urls = Array.from({ length: endpoints }, (_, number) => `http://127.0.0.1:${port}/hooks/${number}`);
    await subscribe(sql, organization_id, urls);
    await fillDeliveries(sql, { per_endpoint: deliveries / endpoints });
  });
  await receiver.ask({ job: "reset" });
  const worker = workerProcess();
  return await withChildren([worker], async () => {
    await worker.ask({ database_url, pool_size: 6, secrets_key: SECRETS_KEY.toString("base64") });
    const { seconds, distinct, count } = await receiver.ask({ job: "wait", count: deliveries });
    if (distinct !== count) bench.say(`${count - distinct} deliveries were made twice`);
    return deliveries / seconds;
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function verdictOf(endpoints: number, rate: number, limit: number): Verdict {
  return {
    question: `1 drain to ${whole(endpoints)} endpoints`,
    measured: `${whole(rate)}/s`,
    limit: `${whole(limit)}/s bare POSTs`,
    ratio: fine(rate / limit),
    target: `>= ${LEAST_RATIO}`,
    met: rate / limit >= LEAST_RATIO,
  };
}
