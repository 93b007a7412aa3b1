/*
 * Answers: what do a million deliveries that wait for a later retry take from those that are due?
 */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { type Receiver, receiverProcess, workerProcess } from "./drain.ts";
import { makeEvents, PER_SECOND } from "./latency.ts";
import {
  fillDeliveries,
  fillWaiting,
  type Home,
  makeDatabase,
  SECRETS_KEY,
  subscribe,
} from "./subscribers.ts";

const ENDPOINTS = 100;
const DUE = 20_000;
const LEAST_RATIO = 0.85;

interface Seen {
  per_second: number;
  p50_ms: number;
}

/** Question 4. */
export async function judgeWaiting(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  return await withChildren([receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const places = { few: await prepare(bench, port), many: await prepare(bench, port) };
    const waiting = bench.quick ? 100_000 : 1_000_000;
    await withConnection(places.many.database_url, (sql) => fillWaiting(sql, waiting / ENDPOINTS));
    const ratios: { rate: number[]; latency: number[] } = { rate: [], latency: [] };
    let last = { few: { per_second: 0, p50_ms: 0 }, many: { per_second: 0, p50_ms: 0 } };
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      last = {
        few: await observe(bench, receiver, places.few),
        many: await observe(bench, receiver, places.many),
      };
      ratios.rate.push(last.many.per_second / last.few.per_second);
      ratios.latency.push(last.few.p50_ms / last.many.p50_ms);
    }
    const verdict = (question: string, [many, few]: [string, string], values: number[]): Verdict => {
      const ratio = values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
      return {
        question: `4 ${question}, ${whole(waiting)} waiting`,
        measured: many,
        limit: `${few} with none`,
        ratio: fine(ratio),
        target: `>= ${LEAST_RATIO}`,
        met: ratio >= LEAST_RATIO,
      };
    };
    const { few, many } = last;
    return [
      verdict("drain", [`${whole(many.per_second)}/s`, `${whole(few.per_second)}/s`], ratios.rate),
      verdict("p50 at 300 events/s", [`${fine(many.p50_ms)} ms`, `${fine(few.p50_ms)} ms`], ratios.latency),
    ];
  });
}

async function prepare(bench: Bench, port: number): Promise<Home> {
  const place = await makeDatabase(bench.server);
  const urls = Array.from({ length: ENDPOINTS }, (_, number) => `http://127.0.0.1:${port}/hooks/${number}`);
  await withConnection(place.database_url, (sql) => subscribe(sql, place.organization_id, urls));
  return place;
}

/** Drains what is due, then delivers a steady stream to one endpoint. */
async function observe(bench: Bench, receiver: Receiver, place: Home): Promise<Seen> {
  const { database_url } = place;
  await withConnection(database_url, (sql) => fillDeliveries(sql, { per_endpoint: DUE / ENDPOINTS }));
  await receiver.ask({ job: "reset" });
  const worker = workerProcess();
  return await withChildren([worker], async () => {
    await worker.ask({ database_url, pool_size: 6, secrets_key: SECRETS_KEY.toString("base64") });
    const { seconds } = await receiver.ask({ job: "wait", count: DUE });
    await receiver.ask({ job: "reset" });
    const events = { ...place, seconds: bench.quick ? 3 : 6, per_second: PER_SECOND / ENDPOINTS };
    await makeEvents(events);
    const count = events.seconds * PER_SECOND;
    const { p50_ms } = await receiver.ask({ job: "wait", count });
    return { per_second: DUE / seconds, p50_ms };
  });
}
