/* With DATABASE_READ_URL, each command that reads much has a standby answer it. */
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { OwnStandby } from "@findersfee/database/testing/own-standby";
import { addJob } from "@findersfee/database/work/queue";
import { sessionCookieName } from "@findersfee/domain/identity/accounts/session-cookie";
import { signIn } from "@findersfee/domain/testing/accounts";
import { samplesOf } from "@findersfee/telemetry/testing/lint";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";

let postgres: OwnPostgres;
let standby: OwnStandby;
let environment: Environment;
let organization_id: string;
const running: CommandLine[] = [];

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  standby = await OwnStandby.of(postgres);
  environment = serviceEnvironment(postgres.url, { DATABASE_READ_URL: standby.url, METRICS_PORT: "0" });
  expect(await findersfee("migrate", environment)).toMatchObject({ code: 0 });
  const created = await findersfee("org create --name Acme --json", environment);
  expect(created).toMatchObject({ code: 0, stderr: "" });
  organization_id = JSON.parse(created.stdout).organization_id;
  await standby.catchUp();
});

afterAll(async () => {
  await Promise.all(running.map((program) => program.end("SIGKILL")));
  await standby.remove();
  await postgres.remove();
});

function start(command: "api" | "worker"): CommandLine {
  const started = new CommandLine([command], environment);
  running.push(started);
  return started;
}

async function metric(url: string, name: string): Promise<number | undefined> {
  return samplesOf(await (await fetch(`${url}/metrics`)).text()).get(name);
}

const usedBy = (role: string) =>
  `findersfee_read_replica_used{role="${role}",replica="${new URL(standby.url).host}"}`;
const readsOf = (role: string) => `findersfee_reads_total{role="${role}",target="replica"}`;

/** How often statements of ended sessions of the standby have read tables. */
async function readsOfStandby(): Promise<number> {
  return await standby.ask(async (sql) => {
    const [{ scans }] = await sql<[{ scans: number }]>`
      select sum(seq_scan + coalesce(idx_scan, 0))::float8 as scans from pg_stat_user_tables`;
    return scans;
  });
}

it("verifies the ledger there", async () => {
  const before = await readsOfStandby();
  expect(await findersfee("verify ledger", environment)).toMatchObject({ code: 0, stderr: "" });
  await eventually(async () => expect(await readsOfStandby()).toBeGreaterThan(before));
});

it("has an API process answer the dashboard there", async () => {
  const url = await start("api").says(/served at (\S+)\/v1,/);
  await eventually(async () =>
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready", read_replicas: ["used"] }),
  );
  expect(await metric(url, usedBy("api"))).toBe(1);
  const database = openPool(postgres.url, 1);
  const { token } = await signIn(database, { organization_id, role: "owner" });
  await database.end();
  await standby.catchUp();
  const headers = {
    cookie: `${sessionCookieName(null)}=${token}`,
    "findersfee-organization": organization_id,
  };
  const input = encodeURIComponent(JSON.stringify({ limit: 10 }));
  const answer = await fetch(`${url}/trpc/commissions.list?input=${input}`, { headers });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"data"')]);
  expect(await metric(url, readsOf("api"))).toBeGreaterThan(0);
});

it("has a worker run the nightly check there", async () => {
  const worker = start("worker");
  const url = await worker.says(/metrics at (\S+)\/metrics/);
  await worker.says(/The worker is running/);
  await eventually(async () => expect(await metric(url, usedBy("worker"))).toBe(1));
  const database = openPool(postgres.url, 1);
  await addJob(database, "verify_ledgers");
  await database.end();
  await eventually(async () => expect(await metric(url, readsOf("worker"))).toBeGreaterThan(0));
});
