import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "../postgres/error-code.ts";
import { EmbeddedError } from "./error.ts";
import { statIfExists } from "./private-file.ts";

/** The running Postgres of a cluster, from its `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

export const LOCK_FILE = "postmaster.pid";

/** Postgres creates the file empty, and writes it at once. */
const EMPTY_LOCK_SECONDS = 5;

/** Returns the Postgres that runs on a cluster, or null. Ignores the lock file of a dead one. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const named = await readLockFile(cluster);
  if (named === null || !isAlive(named.pid) || !(await isPostmaster(named.pid, cluster))) return null;
  return named;
}

/**
 * Removes a dead Postgres' lock file in cases that Postgres itself does not handle: another process now has its process
 * id, as happens in containers, or the file is empty, which a crash of the machine can leave.
 */
export async function removeMistakenLock(cluster: string): Promise<void> {
  const named = await readLockFile(cluster);
  if (named === null) return;
  const mistaken =
    named.pid === 0
      ? await isOlderThan(join(cluster, LOCK_FILE), EMPTY_LOCK_SECONDS)
      : isAlive(named.pid) && !(await isPostmaster(named.pid, cluster));
  if (mistaken) await rm(join(cluster, LOCK_FILE), { force: true });
}

async function isOlderThan(path: string, seconds: number): Promise<boolean> {
  const file = await statIfExists(path);
  return file !== null && Date.now() - file.mtimeMs > seconds * 1000;
}

async function readLockFile(cluster: string): Promise<Postmaster | null> {
  try {
    // Process id, cluster, start time, port, socket folder, address, shared memory, state: a line each.
    const lines = (await readFile(join(cluster, LOCK_FILE), "utf8")).split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    if (hasCode(error, "EACCES")) {
      throw new EmbeddedError(
        `The database in ${cluster} belongs to another user: run as that user, or set DATA_DIR to another folder.`,
      );
    }
    throw error;
  }
}

/** Whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

const NOT_OURS = ["ENOENT", "ESRCH", "EPERM", "EACCES"];

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === "win32") return true;
  return (await commandOf(pid)).includes(`-D ${cluster} `);
}

/**
 * Empty for a process that has ended, or that another user hides, who cannot run our Postgres. Any other failure is thrown:
 * the lock of a Postgres that runs must not be deleted.
 */
async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform !== "linux") {
      return execFileSync("ps", ["-o", "command=", "-p", `${pid}`], { encoding: "utf8" });
    }
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
  } catch (error) {
    // `ps` exits with 1 if it finds no process.
    const has_none = error instanceof Error && "status" in error && error.status === 1;
    if (has_none || NOT_OURS.some((code) => hasCode(error, code))) return "";
    throw error;
  }
}

/** Waits up to `seconds` until `condition` holds; returns whether it did. */
export async function becomesTrue(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
