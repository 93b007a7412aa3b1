import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { OwnStandby } from "@findersfee/database/testing/own-standby";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";

/** Each connection of an API process and a worker, as Postgres lists them. */
const PROGRAMS = ["findersfee api", "findersfee job queue", "findersfee listener", "findersfee worker"];

let postgres: OwnPostgres;
let standby: OwnStandby;
let environment: Environment;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  standby = await OwnStandby.of(postgres);
  environment = serviceEnvironment(standby.url_of_both);
});

afterAll(async () => {
  await standby.remove();
  await postgres.remove();
});

/** The programs connected to a server. */
async function programsAt(url: string): Promise<string[]> {
  const database = openPool(url, 1);
  try {
    const rows = await database<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where application_name = any (${PROGRAMS}) order by 1`;
    return rows.map(({ name }) => name);
  } finally {
    await database.end();
  }
}

it.each(["worker", "start", "migrate"])("says what to do if `%s` gets a standby", async (command) => {
  const outcome = await findersfee(command, { ...environment, DATABASE_URL: standby.url });
  expect(outcome).toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "error: The database is a standby, which takes no changes: name the primary in DATABASE_URL (and DATABASE_DIRECT_URL), or promote the standby.\n",
  });
});

it("has the API say that it serves a standby", async () => {
  const database = openPool(postgres.url, 1);
  await claimDatabase(database, Buffer.from(environment.SECRETS_KEY ?? "", "base64"));
  await database.end();
  await standby.catchUp();
  const api = new CommandLine(["api"], { ...environment, DATABASE_URL: standby.url });
  try {
    await api.says(/The database is a standby: the API answers reads, and rejects changes \(503\)/);
  } finally {
    expect(await api.end("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
  }
});

it("runs every process on the primary of several hosts, and on the next one", async () => {
  expect(await findersfee("migrate", environment)).toMatchObject({ code: 0 });
  const created = await findersfee(["org", "create", "--name", "Acme", "--json"], environment);
  expect(created).toMatchObject({ code: 0, stderr: "" });
  const { api_key } = JSON.parse(created.stdout) as { api_key: string };
  const api = new CommandLine(["api"], environment);
  const worker = new CommandLine(["worker"], { ...environment, METRICS_PORT: "0" });
  try {
    const url = await api.says(/served at (\S+)\/v1,/);
    const metrics_url = await worker.says(/metrics at (\S+)\/metrics/);
    await worker.says(/The worker is running/);
    await eventually(async () => expect(await programsAt(postgres.url)).toEqual(PROGRAMS));
    expect(await programsAt(standby.url)).toEqual([]);

    await postgres.end("SIGKILL");
    await standby.promote();
    await eventually(async () => {
      const response = await fetch(`${url}/v1/campaigns`, {
        method: "POST",
        headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "After", commission: { type: "percentage", value: 10 } }),
      });
      expect(await response.json()).not.toMatchObject({ error: { code: "unavailable" } });
    });
    await eventually(async () => expect(await programsAt(standby.url)).toEqual(PROGRAMS));
    await eventually(async () =>
      expect(await (await fetch(`${metrics_url}/metrics`)).text()).toMatch(/^findersfee_shards 32$/m),
    );
    expect(await findersfee("org list --json", environment)).toMatchObject({ code: 0, stderr: "" });
  } finally {
    // Both programs still run.
    for (const program of [api, worker])
      expect(await program.end("SIGKILL")).toMatchObject({ code: null, stderr: "" });
  }
});

it("takes the hosts from the environment as psql does", async () => {
  const { username, password, pathname, host } = new URL(standby.url);
  const other = new URL(postgres.url).host;
  const outcome = await findersfee("org list --json", {
    ...environment,
    DATABASE_URL: `postgres://${username}:${password}@${pathname}`,
    PGHOST: `${other},${host}`,
    PGTARGETSESSIONATTRS: "primary",
  });
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
});

it.each([
  ["DATABASE_URL", "postgres://u:p@a,b/db?target_session_attrs=standby", {}, "standby"],
  ["DATABASE_URL", "postgres://u:p@a/db", { PGTARGETSESSIONATTRS: "any" }, "any"],
])("refuses what it cannot write to", async (name, url, others, target) => {
  const { code, stderr } = await findersfee("org list", { ...environment, ...others, [name]: url });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: ${name}: target_session_attrs (or PGTARGETSESSIONATTRS) is ${target}, but the service writes; set it to primary.\n`,
  );
});
