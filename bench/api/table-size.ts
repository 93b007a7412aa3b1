/*
 * Question: does the service stay fast as its tables grow? Pages by cursor and creation of commissions in a
 * database with 1,000,000 commissions, compared with one of the same shape with 10,000.
 *
 * A page is compared with the page at the same relative depth of the smaller table, since older commissions
 * are in a payout, which makes longer responses. One request at a time, since the result is the time of one
 * request.
 */
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import { findCursor } from "../fill.ts";
import type { LoadJob } from "../load.ts";
import type { Measurement } from "../measurement.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { type Comparison, describe, ratios, spread, takeTurns } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";

const MAX_RATIO = 1.3;
const PAGE = 100;
const SMALL = 10_000;

interface Table {
  commissions: number;
  program: Program;
  /** Halfway through the table. */
  deep_page: number;
  deep_cursor: string;
}

interface Side extends Table {
  port: number;
}

/** Question 3. */
export async function measureTableSize(bench: Bench): Promise<Verdict[]> {
  const small = await makeTable(bench, SMALL);
  const large = await makeTable(bench, bench.quick ? 100_000 : 1_000_000);
  const apis = { small: apiServer(bench), large: apiServer(bench) };
  const load = loadGenerator();
  return await withChildren([apis.small, apis.large, load], async () => {
    const sides = {
      limit: { ...small, port: await serve(apis.small, small.program.database_url) },
      subject: { ...large, port: await serve(apis.large, large.program.database_url) },
    };
    const compare = (what: string, job: (side: Side) => LoadJob) =>
      compareSizes(bench, { what, sides, ask: (side) => load.ask(job(side)) });
    return [
      await compare("first page of 100", (side) => getPage(side, "")),
      await compare(`page ${whole(large.deep_page)} of 100`, (side) => getPage(side, side.deep_cursor)),
      await compare("POST /v1/commissions", (side) => postCommissions(side)),
    ];
  });
}

async function makeTable(bench: Bench, commissions: number): Promise<Table> {
  const started_at = performance.now();
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  const deep_page = commissions / PAGE / 2;
  const deep_cursor = await withConnection(program.database_url, (sql) =>
    findCursor(sql, program.organization_id, { page: deep_page, limit: PAGE }),
  );
  const seconds = (performance.now() - started_at) / 1000;
  bench.print(`a database with ${whole(commissions)} commissions, filled in ${fine(seconds)} s`);
  return { commissions, program, deep_page, deep_cursor };
}

function getPage({ port, program }: Side, cursor: string): LoadJob {
  const path = `/v1/commissions?limit=${PAGE}&cursor=${cursor}`;
  return {
    port,
    connections: 1,
    until: { seconds: 0.5 },
    send: { kind: "get", api_key: program.api_key, paths: [path] },
  };
}

/** Few enough that the smaller table stays small. */
function postCommissions({ port, program }: Side): LoadJob {
  const { api_key, referral_ids } = program;
  return {
    port,
    connections: 1,
    until: { requests: 200 },
    send: { kind: "post-commissions", api_key, referral_ids },
  };
}

interface SizeComparison {
  what: string;
  sides: { subject: Side; limit: Side };
  ask: (side: Side) => Promise<Measurement>;
}

async function compareSizes(bench: Bench, { what, sides, ask }: SizeComparison): Promise<Verdict> {
  const { subject, limit } = sides;
  for (const side of [limit, subject, limit, subject]) await ask(side);
  const comparison: Comparison = await takeTurns(bench.quick ? 4 : 16, {
    subject: () => ask(subject),
    limit: () => ask(limit),
  });
  const ratio = ratios(comparison, ({ p50_ms }) => p50_ms);
  const names = { subject: `${whole(subject.commissions)} rows`, limit: `${whole(limit.commissions)} rows` };
  bench.print(`${what}\n${describe(comparison, names, { name: "ratio of p50", spread: ratio })}`);
  const median = (measurements: Measurement[]) =>
    fine(spread(measurements.map(({ p50_ms }) => p50_ms)).median);
  return {
    question: `3 ${what}, ${names.subject}`,
    measured: `${median(comparison.subject)} ms`,
    limit: `${median(comparison.limit)} ms with ${names.limit}`,
    ratio: fine(ratio.median),
    target: `<= ${MAX_RATIO}`,
    met: ratio.median <= MAX_RATIO,
  };
}
