/*
 * Question: how much of the throughput of `POST /v1/commissions` remains with ten subscribed endpoints, so
 * that each event has ten deliveries?
 */
import { apiServer, type Bench, CONNECTIONS, loadGenerator, serve, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram } from "../program.ts";
import { describe, medianRate, ratios, takeTurns } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";
import { subscribe } from "./subscribers.ts";

const ENDPOINTS = 10;
const MIN_RATIO = 0.7;

/** Question 6. */
export async function measureSubscribedCommissions(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const { database_url, organization_id, api_key, referral_ids } = program;
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([api, load], async () => {
    const port = await serve(api, database_url);
    await withConnection(database_url, (sql) =>
      subscribe(
        sql,
        organization_id,
        Array.from({ length: ENDPOINTS }, (_, number) => `http://127.0.0.1:9/${number}`),
      ),
    );
    const run = async (enabled: boolean) => {
      await withConnection(
        database_url,
        (sql) => sql`
          update endpoints set enabled = ${enabled}, disabled_at = case when ${enabled} then null else now() end,
            disabled_reason = case when ${enabled} then null else 'operator' end`,
      );
      return await load.ask({
        port,
        connections: CONNECTIONS,
        until: { seconds: bench.quick ? 1.5 : 3 },
        send: { kind: "post-commissions", api_key, referral_ids },
      });
    };
    await run(true);
    const written = await withConnection(
      database_url,
      (sql) => sql<[{ deliveries: number; events: number }]>`
        select (select count(*)::int from deliveries) as deliveries, (select count(*)::int from events) as events`,
    );
    const [{ deliveries, events }] = written;
    if (deliveries !== events * ENDPOINTS) throw new Error(`${events} events have ${deliveries} deliveries`);
    bench.print(`${events} events have ${deliveries} deliveries`);
    const comparison = await takeTurns(bench.quick ? 3 : 8, {
      subject: () => run(true),
      limit: () => run(false),
    });
    const ratio = ratios(comparison, ({ per_second }) => per_second);
    bench.print(
      describe(
        comparison,
        { subject: "with 10 endpoints", limit: "with none" },
        { name: "ratio", spread: ratio },
      ),
    );
    return [
      {
        question: "6 POST /v1/commissions with 10 endpoints",
        measured: `${whole(medianRate(comparison.subject))}/s`,
        limit: `${whole(medianRate(comparison.limit))}/s with none`,
        ratio: fine(ratio.median),
        target: `>= ${MIN_RATIO}`,
        met: ratio.median >= MIN_RATIO,
      },
    ];
  });
}
