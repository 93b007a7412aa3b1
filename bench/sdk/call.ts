/*
 * Question: what does a call through the SDK add to a bare `fetch`? The same affiliate through
 * `findersfee.affiliates.get` and `GET /v1/affiliates/{id}`, alternating in one process.
 */
import { createClient } from "@findersfee/sdk";
import { apiServer, type Bench, serve, withChildren } from "../bench.ts";
import { type Measurement, startMeasurement, type Until, untilOver } from "../measurement.ts";
import { makeProgram } from "../program.ts";
import { describe, medianRate, ratios, takeTurns } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";

const MAX_RATIO = 1.5;
const CONCURRENT = 16;

/** Question 1. */
export async function measureCall(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const { database_url, api_key, affiliate_ids } = program;
  const api = apiServer(bench);
  return await withChildren([api], async () => {
    const url = `http://127.0.0.1:${await serve(api, database_url)}`;
    const findersfee = createClient({ apiKey: api_key, baseUrl: url });
    const calls: Calls = {
      sdk: (id) => findersfee.affiliates.get({ id }),
      bare: (id) => bareGet(`${url}/v1/affiliates/${id}`, api_key),
    };
    const verdicts: Verdict[] = [];
    for (const callers of [1, CONCURRENT]) {
      verdicts.push(await compare(bench, calls, { callers, ids: affiliate_ids }));
    }
    return verdicts;
  });
}

interface Calls {
  sdk: (id: string) => Promise<unknown>;
  bare: (id: string) => Promise<unknown>;
}

async function bareGet(url: string, api_key: string): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${api_key}` } });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return await response.json();
}

async function compare(
  bench: Bench,
  { sdk, bare }: Calls,
  { callers, ids }: { callers: number; ids: readonly string[] },
): Promise<Verdict> {
  const until = { seconds: bench.quick ? 0.5 : 1 };
  const run = {
    subject: () => measure(sdk, { callers, ids, until }),
    limit: () => measure(bare, { callers, ids, until }),
  };
  await run.subject();
  await run.limit();
  const comparison = await takeTurns(bench.quick ? 5 : 15, run);
  const cost = ratios(comparison, ({ per_second }) => 1 / per_second);
  const names = { subject: "findersfee.affiliates.get", limit: "fetch of GET /v1/affiliates/{id}" };
  bench.print(
    `${callers} at a time\n${describe(comparison, names, { name: "cost, by fetch's", spread: cost })}`,
  );
  return {
    question: `1 a call through the SDK, ${callers === 1 ? "one after another" : `${callers} at a time`}`,
    measured: `${whole(medianRate(comparison.subject))}/s`,
    limit: `${whole(medianRate(comparison.limit))}/s bare fetch`,
    ratio: fine(cost.median),
    target: `<= ${MAX_RATIO}`,
    met: cost.median <= MAX_RATIO,
  };
}

/** Calls with different ids; each caller waits for its response before the next call. */
async function measure(
  call: (id: string) => Promise<unknown>,
  { callers, ids, until }: { callers: number; ids: readonly string[]; until: Until },
): Promise<Measurement> {
  const isOver = untilOver(until);
  const { record, finish } = startMeasurement();
  let next = 0;
  const caller = async () => {
    while (isOver()) {
      const id = ids[next++ % ids.length] ?? "";
      const started_at = performance.now();
      await call(id);
      record(performance.now() - started_at);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return finish();
}
