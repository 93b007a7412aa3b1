/*
 * Question: how much of the two cores does the load generator use? Its CPU time per request, and its
 * throughput against a server that does nothing.
 */
import { type Bench, CONNECTIONS, loadGenerator, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import type { BareServerJob } from "../processes/bare-server.ts";
import { whole } from "../table.ts";

/** About the size of a commission. */
const ANSWER_BYTES = 2_000;

export async function describeLoadCost(bench: Bench): Promise<string> {
  const bare = new Child<BareServerJob, number>(new URL("../processes/bare-server.ts", import.meta.url));
  const load = loadGenerator();
  return await withChildren([bare, load], async () => {
    const port = await bare.ask({ body_bytes: ANSWER_BYTES });
    const run = () =>
      load.ask({
        port,
        connections: CONNECTIONS,
        until: { seconds: bench.quick ? 0.5 : 1.5 },
        send: { kind: "post-commissions", api_key: "x".repeat(49), referral_ids: ["x".repeat(36)] },
      });
    await run();
    const { per_second, own_cpu_microseconds } = await run();
    return `The load generator sends ${whole(per_second)} POSTs/s to a server that does nothing, at ${whole(own_cpu_microseconds)} µs of CPU each.`;
  });
}
