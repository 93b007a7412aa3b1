/* Question: how long do the portal's reads take for an affiliate with many commissions? */
import type { Database } from "@findersfee/database/postgres/connect";
import { getEarning, listEarnings } from "@findersfee/domain/portal/earnings";
import { getHome, getPulse } from "@findersfee/domain/portal/home";
import { getStatement, listOwnPayouts, listStatementLines } from "@findersfee/domain/portal/payouts";
import { listOwnReferrals } from "@findersfee/domain/portal/referrals";
import { listSubIds } from "@findersfee/domain/portal/sub-ids";
import type { AffiliateSession } from "@findersfee/domain/principal";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { fillAffiliate } from "./fill.ts";

const MAX_MS = 50;
const TIMES = 15;
const PAGE = { limit: 50 };
const STATEMENT = { limit: 500 };

type Read = [name: string, run: () => Promise<unknown>];

/** Question 1. */
export async function measureReads(bench: Bench): Promise<Verdict[]> {
  const commissions = bench.quick ? 100_000 : 1_000_000;
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  return await withConnection(program.database_url, async (database) => {
    const affiliate_id = await fillAffiliate(database, program, commissions);
    const { organization } = contextOf(database, program.organization_id);
    const session: AffiliateSession = {
      kind: "affiliate_session",
      session_id: affiliate_id,
      affiliate_id,
      state: "active",
      organization,
    };
    const measured: [name: string, median: number][] = [];
    for (const [name, run] of await readsOf(database, session, commissions / 20))
      measured.push([name, await medianOf(run)]);
    bench.print(formatTable([["read", "ms"], ...measured.map(([name, median]) => [name, fine(median)])]));
    const slowest = Math.max(...measured.map(([, median]) => median));
    return [
      {
        question: `1 reads of an affiliate with ${whole(commissions / 10)} commissions`,
        measured: `${fine(slowest)} ms`,
        limit: "",
        ratio: "",
        target: `<= ${MAX_MS} ms`,
        met: slowest <= MAX_MS,
      },
    ];
  });
}

/** `middle_number`: the number of a commission of the affiliate, at which lists continue. */
async function readsOf(
  database: Database,
  session: AffiliateSession,
  middle_number: number,
): Promise<Read[]> {
  const { affiliate_id, organization } = session;
  const earnings = (query: Omit<Parameters<typeof listEarnings>[2], "limit">): Read => [
    `earnings ${JSON.stringify(query)}`,
    () => listEarnings(database, session, { ...PAGE, ...query }),
  ];
  const [middle] = await database<[{ id: string }]>`
    select id from commissions where organization_id = ${organization.id} and affiliate_id = ${affiliate_id}
    order by id offset ${middle_number} limit 1`;
  const [largest] = await database<[{ id: string }]>`
    select id from payouts where organization_id = ${organization.id} and affiliate_id = ${affiliate_id}
    order by payment_count desc limit 1`;
  const statement = await getStatement(database, session, { id: largest.id, ...STATEMENT });
  const after = statement.lines_after ?? largest.id;
  const states = ["held", "due", "pending", "paid", "voided"] as const;
  return [
    ["home", () => getHome(database, session)],
    ["pulse", () => getPulse(database, session)],
    earnings({}),
    earnings({ after: middle.id }),
    ...states.map((state) => earnings({ state })),
    ...states.map((state) => earnings({ state, after: middle.id })),
    ["story of a commission", () => getEarning(database, session, middle.id)],
    ["referrals", () => listOwnReferrals(database, session, PAGE)],
    ["sub-ids", () => listSubIds(database, session)],
    ["payouts", () => listOwnPayouts(database, session, PAGE)],
    [
      `statement of ${whole(statement.payment_count)} commissions`,
      () => getStatement(database, session, { id: largest.id, ...STATEMENT }),
    ],
    ["its next lines", () => listStatementLines(database, session, { id: largest.id, after, ...STATEMENT })],
  ];
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return spread(times).median;
}
