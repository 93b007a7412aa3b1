import { execFileSync } from "node:child_process";
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { firstUnreachable } from "@findersfee/database/embedded/account";
import { findEmbedded } from "@findersfee/database/embedded/embedded";
import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { CommandLine, type Environment, findersfee, type Identity } from "../command-line.ts";

const API = /API +(http:\S+)\/v1/;
const DEMO_KEY = /Demo key +(ff_sk_\w{43})/;

let folder: string;
let environment: Environment;
const running: CommandLine[] = [];

// One data folder for all tests: each finds it with its service stopped.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-start-"));
  await chmod(folder, 0o711);
  environment = {
    DATA_DIR: join(folder, "data"),
    PORT: "0",
    LOG_LEVEL: "warn",
    // Keeps using a key until it is revoked.
    RATE_LIMIT_PER_MINUTE: "0",
  };
});

afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.end("SIGTERM");
});

afterAll(() => rm(folder, { recursive: true }));

function launch(parameters: string, changes: Environment = {}, identity: Identity = {}): CommandLine {
  const service = new CommandLine(parameters.split(" "), { ...environment, ...changes }, identity);
  running.push(service);
  return service;
}

async function start(changes: Environment = {}) {
  const service = launch("start", changes);
  return { service, url: await service.says(API) };
}

/** A key of the organization from the first start. */
async function createKey(): Promise<string> {
  const [organization] = JSON.parse((await findersfee("org list --json", environment)).stdout);
  const parameters = `key create --org ${organization.id} --scopes read,write --json`;
  return JSON.parse((await findersfee(parameters, environment)).stdout).api_key;
}

async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/campaigns`, { headers: { authorization: `Bearer ${key}` } });
  await answer.text();
  return answer.status;
}

function database(data_dir = join(folder, "data")): Promise<string | null> {
  return findEmbedded(data_dir);
}

it("serves, stops with Postgres at Ctrl-C, and restarts with the same data", async () => {
  const first = await start();
  const key = await first.service.says(DEMO_KEY);
  // Printed last, so the lines above have arrived.
  await first.service.says(/Webhook endpoints can use http and private addresses/);
  expect(first.service.stdout).toContain(`Reference  ${first.url}/docs`);
  expect(first.service.stdout).toContain(`tRPC       ${first.url}/v1/trpc`);
  expect(await statusOf(first.url, key)).toBe(200);
  const document: unknown = await (await fetch(`${first.url}/v1/openapi.json`)).json();
  expect(document).toMatchObject({ info: { version: packageJson.version } });
  const metrics = await (await fetch(`${first.url}/metrics`)).text();
  for (const name of ["findersfee_build_info", "findersfee_migrations_pending", "findersfee_work_pending"]) {
    expect(metrics).toContain(`# HELP ${name} `);
  }
  const health: unknown = await (await fetch(`${first.url}/healthz`)).json();
  expect(health).toEqual({ status: "ok", version: packageJson.version });
  expect(await first.service.end("SIGINT")).toMatchObject({ code: 0, stderr: "" });
  expect(await database()).toBeNull();
  for (const file of ["secrets.key", "postgres.password"]) {
    expect((await stat(join(folder, "data", file))).mode & 0o777).toBe(0o600);
  }

  const { stdout } = await findersfee("org list --json", environment);
  expect(JSON.parse(stdout)).toMatchObject([{ name: "Demo" }]);
  expect(await database()).toBeNull();

  const second = await start();
  expect(await statusOf(second.url, key)).toBe(200);
});

/** Posts as the service's own pages do; returns the cookies of the answer and its data. */
async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
    body: JSON.stringify(body),
  });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, cookie: cookie.join("; "), text: await answer.text() };
}

it("shows the mails that it does not send in the terminal and to owners, with codes that work", async () => {
  const DATA_DIR = join(folder, "mails");
  const first = await start({ DATA_DIR });
  await first.service.says(/emails are shown here and in the dashboard/);
  await first.service.says(/Set up +\S+#\S+/);
  await first.service.end("SIGTERM");

  const { service, url } = await start({ DATA_DIR });
  // Nobody has used the first link, so a later start prints one again.
  const setup_token = (await service.says(/Set up +(\S+)/)).split("#")[1];
  const jane = { name: "Jane Doe", email: "jane@example.com", password: "correct horse battery staple" };
  const organization = { name: "Acme", currency: "USD", time_zone: "UTC" };
  const set_up = await post(url, "/auth/setup/complete", { token: setup_token, ...jane, organization });
  expect(set_up.status).toBe(200);

  const { stdout } = await findersfee("org list --json", { ...environment, DATA_DIR });
  const found: { id: string; name: string }[] = JSON.parse(stdout);
  const id = found.find(({ name }) => name === "Acme")?.id ?? "";
  // The person creates keys in the dashboard: no secret key was created that nobody saw.
  const list = await findersfee(`key list --org ${id} --json`, { ...environment, DATA_DIR });
  expect(JSON.parse(list.stdout)).toMatchObject([{ kind: "publishable" }]);
  const created = await findersfee(`key create --org ${id} --scopes write --json`, {
    ...environment,
    DATA_DIR,
  });
  const authorization = `Bearer ${JSON.parse(created.stdout).api_key}`;
  const campaign = {
    name: "Partners",
    commission_type: "percentage",
    commission_amount: 30,
    website_url: "https://acme.example",
    is_default: true,
  };
  expect((await post(url, "/v1/campaigns", campaign, { authorization })).status).toBe(200);
  const email = "joe@example.com";
  expect((await post(url, "/v1/affiliates", { email }, { authorization })).status).toBe(200);

  const asked = await post(url, "/portal/auth/code", { email });
  const code = await service.says(/Email to joe@example\.com, not sent: (\S+) is your code/);
  // The link has the service's own address.
  await service.says(new RegExp(`\n {2}${url}/portal\\S*#\\S+`));
  const signed_in = await post(url, "/portal/auth/sign-in", { code }, { cookie: asked.cookie });
  expect(signed_in.status).toBe(200);

  const owner = { cookie: set_up.cookie, "findersfee-organization": id };
  const shown = await fetch(`${url}/trpc/dashboard.health.local_mails`, { headers: owner });
  const { result } = (await shown.json()) as { result: { data: { mails: object[] } } };
  expect(result.data).toMatchObject({
    is_local: true,
    mails: [{ to: email, subject: expect.stringContaining(code), text: expect.stringContaining(url) }],
  });
  const health = await fetch(`${url}/trpc/dashboard.health.get`, { headers: owner });
  expect(await health.json()).toMatchObject({
    result: { data: { workers: 1, mail_delivery: "local", unsent_mails: { count: 1 }, given_up_mails: [] } },
  });
});

it("rejects a port that browsers refuse to open", async () => {
  const { code, stderr } = await findersfee("start", { ...environment, PORT: "6000" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/PORT=6000: browsers and fetch refuse to open this port/);
});

it.runIf(FULL_TESTS)("shows the demo key once, with instructions to create another", async () => {
  const DATA_DIR = join(folder, "shown-once");
  const first = await start({ DATA_DIR });
  const key = await first.service.says(DEMO_KEY);
  const create = await first.service.says(/another:\n {2}findersfee (.*)\n/);
  const other = await findersfee(`${create} --json`, { ...environment, DATA_DIR });
  expect(await statusOf(first.url, JSON.parse(other.stdout).api_key)).toBe(200);
  await first.service.end("SIGTERM");
  // It is not in any file either.
  for (const file of await readdir(DATA_DIR, { withFileTypes: true })) {
    if (file.isFile()) expect(await readFile(join(DATA_DIR, file.name), "utf8")).not.toContain(key);
  }

  const second = await start({ DATA_DIR });
  await second.service.says(/findersfee key create --org <organization id>/);
  expect(second.service.stdout).not.toContain("ff_sk_");
});

it.runIf(FULL_TESTS).each(["0.0.0.0", "::"])("creates no demo organization if HOST is %s", async (HOST) => {
  const DATA_DIR = join(folder, `host-${HOST.replaceAll(/\W/g, "-")}`);
  const { service } = await start({ DATA_DIR, HOST });
  await service.says(/findersfee org create/);
  expect(service.stdout).not.toContain("ff_sk_");
  const { stdout } = await findersfee("org list --json", { ...environment, DATA_DIR });
  expect(JSON.parse(stdout)).toEqual([]);
});

it.runIf(FULL_TESTS)("shares its data with commands, and with another api process", async () => {
  const { service, url } = await start();
  const { stdout } = await findersfee("org create --name Beside --json", environment);
  const { api_key, organization_id } = JSON.parse(stdout);
  expect(await statusOf(url, api_key)).toBe(200);

  const other = launch("api");
  const other_url = await other.says(/served at (http:\S+)\/v1/);
  expect(await statusOf(other_url, api_key)).toBe(200);

  const keys = JSON.parse((await findersfee(`key list --org ${organization_id} --json`, environment)).stdout);
  expect((await findersfee(`key revoke ${keys[0].id}`, environment)).code).toBe(0);
  const revoked_at = Date.now();
  for (const api_url of [url, other_url]) {
    let accepted_at = revoked_at;
    for (let asked_at = Date.now(); (await statusOf(api_url, api_key)) === 200; asked_at = Date.now()) {
      accepted_at = asked_at;
    }
    expect(await statusOf(api_url, api_key)).toBe(401);
    expect(accepted_at - revoked_at).toBeLessThan(1000);
  }
  expect((await other.end("SIGTERM")).code).toBe(0);
  expect((await service.end("SIGTERM")).code).toBe(0);
});

it.runIf(FULL_TESTS)("rejects a second start on the folder without disturbing the first", async () => {
  const { service, url } = await start();
  const key = await createKey();
  const second = await findersfee("start", environment);
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toMatch(/^error: Findersfee already runs on .*\n$/);
  expect(second.stderr).toContain(` (process ${service.child.pid}): stop it first`);
  expect(await statusOf(url, key)).toBe(200);
});

it.runIf(FULL_TESTS)("reports a port in use, and leaves no Postgres running", async () => {
  const { url } = await start();
  const { port } = new URL(url);
  const data_dir = join(folder, "other");
  const other = await findersfee("start", { ...environment, DATA_DIR: data_dir, PORT: port });
  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toBe(
    `error: Port ${port} is in use: stop the other program, or choose another port (PORT=${Number(port) + 1}).\n`,
  );
  expect(await database(data_dir)).toBeNull();
});

it.runIf(FULL_TESTS)("restarts after a kill", async () => {
  const first = await start();
  const key = await createKey();
  await first.service.end("SIGKILL");
  expect(await database()).not.toBeNull();
  const { code, stdout } = await findersfee("org list --json", environment);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)[0]).toMatchObject({ name: "Demo" });
  const second = await start();
  expect(await statusOf(second.url, key)).toBe(200);
});

it.runIf(FULL_TESTS)("finishes requests before it stops, and aborts them at a second Ctrl-C", async () => {
  const { service, url } = await start();
  const key = await createKey();
  const sql = connect({ url: (await database()) ?? "", poolSize: 1, prepare: true, name: "test" });
  await sql.unsafe("begin; lock table campaigns");
  const answer = statusOf(url, key).catch(() => "given up");
  await eventually(async () => {
    expect((await sql`select from pg_locks where not granted`).length).toBeGreaterThan(0);
  });
  service.child.kill("SIGINT");
  // Pnpm forwards the same Ctrl-C.
  service.child.kill("SIGINT");
  const stillRuns = await Promise.race([service.outcome().then(() => false), delay(1100, true)]);
  expect(stillRuns).toBe(true);
  service.child.kill("SIGINT");
  expect((await service.outcome()).code).toBe(1);
  expect(await answer).toBe("given up");
  await sql.end({ timeout: 1 });
  await eventually(async () => expect(await database()).toBeNull());
});

it.runIf(FULL_TESTS)("exits when its Postgres exits", async () => {
  const { service } = await start();
  const lock = await readFile(join(folder, "data", "postgres", "postmaster.pid"), "utf8");
  process.kill(Number(lock.split("\n")[0]), "SIGQUIT");
  const { code, stderr } = await service.outcome();
  expect(code).toBe(1);
  // The queue library may have been fetching a job, and prints its failure.
  expect(stderr).toMatch(/(^|\n)error: The embedded Postgres has exited; see .*postgres\.log\.\n$/);
});

it.runIf(FULL_TESTS)("serves an external database without a demo organization", async () => {
  const own = await createTestDatabase({ migrated: false });
  const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
  try {
    const without = await findersfee("start", { ...environment, DATABASE_URL: own.url });
    expect(without.stderr).toMatch(/^error: SECRETS_KEY: is required with DATABASE_URL/);
    const { service, url } = await start({ DATABASE_URL: own.url, SECRETS_KEY });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await service.says(/findersfee org create/);
    expect(service.stdout).not.toContain("ff_sk_");
    expect(await own.database`select from organizations`).toEqual([]);
    expect(service.stdout).not.toContain("embedded");
    expect(service.stdout).not.toContain("Webhook endpoints");
  } finally {
    await own.close();
  }
});

it.runIf(FULL_TESTS)("runs as an ordinary user", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("The tests already run as an ordinary user.");
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "postgres"])));
  if (uid === undefined || gid === undefined) throw new Error("no user postgres");
  const blocked = [fileURLToPath(import.meta.url), process.execPath]
    .map((path) => firstUnreachable({ name: "postgres", uid, gid }, join(path, "..")))
    .find((path) => path !== null);
  if (blocked !== undefined) skip(`An ordinary user cannot enter ${blocked}.`);
  const data_dir = join(folder, "ordinary");
  await chown(folder, uid, gid);
  const service = launch("start", { DATA_DIR: data_dir }, { uid, gid });
  const [url, key] = [await service.says(API), await service.says(DEMO_KEY)];
  expect(await statusOf(url, key)).toBe(200);
  expect(await stat(data_dir)).toMatchObject({ uid, gid });
  expect((await service.end("SIGINT")).code).toBe(0);
});
