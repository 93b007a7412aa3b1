import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const NAME = /^findersfee-run-(?<id>\d+)$/;

/**
 * Creates the folder of this run's temporary files, which is removed when the process exits. A run that was killed leaves its
 * databases, a gigabyte of memory: removes the folders of runs that ended.
 *
 * @param parent the folder of all runs
 */
export function createRunFolder(parent: string): string {
  for (const name of readdirSync(parent)) {
    const id = Number(NAME.exec(name)?.groups?.id);
    if (id > 0 && isOwn(join(parent, name)) && !isRunning(id)) remove(join(parent, name));
  }
  const folder = join(parent, `findersfee-run-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // Postgres runs as another user if root runs the tests.
  chmodSync(folder, 0o755);
  process.once("exit", () => remove(folder));
  return folder;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Whether this user created it. Another run may have removed it by now. */
function isOwn(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function isRunning(process_id: number): boolean {
  try {
    return process.kill(process_id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
