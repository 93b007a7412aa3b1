import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

const execute = promisify(execFile);

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const changesets = z.object({ bin: z.object({ changeset: z.string() }) });
const versioned = z.object({ version: z.string() });

/** The repository's manifests and changesets only. */
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "findersfee-releasing-"));
  const manifests = await Promise.all(
    ["apps", "packages"].map(async (parent) =>
      (await readdir(join(ROOT, parent))).map((name) => `${parent}/${name}/package.json`),
    ),
  );
  for (const path of [".changeset", "package.json", "pnpm-workspace.yaml", ...manifests.flat()]) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  // Changesets reads from git which commit added each note.
  await execute("git", ["init", "--quiet"], { cwd: copy });
});

afterAll(() => rm(copy, { recursive: true }));

/** Runs `pnpm changeset version`, and returns the versions of both packages. */
async function version(): Promise<{ findersfee: string; sdk: string }> {
  const manifest = createRequire(join(ROOT, "package.json")).resolve("@changesets/cli/package.json");
  const { bin } = changesets.parse(JSON.parse(await readFile(manifest, "utf8")));
  await execute(process.execPath, [join(dirname(manifest), bin.changeset), "version"], { cwd: copy });
  const [findersfee, sdk] = await Promise.all(
    ["apps/cli", "packages/sdk"].map(async (path) => {
      const text = await readFile(join(copy, path, "package.json"), "utf8");
      return versioned.parse(JSON.parse(text)).version;
    }),
  );
  return { findersfee: findersfee ?? "", sdk: sdk ?? "" };
}

it.runIf(FULL_TESTS)(
  "applies all changesets, and releases the command with each change of its SDK",
  async () => {
    const before = await version();
    expect(await readdir(join(copy, ".changeset"))).toEqual(["config.json"]);
    await writeFile(join(copy, ".changeset/fix.md"), '---\n"@findersfee/sdk": patch\n---\n\nA fix.\n');
    const after = await version();
    expect(after.sdk).not.toBe(before.sdk);
    expect(after.findersfee).not.toBe(before.findersfee);
  },
);

it.each(casesOf(["apps/cli", "packages/sdk"], { short: 1 }))(
  "prevents npm from publishing the sources in %s",
  async (path) => {
    // As on a command line: the test runner's environment would make npm skip scripts.
    const { PATH, HOME } = process.env;
    const publishing = execute("npm", ["publish", "--dry-run"], {
      cwd: join(ROOT, path),
      env: { PATH, HOME },
    });
    await expect(publishing).rejects.toMatchObject({
      stderr: expect.stringContaining("This would publish the sources."),
    });
  },
);
