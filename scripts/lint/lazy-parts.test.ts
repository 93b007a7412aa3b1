/* Biome with this repository's settings, on samples in a folder of their own. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-lint-"));
  for (const name of ["biome.json", "scripts/lint/swallowed-failure.grit"]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await cp(join(ROOT, name), join(folder, name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** The check's report about a module of the dashboard that imports this. */
async function check(line: string): Promise<string> {
  const path = "apps/dashboard/src/sample.ts";
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), `${line}\n`);
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const options = ["lint", "--reporter=github", "--vcs-enabled=false", path];
  return spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: "utf8" }).stdout;
}

it("refuses components that would load without a network", async () => {
  expect(await check('export { lazy } from "react";')).toContain("Use lazyPart");
  expect(await check('import { lazy, useState } from "react";\nlazy(useState);')).toContain("Use lazyPart");
  const page = 'import { lazyRouteComponent } from "@tanstack/react-router";\nlazyRouteComponent();';
  expect(await check(page)).toContain("Use lazyPage");
});

it("allows the other names of React", async () => {
  expect(await check('export { Suspense, useState } from "react";')).not.toContain("noRestrictedImports");
});
