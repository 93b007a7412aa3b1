/* The container's commands, run on this machine as its user, who can write to one folder alone. */
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { ValidationSeverity, validate } from "dockerfile-utils";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { CommandLine } from "../command-line.ts";
import { DEPLOY, type Image, outcomeOf, readDeployed, readImage } from "./files.ts";

let image: Image;
/** The image's folder. */
let app: string;
let test: TestDatabase;

beforeAll(async () => {
  image = await readImage();
  app = await mkdtemp(join(tmpdir(), "findersfee-image-"));
  await cp(join(dirname(inject("program")), ".."), app, {
    recursive: true,
    filter: (path) => basename(path) !== "node_modules",
  });
  await cp(join(DEPLOY, "health-check.mjs"), join(app, "health-check.mjs"));
  await writeFile(join(app, "secrets.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  await chmod(app, 0o755);
  // A new volume has the owner of the image's folder.
  const volume = join(app, "state");
  await mkdir(volume);
  if (process.getuid?.() === 0) await chown(volume, image.uid, image.uid);
  test = await createTestDatabase({ migrated: false });
});

afterAll(async () => {
  await test.close();
  await rm(app, { recursive: true });
});

/** The image's variables, and those that a container gets. */
async function environment(): Promise<Record<string, string>> {
  const [port, metrics] = await Promise.all([freePort(), freePort()]);
  return {
    ...image.environment,
    PORT: String(port),
    METRICS_PORT: String(metrics),
    DATABASE_URL: test.url,
    SECRETS_KEY_FILE: join(app, "secrets.key"),
    CONTINUITY_DIR: join(app, "state"),
    HOME: "/nonexistent",
    TMPDIR: "/nonexistent",
  };
}

/** The image's Node is the one of this test. */
const onThisMachine = (command: readonly string[]): string[] => [process.execPath, ...command.slice(1)];

const identity = (): { uid?: number; gid?: number } =>
  process.getuid?.() === 0 ? { uid: image.uid, gid: image.uid } : {};

it("has no fault that the linter finds", async () => {
  const faults = validate(await readDeployed("Dockerfile"), {
    deprecatedMaintainer: ValidationSeverity.ERROR,
    directiveCasing: ValidationSeverity.ERROR,
    emptyContinuationLine: ValidationSeverity.ERROR,
    instructionCasing: ValidationSeverity.ERROR,
    instructionCmdMultiple: ValidationSeverity.ERROR,
    instructionEntrypointMultiple: ValidationSeverity.ERROR,
    instructionHealthcheckMultiple: ValidationSeverity.ERROR,
    instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
    instructionWorkdirRelative: ValidationSeverity.ERROR,
  });
  expect(faults).toEqual([]);
  expect(image.uid).toBeGreaterThan(0);
  expect(image.entrypoint[0]).toBe("/nodejs/bin/node");
  expect(image.health_check[0]).toBe("/nodejs/bin/node");
});

it("serves requests by its command, and works by the argument worker", async () => {
  const env = await environment();
  const run = { cwd: app, env, ...identity() };
  expect((await outcomeOf(onThisMachine(image.health_check), run)).code).toBe(1);
  const start = (parameters: readonly string[]) => {
    const [program = "", ...first] = image.entrypoint.slice(1);
    const started = new CommandLine([...first, ...parameters], env, { ...identity(), cwd: app, program });
    onTestFinished(async () => {
      await started.end("SIGKILL");
    });
    return started;
  };
  const api = start(image.command);
  const worker = start(["worker", "--wait-for-schema"]);
  // Both live, and wait for the schema.
  const alive = async (changes: Record<string, string>) =>
    (await outcomeOf(onThisMachine(image.health_check), { ...run, env: { ...env, ...changes } })).code;
  await eventually(async () => expect(await alive({ METRICS_PORT: "" })).toBe(0));
  await eventually(async () => expect(await alive({ PORT: "" })).toBe(0));
  const migration = start(["migrate"]);
  expect(await migration.outcome()).toMatchObject({ code: 0 });
  await api.says(/served at/);
  await worker.says(/The worker is running/);
  expect(await alive({ METRICS_PORT: "" })).toBe(0);
  expect(await alive({ PORT: "" })).toBe(0);
  expect((await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).status).toBe(200);
  expect(await Promise.all([api.end("SIGTERM"), worker.end("SIGTERM")])).toMatchObject([
    { code: 0 },
    { code: 0 },
  ]);
  expect(await readdir(join(app, "state"))).toEqual(["history.json"]);
});
