import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EmbeddedError } from "./error.ts";
import { statIfExists } from "./private-file.ts";

/** The system user that runs Postgres if this process is root: Postgres refuses to run as root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const ACCOUNT_NAME = "postgres";

/**
 * Returns the owner of an existing cluster, or else the user `postgres`. Null: this process is not root, and Postgres runs
 * as the same user.
 */
export async function postgresAccount(cluster: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await statIfExists(cluster);
  if (owner !== null && owner.uid !== 0) return { name: `${owner.uid}`, uid: owner.uid, gid: owner.gid };
  return findAccount() ?? createAccount();
}

function findAccount(): Account | null {
  // biome-ignore lint/plugin/swallowed-failure: `id` fails for a missing user; if it cannot be created either, that is reported
  try {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number(
        execFileSync("id", [flag, ACCOUNT_NAME], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" }),
      ),
    );
    return uid === undefined || gid === undefined ? null : { name: ACCOUNT_NAME, uid, gid };
  } catch {
    return null;
  }
}

function createAccount(): Account {
  const created = spawnSync("useradd", ["--system", "--user-group", "--shell", "/bin/false", ACCOUNT_NAME]);
  const account = findAccount();
  if (account !== null) return account;
  const cause = created.error?.message ?? created.stderr.toString().trim();
  throw new EmbeddedError(
    `Postgres does not run as root, and creating a user ${ACCOUNT_NAME} for it failed (${cause}). Run as another user, or set DATABASE_URL to your own Postgres.`,
  );
}

/**
 * Creates the data folder if it is missing, and checks that the account can enter it.
 *
 * @returns its real path
 */
export async function prepareDataFolder(data_dir: string, account: Account | null): Promise<string> {
  const folder = resolve(data_dir);
  if (account !== null) requireReachable(account, await existingPart(folder));
  try {
    // The account must be able to enter the folder; the files in it have stricter modes.
    const first = await mkdir(folder, { recursive: true, mode: account === null ? 0o700 : 0o711 });
    // The umask may have removed bits.
    if (account !== null && first !== undefined)
      for (const created of between(first, folder)) await chmod(created, 0o711);
  } catch (error) {
    throw new EmbeddedError(
      `Creating the data folder ${folder} failed: ${String(error)}. Set DATA_DIR to another folder.`,
    );
  }
  return await realpath(folder);
}

function requireReachable(account: Account, path: string): void {
  const blocked = firstUnreachable(account, path);
  if (blocked === null) return;
  throw new EmbeddedError(
    `Postgres does not run as root, so it runs as user ${account.name}, who cannot enter ${blocked}. Set DATA_DIR to a folder that this user can enter (DATA_DIR=/var/lib/findersfee), or DATABASE_URL to your own Postgres.`,
  );
}

/** Returns the first folder or file on the path that the account cannot enter or execute, or null. */
export function firstUnreachable(account: Account, path: string): string | null {
  const script = 'for step; do [ -x "$step" ] || { printf %s "$step"; exit 1; }; done';
  const { uid, gid } = account;
  const check = spawnSync("/bin/sh", ["-c", script, "sh", ...between("/", resolve(path))], {
    uid,
    gid,
    cwd: "/",
    env: {},
    encoding: "utf8",
  });
  if (check.error !== undefined) {
    throw new EmbeddedError(
      `Postgres does not run as root, and root cannot switch to user ${account.name} here (${check.error.message}). Run as another user, or set DATABASE_URL to your own Postgres.`,
    );
  }
  return check.status === 0 ? null : check.stdout;
}

/** `between("/a", "/a/b/c")` is `/a`, `/a/b`, `/a/b/c`. */
function between(first: string, last: string): string[] {
  return last === first || last === dirname(last) ? [last] : [...between(first, dirname(last)), last];
}

async function existingPart(path: string): Promise<string> {
  return (await statIfExists(path)) === null ? await existingPart(dirname(path)) : path;
}
