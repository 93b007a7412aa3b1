/*
 * Question: what does a sub-id add to a click? Clicks with and without one, in turn at the same service, so that other load affects
 * both.
 */
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import { CpuAccount } from "../cpu-account.ts";
import type { Clicks, LoadJob } from "../load.ts";
import { makeProgram } from "../program.ts";
import { describe, ratios, takeTurns } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";

/** Each visitor has a separate connection. */
const CONNECTIONS = 256;
/** The ratio of the CPU times of the process and Postgres. Other load affects these less than rates. */
const MAX_RATIO = 1.1;

const KINDS: [kind: Clicks["kind"], name: string][] = [
  ["post-clicks", "POST /track/click"],
  ["follow-links", "GET /r/{code}"],
];

/** Question 6. */
export async function measureSubIds(bench: Bench): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [kind, name] of KINDS) verdicts.push(await measureKind(bench, { kind, name }));
  return verdicts;
}

async function measureKind(
  bench: Bench,
  { kind, name }: { kind: Clicks["kind"]; name: string },
): Promise<Verdict> {
  const { database_url, publishable_key, codes } = await makeProgram(await bench.server.createDatabase(), 0);
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([api, load], async () => {
    const port = await serve(api, database_url);
    const click = (sub_id?: string): LoadJob => ({
      port,
      connections: CONNECTIONS,
      until: { seconds: bench.quick ? 1.5 : 3 },
      send: { kind, publishable_key, codes, ...(sub_id === undefined ? {} : { sub_id }) },
    });
    await load.ask(click());
    await load.ask(click("newsletter"));
    const accounts = {
      with: new CpuAccount(api.pid, database_url),
      without: new CpuAccount(api.pid, database_url),
    };
    const comparison = await takeTurns(bench.quick ? 3 : 8, {
      subject: () => accounts.with.count(true, () => load.ask(click("newsletter"))),
      limit: () => accounts.without.count(true, () => load.ask(click())),
    });
    const ratio = ratios(comparison, ({ per_second }) => per_second);
    const names = { subject: `${name} with a sub-id`, limit: `${name} without` };
    bench.print(describe(comparison, names, { name: "ratio", spread: ratio }));
    const costs = [accounts.with.cost(), accounts.without.cost()];
    bench.print(
      formatTable([
        ["CPU time of each, µs", "process", "Postgres", "load generator"],
        ...[names.subject, names.limit].map((line, index) => {
          const { process, postgres, load } = costs[index] ?? accounts.with.cost();
          return [line, ...[process, postgres, load].map(whole)];
        }),
      ]),
    );
    const [cost_with = 0, cost_without = 0] = costs.map(({ process, postgres }) => process + postgres);
    return {
      question: `6 ${name} with a sub-id, ${CONNECTIONS} connections`,
      measured: `${whole(cost_with)} µs of CPU`,
      limit: `${whole(cost_without)} µs without`,
      ratio: fine(cost_with / cost_without),
      target: `<= ${MAX_RATIO}`,
      met: cost_with / cost_without <= MAX_RATIO,
    };
  });
}
