/* Question: how much do affiliates who leave the portal open cost the API? */
import { transaction } from "@findersfee/database/postgres/connect";
import { openPortalSession } from "@findersfee/domain/portal/open-session";
import { apiServer, type Bench, loadGenerator, serve, withChildren } from "../bench.ts";
import type { LoadJob } from "../load.ts";
import { withConnection } from "../postgres-server.ts";
import { cpuSeconds, postgresCpuSeconds } from "../process-status.ts";
import { makeProgram, type Program } from "../program.ts";
import { fine, type Verdict } from "../table.ts";

const AFFILIATES = 200;
/** Each open page asks for its pulse every ten seconds. */
const POLLS_PER_SECOND = AFFILIATES / 10;
const MAX_CORES = 0.1;
/** Code that ran a few hundred times is slower than the code of a process that has served for an hour. */
const WARM_UP_POLLS = 5_000;

/** Question 2. */
export async function measurePolling(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), bench.quick ? 100_000 : 1_000_000);
  const cookies = await openSessions(program);
  const api = apiServer(bench);
  const load = loadGenerator();
  return await withChildren([api, load], async () => {
    const port = await serve(api, program.database_url);
    const warm_up: LoadJob = {
      port,
      connections: AFFILIATES,
      until: { requests: WARM_UP_POLLS },
      send: {
        kind: "get-as-affiliates",
        path: "/portal/trpc/home.pulse",
        affiliates: program.affiliate_ids.map((id, number) => ({ id, cookie: cookies[number] ?? "" })),
      },
    };
    await load.ask(warm_up);
    const seconds = bench.quick ? 10 : 60;
    const readCpu = async () => ({
      api: (await cpuSeconds(api.pid)) ?? Number.NaN,
      postgres: (await withConnection(program.database_url, postgresCpuSeconds)) ?? Number.NaN,
    });
    const before = await readCpu();
    const { count, p99_ms } = await load.ask({
      ...warm_up,
      until: { seconds },
      per_second: POLLS_PER_SECOND,
    });
    const after = await readCpu();
    const of = (name: "api" | "postgres") => (after[name] - before[name]) / seconds;
    const each = (cores: number) => fine((cores * seconds * 1000) / count);
    bench.print(
      `each poll: ${each(of("api"))} ms of CPU time of the API, ${each(of("postgres"))} ms of Postgres; p99 ${fine(p99_ms)} ms`,
    );
    return [
      {
        question: `2 cores of the API for ${AFFILIATES} affiliates who poll every 10 s`,
        measured: fine(of("api")),
        limit: "",
        ratio: "",
        target: `<= ${MAX_CORES}`,
        met: Number.isNaN(of("api")) ? null : of("api") <= MAX_CORES,
      },
    ];
  });
}

/** Signs all affiliates of a program in; returns their cookies. */
async function openSessions({ database_url, affiliate_ids }: Program): Promise<string[]> {
  return await withConnection(database_url, async (database) => {
    const cookies: string[] = [];
    for (const id of affiliate_ids) {
      const [row] = await database<
        [{ email: string }]
      >`select lower(email) as email from affiliates where id = ${id}`;
      const browser = { ip_address: "127.0.0.1", user_agent: "" };
      const { token } = await transaction(database, (sql) =>
        openPortalSession(sql, { ...row, limited_to: null }, browser),
      );
      cookies.push(`findersfee_portal=${token}`);
    }
    return cookies;
  });
}
