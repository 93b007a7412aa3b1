/* Question: how much do a million deliveries waiting for a later retry slow down due ones? */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { receiverProcess } from "./children.ts";
import { ENDPOINTS, makeSubscribedDatabase, observe } from "./observe.ts";
import { fillWaiting } from "./subscribers.ts";

const MIN_RATIO = 0.85;

/** Question 4. */
export async function measureWaiting(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  return await withChildren([receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const places = {
      few: await makeSubscribedDatabase(bench, port),
      many: await makeSubscribedDatabase(bench, port),
    };
    const waiting = bench.quick ? 100_000 : 1_000_000;
    await withConnection(places.many.database_url, (sql) => fillWaiting(sql, waiting / ENDPOINTS));
    const ratios: { rate: number[]; latency: number[] } = { rate: [], latency: [] };
    const seconds = bench.quick ? 3 : 6;
    let last = {
      few: { per_second: 0, p50_ms: 0, p99_ms: 0 },
      many: { per_second: 0, p50_ms: 0, p99_ms: 0 },
    };
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      last = {
        few: await observe(receiver, places.few, seconds),
        many: await observe(receiver, places.many, seconds),
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
        target: `>= ${MIN_RATIO}`,
        met: ratio >= MIN_RATIO,
      };
    };
    const { few, many } = last;
    return [
      verdict("drain", [`${whole(many.per_second)}/s`, `${whole(few.per_second)}/s`], ratios.rate),
      verdict("p50 at 300 events/s", [`${fine(many.p50_ms)} ms`, `${fine(few.p50_ms)} ms`], ratios.latency),
    ];
  });
}
