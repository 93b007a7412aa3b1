/*
 * Question: what does a visitor pay for a click that is counted and durable before the response? `POST
 * /track/click` and `GET /r/{code}` compared with a bare Fastify route that returns the same without a
 * database, and their latency at half of their maximum rate.
 */
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import { Child } from "../child.ts";
import { CpuAccount } from "../cpu-account.ts";
import type { Clicks, LoadJob } from "../load.ts";
import type { BareTrackingJob } from "../processes/bare-tracking.ts";
import { profileArguments, summarizeProfile } from "../profile.ts";
import { makeProgram } from "../program.ts";
import { describe, medianRate, ratios, spread, takeTurns } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";

/** Each visitor has a separate connection. */
const CONNECTIONS = 256;
const MIN_RATIO = 0.35;
const MAX_P99_MS = 50;

/** Question 1. */
export function measureClicks(bench: Bench): Promise<Verdict[]> {
  return measureQuestion(bench, { question: 1, name: "POST /track/click", kind: "post-clicks" });
}

/** Question 2. */
export function measureLinks(bench: Bench): Promise<Verdict[]> {
  return measureQuestion(bench, { question: 2, name: "GET /r/{code}", kind: "follow-links" });
}

async function measureQuestion(
  bench: Bench,
  { question, name, kind }: { question: number; name: string; kind: Clicks["kind"] },
): Promise<Verdict[]> {
  const { database_url, publishable_key, codes } = await makeProgram(await bench.server.createDatabase(), 0);
  const api = apiServer(bench, bench.profile_folder === null ? [] : profileArguments(bench.profile_folder));
  const bare = new Child<BareTrackingJob, number>(new URL("../processes/bare-tracking.ts", import.meta.url));
  const load = loadGenerator();
  const started_at = performance.now();
  let warm_at = started_at;
  const verdicts = await withChildren([api, bare, load], async () => {
    const ports = { subject: await serve(api, database_url), limit: await bare.ask({}) };
    const job = (port: number, changes: Partial<LoadJob> = {}): LoadJob => ({
      port,
      connections: CONNECTIONS,
      until: { seconds: bench.quick ? 1.5 : 3 },
      send: { kind, publishable_key, codes },
      ...changes,
    });
    await load.ask(job(ports.subject));
    await load.ask(job(ports.limit));
    warm_at = performance.now();
    const account = new CpuAccount(api.pid, database_url);
    const comparison = await takeTurns(bench.quick ? 3 : 6, {
      subject: () => account.count(true, () => load.ask(job(ports.subject))),
      limit: () => load.ask(job(ports.limit)),
    });
    const ratio = ratios(comparison, ({ per_second }) => per_second);
    const names = { subject: name, limit: "a bare Fastify route" };
    bench.print(describe(comparison, names, { name: "ratio", spread: ratio }));
    const cost = account.cost();
    bench.print(
      formatTable([
        ["CPU time of each, µs", "process", "Postgres", "load generator"],
        [name, ...[cost.process, cost.postgres, cost.load].map(whole)],
      ]),
    );
    const per_second = medianRate(comparison.subject);
    const half = [];
    for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
      half.push(await load.ask(job(ports.subject, { per_second: per_second / 2 })));
    }
    const p99_ms = spread(half.map((item) => item.p99_ms)).median;
    return [
      {
        question: `${question} ${name}, durable, ${CONNECTIONS} connections`,
        measured: `${whole(per_second)}/s`,
        limit: `${whole(medianRate(comparison.limit))}/s bare route`,
        ratio: fine(ratio.median),
        target: `>= ${MIN_RATIO}`,
        met: ratio.median >= MIN_RATIO,
      },
      {
        question: `  p99 at half of that, ${whole(spread(half.map((round) => round.per_second)).median)}/s`,
        measured: `${fine(p99_ms)} ms`,
        limit: "",
        ratio: "",
        target: `<= ${MAX_P99_MS} ms`,
        met: p99_ms <= MAX_P99_MS,
      },
    ];
  });
  if (bench.profile_folder !== null) {
    bench.print(await summarizeProfile(bench.profile_folder, (warm_at - started_at) / 1000));
  }
  return verdicts;
}
