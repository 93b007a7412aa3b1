/* Biome with this repository's settings, on samples in a folder of their own. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCE = "packages/domain/src/sample.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-lint-"));
  for (const name of ["biome.json", "scripts/lint/swallowed-failure.grit"]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await cp(join(ROOT, name), join(folder, name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** The lines at which the check finds something in these lines of an asynchronous function. */
async function findIn(lines: string[], path = SOURCE): Promise<string[]> {
  const start = "export async function sample(promise: Promise<number>) {";
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), [start, ...lines, "}", ""].join("\n"));
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const options = [
    "lint",
    "--error-on-warnings",
    "--max-diagnostics=100",
    "--reporter=github",
    "--vcs-enabled=false",
    path,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [biome, ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  if (/internalError|configuration|errored/.test(`${stdout}${stderr}`))
    throw new Error(`Biome failed: ${stdout}${stderr}`);
  const found = [...stdout.matchAll(/title=(?:plugin|suppressions\/\w+),.*?line=(\d+),/g)];
  const numbers = found.map(([, line]) => Number(line)).sort((a, b) => a - b);
  return numbers.map((number) => lines[number - 2] ?? "");
}

const SWALLOWED = [
  "return await promise.catch(() => null);",
  "return await promise.catch(() => []);",
  "await promise.catch(() => {});",
  "await promise?.catch(async () => 1);",
  "await promise.catch((_error) => 1);",
  "await promise.catch(ignore);",
  "await promise.catch(undefined);",
  "return schema.catch({}).parse(await promise);",
  "await promise.then((value) => value, () => 0);",
  "const [result] = await Promise.allSettled([promise]);",
  "try { return await promise; } catch { return null; }",
  "try { return await promise; } catch {}",
  "try { return await promise; } catch (_error) { return null; }",
];

it("finds each way to go on after a failure", async () => {
  expect(await findIn(SWALLOWED)).toEqual(SWALLOWED);
});

it("finds nothing in code that looks at the failure, or throws another one", async () => {
  const lines = [
    "await promise.catch((error) => report(error));",
    "await promise.catch(onError);",
    "await promise.catch(() => { throw new Error('Not read'); });",
    "await promise.then((value) => value);",
    "try { return await promise; } catch { throw new Error('Not read'); }",
    "try { await promise; } catch (error) { report(error); }",
    "try { await promise; } catch (error) { if (!(error instanceof TypeError)) throw error; }",
    "try { await promise; } finally { end(); }",
  ];
  expect(await findIn(lines)).toEqual([]);
});

it("lets pass what has a reason above it, and asks for the reason", async () => {
  const ignore = "// biome-ignore lint/plugin/swallowed-failure";
  expect(await findIn(SWALLOWED.flatMap((line) => [`${ignore}: it is a sample`, line]))).toEqual([]);
  expect(await findIn([ignore, "await promise.catch(() => {});"])).not.toEqual([]);
});

it("finds reasons for nothing", async () => {
  const reason = "// biome-ignore lint/plugin/swallowed-failure: it was there";
  expect(await findIn([reason, "await promise;"])).toEqual([reason]);
});

it("concerns the sources of all packages, and no tests", async () => {
  const line = "await promise.catch(() => {});";
  for (const path of ["apps/dashboard/src/a/b.tsx", "apps/cli/src/a.ts", "packages/ui/src/a/b/c.ts"]) {
    expect(await findIn([line], path)).toEqual([line]);
  }
  for (const path of ["packages/domain/src/a.test.ts", "packages/domain/test/a.ts"]) {
    expect(await findIn([line], path)).toEqual([]);
  }
});
