/*
 * Question: what does the service add to the cost of a query? `GET /v1/affiliates/{id}` compared with a bare
 * Fastify route that runs the same query and returns the row.
 */
import { apiServer, type Bench, CONNECTIONS, loadGenerator, serve, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { POOL_SIZE } from "../postgres-server.ts";
import type { BareRouteJob } from "../processes/bare-route.ts";
import { makeProgram } from "../program.ts";
import { describe, medianRate, ratios, takeTurns } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";

const MIN_RATIO = 0.5;

/** Question 2. */
export async function measureGet(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const { database_url, organization_id, api_key, affiliate_ids } = program;
  const api = apiServer(bench);
  const bare = new Child<BareRouteJob, number>(new URL("../processes/bare-route.ts", import.meta.url));
  const load = loadGenerator();
  const comparison = await withChildren([api, bare, load], async () => {
    const ports = {
      subject: await serve(api, database_url),
      limit: await bare.ask({ database_url, organization_id, pool_size: POOL_SIZE }),
    };
    const seconds = bench.quick ? 1 : 2;
    const paths = affiliate_ids.map((id) => `/v1/affiliates/${id}`);
    const run = (port: number) =>
      load.ask({ port, connections: CONNECTIONS, until: { seconds }, send: { kind: "get", api_key, paths } });
    await run(ports.subject);
    await run(ports.limit);
    return await takeTurns(bench.quick ? 3 : 6, {
      subject: () => run(ports.subject),
      limit: () => run(ports.limit),
    });
  });
  const ratio = ratios(comparison, ({ per_second }) => per_second);
  bench.print(
    describe(
      comparison,
      { subject: "GET /v1/affiliates/{id}", limit: "a bare Fastify route" },
      { name: "ratio", spread: ratio },
    ),
  );
  return [
    {
      question: `2 GET /v1/affiliates/{id}, ${CONNECTIONS} connections`,
      measured: `${whole(medianRate(comparison.subject))}/s`,
      limit: `${whole(medianRate(comparison.limit))}/s bare route`,
      ratio: fine(ratio.median),
      target: `>= ${MIN_RATIO}`,
      met: ratio.median >= MIN_RATIO,
    },
  ];
}
