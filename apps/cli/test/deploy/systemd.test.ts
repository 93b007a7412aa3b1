/* The units of systemd, and their commands. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@findersfee/database/testing";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { CommandLine } from "../command-line.ts";
import { DEPLOY, isInstalled, outcomeOf, readDeployed } from "./files.ts";

const PROGRAM = "/opt/findersfee/bin/findersfee";
const CREDENTIALS = "%d";
const STATES = "%S";

let names: string[];

beforeAll(async () => {
  names = (await readdir(join(DEPLOY, "systemd"))).filter((name) => name.endsWith(".service"));
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-systemd-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The values of a setting of a unit. */
async function settings(name: string, setting: string): Promise<string[]> {
  const text = await readDeployed(`systemd/${name}`);
  return [...text.matchAll(new RegExp(`^${setting}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

const has_systemd = isInstalled("systemd-analyze");

it.skipIf(!has_systemd)(
  `systemd accepts the units${has_systemd ? "" : ": skipped without systemd-analyze"}`,
  async () => {
    const folder = await temporaryFolder();
    await symlink(inject("program"), join(folder, "findersfee"));
    for (const name of names) {
      const text = await readDeployed(`systemd/${name}`);
      await writeFile(join(folder, name), text.replaceAll(PROGRAM, join(folder, "findersfee")));
    }
    const files = names.map((name) => join(folder, name));
    expect(await outcomeOf(["systemd-analyze", "verify", ...files])).toEqual({ code: 0, output: "" });
    for (const file of files) {
      const analysis = ["systemd-analyze", "security", "--offline=true", "--threshold=20", file];
      expect(await outcomeOf(analysis)).toMatchObject({ code: 0 });
    }
  },
);

const has_strace = isInstalled("strace");

it.skipIf(!has_systemd || !has_strace)(
  `the units allow each system call of Node${has_systemd && has_strace ? "" : ": skipped without systemd-analyze and strace"}`,
  async () => {
    const file = join(await temporaryFolder(), "calls");
    const trace = ["strace", "--follow-forks", "--summary-only", "--summary-columns=name", "--output", file];
    expect(await outcomeOf([...trace, process.execPath, inject("program"), "--version"])).toMatchObject({
      code: 0,
    });
    const called = (await readFile(file, "utf8")).match(/^\w+$/gm) ?? [];
    expect(called).toContain("execve");
    for (const name of names) {
      const [filter = ""] = await settings(name, "SystemCallFilter");
      const allowed = await systemCalls(filter.split(" "));
      expect(called.filter((call) => !allowed.has(call) && call !== "syscall" && call !== "total")).toEqual(
        [],
      );
      // Node calls it where the CPU has protection keys.
      expect(allowed).toContain("pkey_alloc");
    }
  },
);

/** The system calls of groups. */
async function systemCalls(groups: readonly string[]): Promise<ReadonlySet<string>> {
  const { output } = await outcomeOf(["systemd-analyze", "--no-pager", "syscall-filter", ...groups]);
  const words = output.match(/^ {4}[@\w-]+$/gm)?.map((line) => line.trim()) ?? [];
  const nested = words.filter((word) => word.startsWith("@"));
  return nested.length === 0 ? new Set(words) : new Set([...words, ...(await systemCalls(nested))]);
}

it("gives the key as a credential, and time to stop", async () => {
  expect(names).toEqual([
    "findersfee-api.service",
    "findersfee-migrate.service",
    "findersfee-worker.service",
  ]);
  for (const name of names) {
    expect(await settings(name, "LoadCredential")).toEqual(["secrets-key:/etc/findersfee/secrets.key"]);
    expect(await settings(name, "DynamicUser")).toEqual(["yes"]);
  }
  expect(await settings("findersfee-api.service", "TimeoutStopSec")).toEqual(["60"]);
});

it("gives API and worker one folder that outlives them, of a user that both have", async () => {
  for (const name of ["findersfee-api.service", "findersfee-worker.service"]) {
    expect(await settings(name, "User")).toEqual(["findersfee"]);
    const [folder = ""] = await settings(name, "StateDirectory");
    expect(folder).toBe("findersfee");
    expect(await settings(name, "StateDirectoryMode")).toEqual(["0700"]);
    expect((await settings(name, "Environment")).join(" ").split(" ")).toContain(
      `CONTINUITY_DIR=${join(STATES, folder)}`,
    );
  }
});

it("runs the commands of the units", async () => {
  const test = await createTestDatabase({ migrated: false });
  onTestFinished(() => test.close());
  const credentials = join(await temporaryFolder(), "credentials");
  await mkdir(credentials);
  await writeFile(join(credentials, "secrets-key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  // As systemd makes it.
  const states = await temporaryFolder();
  await mkdir(join(states, "findersfee"), { mode: 0o700 });
  const file = Object.fromEntries(
    (await readDeployed("systemd/findersfee.env"))
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const run = async (name: string): Promise<CommandLine> => {
    const [command = ""] = await settings(`findersfee-${name}.service`, "ExecStart");
    const [program, ...parameters] = command.split(" ");
    expect(program).toBe(PROGRAM);
    const [environment = ""] = await settings(`findersfee-${name}.service`, "Environment");
    const own = environment.split(" ").map((pair) => pair.split("=") as [string, string]);
    const variables: Record<string, string> = { ...file, ...Object.fromEntries(own) };
    readConfig({ ...variables, SECRETS_KEY_FILE: "" });
    const SECRETS_KEY_FILE = variables.SECRETS_KEY_FILE?.replace(CREDENTIALS, credentials) ?? "";
    const { CONTINUITY_DIR } = variables;
    const here = {
      ...(CONTINUITY_DIR !== undefined && { CONTINUITY_DIR: CONTINUITY_DIR.replace(STATES, states) }),
      SECRETS_KEY_FILE,
      DATABASE_URL: test.url,
      PORT: "0",
      METRICS_PORT: "0",
      SHUTDOWN_DELAY_SECONDS: "0",
    };
    return new CommandLine(parameters, { ...variables, ...here });
  };
  const [api, worker] = await Promise.all([run("api"), run("worker")]);
  expect(await (await run("migrate")).outcome()).toMatchObject({ code: 0 });
  await api.says(/served at/);
  await worker.says(/The worker is running/);
  expect(await Promise.all([api.end("SIGTERM"), worker.end("SIGTERM")])).toMatchObject([
    { code: 0 },
    { code: 0 },
  ]);
  expect(await readdir(join(states, "findersfee"))).toEqual(["history.json"]);
});
