/* Question: does a worker's memory stay bounded over many deliveries, including hostile receivers? */
import { type Bench, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { watchMemory } from "../process-status.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { receiverProcess, startWork, workerProcess } from "./children.ts";
import { fillDeliveries, makeDatabase, subscribe } from "./subscribers.ts";

const ENDPOINTS = 100;
/** One in ten never responds, and one in ten responds with an endless body. */
const HANGING = 10;
const ENDLESS = 10;
const MAX_RATIO = 1.15;

/** Question 5. */
export async function measureWorkerMemory(bench: Bench): Promise<Verdict[]> {
  const receiver = receiverProcess();
  const worker = workerProcess();
  return await withChildren([worker, receiver], async () => {
    const { port } = await receiver.ask({ job: "listen" });
    const { database_url, organization_id } = await makeDatabase(bench.server);
    const urls = Array.from({ length: ENDPOINTS }, (_, number) => {
      const path = number < HANGING ? "hang" : number < HANGING + ENDLESS ? "endless" : "hooks";
      return `http://127.0.0.1:${port}/${path}/${number}`;
    });
    await withConnection(database_url, (sql) => subscribe(sql, organization_id, urls));
    await startWork(worker, database_url);
    const steps = 5;
    const per_step = (bench.quick ? 20_000 : 100_000) / steps;
    const resident: number[] = [];
    for (let step = 0; step < steps; step++) {
      await receiver.ask({ job: "reset" });
      const memory = watchMemory(worker.pid);
      await withConnection(database_url, (sql) =>
        fillDeliveries(sql, { per_endpoint: per_step / ENDPOINTS }),
      );
      await receiver.ask({ job: "wait", count: (per_step / ENDPOINTS) * (ENDPOINTS - HANGING) });
      resident.push((await memory.finish())?.sampled_mb ?? Number.NaN);
    }
    bench.print(`resident after each fifth: ${resident.map(whole).join(", ")} MB`);
    const [, first = Number.NaN] = resident;
    const last = resident.at(-1) ?? Number.NaN;
    return [
      {
        question: `5 memory of a worker over ${whole(per_step * steps)} deliveries`,
        measured: `${whole(last)} MB`,
        limit: `${whole(first)} MB after two fifths`,
        ratio: fine(last / first),
        target: `<= ${MAX_RATIO}`,
        met: Number.isNaN(last) ? null : last / first <= MAX_RATIO,
      },
    ];
  });
}
