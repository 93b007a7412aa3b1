/*
 * Question: how much of the database's throughput does `POST /v1/commissions` leave to its callers? Includes
 * keys, rate limits, idempotency and events, compared with its two statements executed directly through
 * postgres.js.
 */
import { apiServer, type Bench, CONNECTIONS, loadGenerator, serve, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { CpuAccount, type CpuCost } from "../cpu-account.ts";
import { forgetConversions } from "../fill.ts";
import type { Measurement, Until } from "../measurement.ts";
import { POOL_SIZE, withConnection } from "../postgres-server.ts";
import { type MemoryMetrics, watchMemory } from "../process-status.ts";
import type { DirectJob } from "../processes/direct-statements.ts";
import { profileArguments, summarizeProfile } from "../profile.ts";
import { makeProgram, type Program } from "../program.ts";
import { type Comparison, describe, medianRate, ratios, type Spread, takeTurns } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";

const MIN_RATIO = 0.7;
const MIN_PER_SECOND = 5_000;

/** Question 4 uses these results too. */
export interface CommissionLoad {
  comparison: Comparison;
  memory: MemoryMetrics | null;
}

/** Loads the API and the database in turn. */
export async function loadCommissions(bench: Bench): Promise<CommissionLoad> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const api = apiServer(bench, bench.profile_folder === null ? [] : profileArguments(bench.profile_folder));
  const load = loadGenerator();
  const direct: Direct = new Child(new URL("../processes/direct-statements.ts", import.meta.url));
  const started_at = performance.now();
  let warm_at = started_at;
  const result = await withChildren([api, load, direct], async () => {
    const run = runsOf(program, { load, direct, port: await serve(api, program.database_url) });
    const seconds = bench.quick ? 1.5 : 4;
    // The first direct run writes for a referral that must not be converted yet.
    await run.limit({ seconds });
    const { per_second } = await run.subject({ seconds });
    // The same number of requests for both, so that both include the same number of first commissions.
    const until = { requests: Math.round(per_second * seconds) };
    warm_at = performance.now();
    const memory = watchMemory(api.pid);
    const accounts = {
      subject: new CpuAccount(api.pid, program.database_url),
      limit: new CpuAccount(direct.pid, program.database_url),
    };
    const comparison = await takeTurns(bench.quick ? 3 : 6, {
      subject: () => accounts.subject.count(true, () => run.subject(until)),
      limit: () => accounts.limit.count(false, () => run.limit(until)),
    });
    report(bench, comparison, { subject: accounts.subject.cost(), limit: accounts.limit.cost() });
    await reportTogether(bench, run, until);
    return { comparison, memory: await memory.finish() };
  });
  if (bench.profile_folder !== null) {
    bench.print(await summarizeProfile(bench.profile_folder, (warm_at - started_at) / 1000));
  }
  return result;
}

type Direct = Child<DirectJob, Measurement>;

function runsOf(
  program: Program,
  { load, direct, port }: { load: ReturnType<typeof loadGenerator>; direct: Direct; port: number },
) {
  const { database_url, organization_id, api_key, referral_ids } = program;
  // Each referral has its first commission once per round.
  const prepare = () => withConnection(database_url, (sql) => forgetConversions(sql, organization_id));
  return {
    subject: async (until: Until) => {
      await prepare();
      return await load.ask({
        port,
        connections: CONNECTIONS,
        until,
        send: { kind: "post-commissions", api_key, referral_ids },
      });
    },
    limit: async (until: Until, together = false) => {
      await prepare();
      const pool = { pool_size: POOL_SIZE, loops: CONNECTIONS };
      return await direct.ask({ database_url, organization_id, referral_ids, ...pool, together, until });
    },
  };
}

function report(bench: Bench, comparison: Comparison, cost: { subject: CpuCost; limit: CpuCost }): void {
  const names = { subject: "POST /v1/commissions", limit: "the same SQL without HTTP" };
  bench.print(describe(comparison, names, { name: "ratio", spread: rateRatios(comparison) }));
  const line = (name: string, { process, postgres, load }: CpuCost) => [
    name,
    ...[process, postgres, load, process + postgres + load].map(whole),
  ];
  bench.print(
    formatTable([
      ["CPU time of each, µs", "process", "Postgres", "load generator", "all"],
      line(names.subject, cost.subject),
      line(names.limit, cost.limit),
    ]),
  );
}

/**
 * The service batches concurrent commissions; a client without HTTP can do the same. The comparison shows the
 * cost of HTTP.
 */
async function reportTogether(bench: Bench, run: ReturnType<typeof runsOf>, until: Until): Promise<void> {
  const comparison = await takeTurns(bench.quick ? 2 : 3, {
    subject: () => run.subject(until),
    limit: () => run.limit(until, true),
  });
  const names = { subject: "POST /v1/commissions", limit: "the same, batched" };
  bench.print(describe(comparison, names, { name: "ratio", spread: rateRatios(comparison) }));
}

function rateRatios(comparison: Comparison): Spread {
  return ratios(comparison, ({ per_second }) => per_second);
}

/** Question 1. */
export function measureThroughput({ comparison }: CommissionLoad): Verdict[] {
  const per_second = medianRate(comparison.subject);
  const ratio = rateRatios(comparison).median;
  const measured = `${whole(per_second)}/s`;
  return [
    {
      question: `1 POST /v1/commissions, ${CONNECTIONS} connections`,
      measured,
      limit: `${whole(medianRate(comparison.limit))}/s same SQL`,
      ratio: fine(ratio),
      target: `>= ${MIN_RATIO}`,
      met: ratio >= MIN_RATIO,
    },
    {
      question: "  requests per second, on 2 cores",
      measured,
      limit: "",
      ratio: "",
      target: `> ${whole(MIN_PER_SECOND)}/s`,
      met: per_second > MIN_PER_SECOND,
    },
  ];
}
