/* The service with its dashboard, a large organization, and a person who is signed in. */
import { buildDashboard } from "@findersfee/dashboard/build";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import { signIn } from "@findersfee/domain/testing/accounts";
import { apiServer, type Bench, serve, withChildren } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";

/** The served dashboard. */
export interface Subject {
  program: Program;
  port: number;
  /** The session's cookie, as in the header. */
  cookie: string;
  /** The organization's address: `/o/bench`. */
  home: string;
}

export async function withSubject<Result>(
  bench: Bench,
  work: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const program = await makeProgram(await bench.server.createDatabase(), bench.quick ? 100_000 : 1_000_000);
  const { organization_id } = program;
  const { cookie, slug } = await withConnection(program.database_url, async (database) => {
    await rebuildTotals(database, organization_id);
    await database`vacuum (analyze)`;
    const [row] = await database<
      [{ slug: string }]
    >`select slug from organizations where id = ${organization_id}`;
    return { ...(await signIn(database, { organization_id, role: "owner" })), slug: row.slug };
  });
  const api = apiServer(bench);
  return await withChildren([api], async () => {
    const port = await serve(api, program.database_url, {
      applications: { dashboard: await buildDashboard() },
    });
    return await work({ program, port, cookie, home: `/o/${slug}` });
  });
}
