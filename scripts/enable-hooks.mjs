/*
 * Has Git run the hooks in .githooks, after each `pnpm install` in a clone. Does nothing in CI, outside of a clone, and where another
 * folder of hooks is configured.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** A folder, or a file in a worktree. Without it, Git would change the repository around this folder. */
const is_clone = existsSync(join(root, ".git"));

if (is_clone && !process.env.CI) {
  const { status } = spawnSync("git", ["config", "core.hooksPath"], { cwd: root });
  // It exits with 1 if nothing is configured; without Git there is no status.
  if (status === 1)
    spawnSync("git", ["config", "core.hooksPath", ".githooks"], { cwd: root, stdio: "inherit" });
}
