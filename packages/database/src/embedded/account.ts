import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EmbeddedError } from "./error.ts";

/** The account that runs Postgres if this process is root, because Postgres does not run as root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const ACCOUNT_NAME = "postgres";

/** The account for a cluster: its owner if it exists. Null: this process is not root, and Postgres runs as its user. */
export async function postgresAccount(cluster: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { name: `${owner.uid}`, uid: owner.uid, gid: owner.gid };
  return findAccount() ?? createAccount();
}

function findAccount(): Account | null {
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
  const made = spawnSync("useradd", ["--system", "--user-group", "--shell", "/bin/false", ACCOUNT_NAME]);
  const account = findAccount();
  if (account !== null) return account;
  const cause = made.error?.message ?? made.stderr.toString().trim();
  throw new EmbeddedError(
    `Postgres does not run as root, and a user ${ACCOUNT_NAME} to run it as could not be made (${cause}); run as another user, or set DATABASE_URL to a Postgres of yours.`,
  );
}

/**
 * Creates the data folder if it is missing, and ensures that the account can enter it.
 *
 * @returns its real path
 */
export async function prepareDataFolder(data_dir: string, account: Account | null): Promise<string> {
  const folder = resolve(data_dir);
  if (account !== null) requireReachable(account, await existingPart(folder));
  try {
    // The files in it have modes of their own; the account has to pass through.
    const first = await mkdir(folder, { recursive: true, mode: account === null ? 0o700 : 0o711 });
    // The umask may have removed bits.
    if (account !== null && first !== undefined)
      for (const made of between(first, folder)) await chmod(made, 0o711);
  } catch (error) {
    throw new EmbeddedError(
      `The data folder ${folder} cannot be made: ${String(error)}; set DATA_DIR to another.`,
    );
  }
  return await realpath(folder);
}

function requireReachable(account: Account, path: string): void {
  const blocked = firstUnreachable(account, path);
  if (blocked === null) return;
  throw new EmbeddedError(
    `Postgres does not run as root, and user ${account.name}, which it runs as instead, cannot enter ${blocked}: set DATA_DIR to a folder that it can reach (DATA_DIR=/var/lib/findersfee), or DATABASE_URL to a Postgres of yours.`,
  );
}

/** Returns the first folder or file on the path that the account may not enter or run, or null. */
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
      `Postgres does not run as root, and root cannot switch to user ${account.name} here (${check.error.message}); run as another user, or set DATABASE_URL to a Postgres of yours.`,
    );
  }
  return check.status === 0 ? null : check.stdout;
}

/** `between("/a", "/a/b/c")` is `/a`, `/a/b`, `/a/b/c`. */
function between(first: string, last: string): string[] {
  return last === first || last === dirname(last) ? [last] : [...between(first, dirname(last)), last];
}

async function existingPart(path: string): Promise<string> {
  return (await stat(path).catch(() => null)) === null ? await existingPart(dirname(path)) : path;
}
