/*
 * `pnpm test` checks everything, with tests in their short form, and `pnpm test:all` with tests in their full
 * form. `pnpm test --changed [commit]` checks the changes since a commit (the last one of the branch that
 * main has) in less than a minute: types, lint, imports, and the closest tests. See
 * docs/contributing/testing.md.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { affectedTests, closest } from "./tests/affected.ts";
import { checksOf } from "./tests/checks.ts";
import { recordDurations, secondsOfTests } from "./tests/durations.ts";
import { readersOf } from "./tests/import-graph.ts";

const ROOT = join(import.meta.dirname, "..");
/** The rest of a minute after the start of Postgres and the parallel checks. */
const TEST_SECONDS = 30;
const TASKS = ["run", "types", "types:node", "lint", "imports", "vitest"];

const { values, positionals } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

// Read by packages/database/test/full-tests.ts.
if (values.all) process.env.FULL_TESTS = "1";

process.exitCode = values.changed
  ? await testChanges(positionals[0] ?? branchStart())
  : await node(["--env-file=turbo.env", "node_modules/turbo/bin/turbo", ...TASKS]);

// The order of test files is by these, on machines that have not run them yet.
if (values.record) recordDurations(ROOT);

/** Runs the checks and the tests side by side. */
async function testChanges(commit: string): Promise<number> {
  const changed = changedSince(commit);
  const readers = readersOf(ROOT, trackedFiles());
  const unread = changed.filter((file) => !readers.has(file) && !file.endsWith(".test.ts"));
  const affected = affectedTests(changed, readers);
  const files = closest(affected, {
    seconds: TEST_SECONDS,
    processors: availableParallelism(),
    secondsOf: secondsOfTests(ROOT),
  });
  console.log(
    `${changed.length} files differ from ${commit}, which can affect ${affected.length} test files.`,
  );
  if (files.length < affected.length)
    console.log(`The ${files.length} closest ones are run. \`pnpm test\` runs them all.`);
  if (unread.length > 0) console.log(`No test is known to read ${unread.join(", ")}.`);
  const runs = checksOf(changed, changed.filter(exists));
  if (files.length > 0) runs.push(["node_modules/vitest/vitest.mjs", "run", ...files]);
  return Math.max(0, ...(await Promise.all(runs.map(node))));
}

function node(parameters: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, { cwd: ROOT, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** The commit that this branch shares with main; without a remote, the last one. */
function branchStart(): string {
  try {
    return git("merge-base", "HEAD", "origin/main")[0] ?? "HEAD";
  } catch {
    return "HEAD";
  }
}

function changedSince(commit: string): string[] {
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...new Set([...git("diff", "--name-only", commit, "--"), ...untracked])];
}

function trackedFiles(): string[] {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard");
  return files.filter(exists);
}

function exists(file: string): boolean {
  return existsSync(join(ROOT, file));
}

function git(...parameters: string[]): string[] {
  const output = execFileSync("git", parameters, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return output.split("\n").filter((line) => line !== "");
}
