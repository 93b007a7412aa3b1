/* Question: how much of the primary's work do read replicas take? */
import { transaction } from "@findersfee/database/postgres/connect";
import { OwnStandby } from "@findersfee/database/testing/own-standby";
import { openPortalSession } from "@findersfee/domain/portal/open-session";
import { signIn } from "@findersfee/domain/testing/accounts";
import { apiServer, type Bench, serve, withChildren } from "../bench.ts";
import { fillAffiliate } from "../portal/fill.ts";
import { withConnection } from "../postgres-server.ts";
import { postgresCpuSeconds } from "../process-status.ts";
import { makeProgram, type Program } from "../program.ts";
import { fine, type Verdict } from "../table.ts";

const MIN_SHARE = 0.5;
const CLIENTS = 4;

/**
 * The requests of a person's day in the dashboard, with their number: pages, and the polling of open pages.
 */
const DASHBOARD: [call: string, input: object | null, times: number][] = [
  ["analytics.overview", { from: "2026-10-01", until: "2026-11-01" }, 2],
  ["attention.list", null, 2],
  ["affiliates.list", {}, 2],
  ["commissions.list", {}, 3],
  ["commissions.count", {}, 1],
  ["payments.list", {}, 2],
  ["referrals.list", {}, 2],
  ["payouts.list", {}, 1],
  ["balances.totals", null, 1],
  ["jobs.list", null, 10],
  ["onboarding.status", null, 10],
];

/** The same for an affiliate in the portal. */
const PORTAL: [call: string, input: object | null, times: number][] = [
  ["me.get", null, 1],
  ["home.get", null, 2],
  ["earnings.list", {}, 2],
  ["referrals.list", {}, 1],
  ["payouts.list", {}, 1],
  ["home.pulse", null, 20],
];

interface Sent {
  path: string;
  headers: Record<string, string>;
}

/** Question 8. */
export async function measureReplicas(bench: Bench): Promise<Verdict[]> {
  const commissions = bench.quick ? 20_000 : 200_000;
  const program = await makeProgram(await bench.server.createDatabase(), commissions);
  const requests = await prepare(program, commissions);
  if (bench.server.restart === null) return [verdict(null, "")];
  const standby = await OwnStandby.of({ url: program.database_url, folder: bench.folder });
  try {
    const read_url = new URL(standby.url);
    read_url.pathname = new URL(program.database_url).pathname;
    await standby.catchUp();
    const rounds = bench.quick ? 20 : 200;
    const without = await measure(bench, program, { requests, rounds, read_url: null });
    const with_replica = await measure(bench, program, { requests, rounds, read_url: read_url.href });
    return [
      verdict(
        1 - with_replica / without,
        `${fine(with_replica)} s of CPU time of the primary, ${fine(without)} s without a replica`,
      ),
    ];
  } finally {
    await standby.remove();
  }
}

function verdict(share: number | null, limit: string): Verdict {
  return {
    question: "8 share of the primary's CPU time that a read replica takes, of reads of dashboard and portal",
    measured: share === null ? "" : fine(share),
    limit,
    ratio: "",
    target: `>= ${MIN_SHARE}`,
    met: share === null || Number.isNaN(share) ? null : share >= MIN_SHARE,
  };
}

/** Fills the program; returns the requests of a round. */
async function prepare(program: Program, clicks: number): Promise<Sent[]> {
  const { organization_id, database_url } = program;
  return await withConnection(database_url, async (database) => {
    const affiliate_id = await fillAffiliate(database, program, clicks);
    const { cookie } = await signIn(database, { organization_id, role: "owner" });
    const [{ email }] = await database<[{ email: string }]>`
      update affiliates set agreed_at = coalesce(agreed_at, now()) where id = ${affiliate_id}
      returning lower(email) as email`;
    const browser = { ip_address: "127.0.0.1", user_agent: "" };
    const { token } = await transaction(database, (sql) =>
      openPortalSession(sql, { email, limited_to: null }, browser),
    );
    const staff = { cookie, "findersfee-organization": organization_id };
    const affiliate = { cookie: `findersfee_portal=${token}`, "findersfee-affiliate": affiliate_id };
    return [
      ...DASHBOARD.flatMap((call) => repeated("/trpc/dashboard.", call, staff)),
      ...PORTAL.flatMap((call) => repeated("/portal/trpc/", call, affiliate)),
    ];
  });
}

function repeated(
  prefix: string,
  [call, input, times]: (typeof DASHBOARD)[number],
  headers: Sent["headers"],
): Sent[] {
  const query = input === null ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return Array.from({ length: times }, () => ({ path: `${prefix}${call}${query}`, headers }));
}

/** The CPU time of the primary for all rounds, in seconds, the probes of the process included. */
async function measure(
  bench: Bench,
  { database_url }: Program,
  { requests, rounds, read_url }: { requests: readonly Sent[]; rounds: number; read_url: string | null },
): Promise<number> {
  const api = apiServer(bench);
  return await withChildren([api], async () => {
    const port = await serve(api, database_url, read_url === null ? {} : { read_url });
    const all = Array.from({ length: rounds }, () => requests).flat();
    // Connections are opened, and statements planned.
    await sendAll(port, requests);
    const seconds = () => withConnection(database_url, postgresCpuSeconds);
    const before = await seconds();
    await sendAll(port, all);
    const after = await seconds();
    return (after ?? Number.NaN) - (before ?? Number.NaN);
  });
}

async function sendAll(port: number, requests: readonly Sent[]): Promise<void> {
  let next = 0;
  const client = async () => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const { path, headers } = request;
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}
