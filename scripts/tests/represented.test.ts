import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache");

let folder: string;

beforeAll(async () => {
  await mkdir(CACHE, { recursive: true });
  // Inside of the repository, where Node finds Vitest.
  folder = await mkdtemp(join(CACHE, "represented-"));
  const reporter = JSON.stringify(join(import.meta.dirname, "represented.ts"));
  await writeFile(
    join(folder, "vitest.config.ts"),
    `import { Represented } from ${reporter};\nexport default { test: { reporters: [new Represented()] } };`,
  );
  const files = {
    whole: 'it("runs", () => {});\nit.skip("is long", () => {});',
    absent: 'it.skip("is long", () => {});',
    lacking: 'it.skip("clicks: skipped without Chromium", () => {});',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, `${name}.test.ts`), `import { it } from "vitest";\n${text}\n`);
});

afterAll(() => rm(folder, { recursive: true }));

it("fails a run in which a file skipped all of its tests, unless the machine lacks something", () => {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const run = (...names: string[]) =>
    spawnSync(process.execPath, [vitest, "run", ...names], { cwd: folder, encoding: "utf8" });
  expect(run()).toMatchObject({
    status: 1,
    stderr: "These files have no test in this form: absent.test.ts.\n",
  });
  expect(run("whole", "lacking")).toMatchObject({ status: 0, stderr: "" });
});

it("fails a run in which a test was skipped, where none may be", async () => {
  await writeFile(join(folder, "complete.test.ts"), 'import { it } from "vitest";\nit("runs", () => {});\n');
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const run = (name: string) =>
    spawnSync(process.execPath, [vitest, "run", name], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NO_SKIPS: "1" },
    });
  expect(run("complete")).toMatchObject({ status: 0, stderr: "" });
  expect(run("whole")).toMatchObject({ status: 1, stderr: "These tests were skipped: is long.\n" });
  expect(run("lacking")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("These tests were skipped: clicks: skipped without Chromium.\n"),
  });
});
