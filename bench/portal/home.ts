/* Question: when can an affiliate with many commissions use the first page? Chromium opens it with a cold cache. */
import { transaction } from "@findersfee/database/postgres/connect";
import { openPortalSession } from "@findersfee/domain/portal/open-session";
import { buildPortal } from "@findersfee/portal/build";
import { launchChromium } from "@findersfee/ui/testing/chromium";
import { apiServer, type Bench, serve, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram } from "../program.ts";
import { spread } from "../rounds.ts";
import { type Verdict, whole } from "../table.ts";
import { type Visit, visitCold } from "../visits.ts";
import { fillAffiliate } from "./fill.ts";

const COLD_MILLISECONDS = 1_000;

/** Question 3. */
export async function measureHome(bench: Bench): Promise<Verdict[]> {
  const commissions = bench.quick ? 100_000 : 1_000_000;
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  const cookie = await withConnection(program.database_url, async (database) => {
    const affiliate_id = await fillAffiliate(database, program, 2 * commissions);
    const [row] = await database<
      [{ email: string }]
    >`select lower(email) as email from affiliates where id = ${affiliate_id}`;
    const own = { ip_address: "127.0.0.1", user_agent: "" };
    const { token } = await transaction(database, (sql) =>
      openPortalSession(sql, { ...row, limited_to: null }, own),
    );
    return `findersfee_portal=${token}`;
  });
  const api = apiServer(bench);
  const visits = await withChildren([api], async () => {
    const port = await serve(api, program.database_url, { applications: { portal: await buildPortal() } });
    const browser = await launchChromium();
    try {
      const all: Visit[] = [];
      for (let time = 0; time < (bench.quick ? 5 : 20); time++) {
        all.push(await visitCold(browser, { port, cookie }, "/portal"));
      }
      return all;
    } finally {
      await browser.close();
    }
  });
  const { median, max } = spread(visits.map(({ usable }) => usable));
  const [{ bytes, requests } = { bytes: 0, requests: 0 }] = visits;
  bench.print(
    `home: usable after ${whole(median)} ms, at most ${whole(max)} ms, ${whole(bytes / 1000)} kB in ${requests} requests`,
  );
  return [
    {
      question: `3 home of an affiliate with ${whole(commissions / 10)} commissions usable, cold cache`,
      measured: `${whole(median)} ms`,
      limit: "",
      ratio: "",
      target: `<= ${whole(COLD_MILLISECONDS)} ms`,
      met: median <= COLD_MILLISECONDS,
    },
  ];
}
