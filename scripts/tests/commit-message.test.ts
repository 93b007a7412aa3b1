import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Without the settings of this machine. */
const GIT = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...{ GIT_AUTHOR_NAME: "Jane", GIT_AUTHOR_EMAIL: "jane@example.com" },
  ...{ GIT_COMMITTER_NAME: "Jane", GIT_COMMITTER_EMAIL: "jane@example.com" },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "findersfee-hooks-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the hook with a message, as Git does. Returns its complaints. */
function complaintsAbout(message: string): string[] {
  const file = join(folder, "COMMIT_EDITMSG");
  writeFileSync(file, message);
  const { status, stderr } = spawnSync(join(ROOT, ".githooks/commit-msg"), [file], { encoding: "utf8" });
  const lines = stderr.trim().split("\n").filter(Boolean);
  expect(status).toBe(lines.length === 0 ? 0 : 1);
  // The last line names the page with the rules.
  return lines.slice(0, -1);
}

describe("the hook accepts", () => {
  it.each([
    "Sort payouts by the date they were paid",
    "Add a full form of tests beside the short one\n\nProperty tests do a third of their work.\n",
    "Dashboard: show the reason of a failed payout",
    // Nouns, and words that only look like another form.
    "Address a race between two payout runs",
    "Bring the ledger's check to the dashboard",
    "Speed up the list of commissions",
    `Explain a decision\n\nSee https://example.com/${"long/".repeat(30)}`,
    `Explain a decision\n# ${"a comment of Git ".repeat(10)}\n\nA reason.`,
    `Explain a decision\n# ------------------------ >8 ------------------------\n${"+ a diff ".repeat(20)}`,
    "Merge branch 'payouts' of https://example.com/a-repository-with-a-long-address/findersfee",
    'Revert "Adds a field; removes another."',
    "fixup! Sort payouts by the date they were paid",
  ])("%j", (message) => {
    expect(complaintsAbout(message)).toEqual([]);
  });
});

describe("the hook rejects", () => {
  it.each([
    [`Sort ${"x".repeat(68)}`, "73 characters"],
    ["sort payouts by date", "capital letter"],
    ["Sort payouts by date.", "full stop"],
    ["Adds a date to payouts", "imperative"],
    ["Added a date to payouts", "imperative"],
    ["Adding a date to payouts", "imperative"],
    ["Fixes the date of payouts", "imperative"],
    ["Dropped the date of payouts", "imperative"],
    ["Removing the date of payouts", "imperative"],
    ["Sort payouts; show their date", "several changes"],
    ["Sort payouts by date\nThe newest first.", "An empty line"],
    [`Sort payouts by date\n\n${"a reason ".repeat(12)}`, "Wrap the body"],
  ])("%j", (message, complaint) => {
    expect(complaintsAbout(message)).toEqual([expect.stringContaining(complaint)]);
  });

  it("all problems of a message at once", () => {
    expect(complaintsAbout("added a date; removed another.")).toHaveLength(4);
  });
});

describe("after an installation", () => {
  /** A copy of the hook and its scripts, like a fresh clone. */
  function copyOf(name: string): string {
    const copy = join(folder, name);
    for (const part of [".githooks", "scripts/check-commit-message.mjs", "scripts/enable-hooks.mjs"]) {
      mkdirSync(join(copy, part, ".."), { recursive: true });
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    return copy;
  }

  const git = (cwd: string, ...parameters: string[]) =>
    spawnSync("git", parameters, { cwd, encoding: "utf8", env: GIT });
  const prepare = (cwd: string, environment = {}) =>
    execFileSync(process.execPath, ["scripts/enable-hooks.mjs"], { cwd, env: { ...GIT, ...environment } });
  const hooksOf = (clone: string) => git(clone, "config", "core.hooksPath").stdout.trim();

  it("Git refuses a commit with a bad message, and takes one with a good message", () => {
    const clone = copyOf("clone");
    git(clone, "init");
    prepare(clone);
    const bad = git(clone, "commit", "--allow-empty", "-m", "Adds a date");
    expect(bad.stderr).toContain("imperative");
    expect(git(clone, "log").status).not.toBe(0);
    expect(git(clone, "commit", "--allow-empty", "-m", "Add a date").status).toBe(0);
    expect(git(clone, "log", "--format=%s").stdout).toBe("Add a date\n");
  });

  it("hooks that were configured before stay", () => {
    const clone = copyOf("configured");
    git(clone, "init");
    git(clone, "config", "core.hooksPath", "my-hooks");
    prepare(clone);
    expect(hooksOf(clone)).toBe("my-hooks");
  });

  it("nothing is configured in CI", () => {
    const clone = copyOf("ci");
    git(clone, "init");
    prepare(clone, { CI: "true" });
    expect(hooksOf(clone)).toBe("");
  });

  it("nothing is configured outside of a clone, even inside of another repository", () => {
    const outer = copyOf("outer");
    git(outer, "init");
    prepare(copyOf("outer/unpacked"));
    expect(hooksOf(outer)).toBe("");
  });

  it("nothing fails without Git", () => {
    const clone = copyOf("without-git");
    git(clone, "init");
    prepare(clone, { PATH: join(folder, "empty") });
    expect(hooksOf(clone)).toBe("");
  });
});
