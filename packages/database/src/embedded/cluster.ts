import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../postgres/error-code.ts";
import { type Account, postgresAccount, prepareDataFolder } from "./account.ts";
import { EmbeddedError } from "./error.ts";
import { isAlive } from "./postmaster.ts";
import { readOrCreateFile } from "./private-file.ts";
import { findPrograms, type Programs } from "./programs.ts";

/** A Postgres cluster below a data folder, and its programs and account. */
export interface Cluster {
  /** Postgres' data directory. */
  folder: string;
  data_dir: string;
  /** Null: Postgres runs as the user of this process. */
  account: Account | null;
  programs: Programs;
  password: string;
}

/** The name of the cluster's superuser and database. */
export const CLUSTER_NAME = "findersfee";

const FOLDER = "postgres";

/** Returns the folder of a data folder's cluster, which may not exist yet. */
export function clusterFolder(data_dir: string): string {
  return join(data_dir, FOLDER);
}

export function clusterUrl(cluster: { password: string }, port: number, database = CLUSTER_NAME): string {
  return `postgres://${CLUSTER_NAME}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** Returns the password of a data folder's cluster; creates it on first use. */
export function clusterPassword(data_dir: string): Promise<string> {
  return readOrCreateFile(join(data_dir, "postgres.password"), () => randomBytes(24).toString("hex"));
}

/** Finds or creates the cluster of a data folder. */
export async function prepareCluster(path: string): Promise<Cluster> {
  const account = await postgresAccount(clusterFolder(path));
  const data_dir = await prepareDataFolder(path, account);
  try {
    const cluster: Cluster = {
      folder: clusterFolder(data_dir),
      data_dir,
      account,
      programs: await findPrograms(data_dir, account),
      password: await clusterPassword(data_dir),
    };
    if (!(await exists(join(cluster.folder, "PG_VERSION")))) await createCluster(cluster);
    return cluster;
  } catch (error) {
    if (!hasCode(error, "EACCES") && !hasCode(error, "EPERM")) throw error;
    throw new EmbeddedError(
      `The data folder ${data_dir} belongs to another user: run as that user, or set DATA_DIR to another folder.`,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Creates the cluster in a temporary folder and then renames that: a partial cluster is never found. */
async function createCluster(cluster: Cluster): Promise<void> {
  await removeAbandonedDrafts(cluster);
  const draft = `${cluster.folder}.new-${process.pid}`;
  const password_file = `${draft}.password`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(password_file, cluster.password, { mode: 0o600 });
  if (cluster.account !== null) {
    const { uid, gid } = cluster.account;
    await Promise.all([draft, password_file].map((path) => chown(path, uid, gid)));
  }
  try {
    await initialise(cluster, draft, password_file);
    await rename(draft, cluster.folder);
  } catch (error) {
    // Another process created it first.
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(password_file, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeAbandonedDrafts(cluster: Cluster): Promise<void> {
  for (const name of await readdir(cluster.data_dir)) {
    const pid = new RegExp(`^${FOLDER}\\.new-([0-9]+)`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(cluster.data_dir, name), { recursive: true, force: true });
  }
}

/**
 * Uses Postgres' builtin locale provider instead of the machine's locale: text sorts by code point and `lower()`
 * supports all of Unicode, the same on every machine.
 */
async function initialise(cluster: Cluster, folder: string, password_file: string): Promise<void> {
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${CLUSTER_NAME}`, "--auth=scram-sha-256", `--pwfile=${password_file}`];
  const initdb = spawn(
    cluster.programs.initdb,
    [`--pgdata=${folder}`, "--encoding=UTF8", ...locale, ...access],
    processOptions(cluster, ["ignore", "ignore", "pipe"]),
  );
  let complaint = "";
  initdb.stderr?.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    initdb.once("error", reject);
    initdb.once("close", resolve);
  }).catch((error: Error) => {
    complaint = error.message;
    return null;
  });
  if (status !== 0) {
    const cause = complaint
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .join("; ");
    throw new EmbeddedError(`Creating the database in ${cluster.data_dir} failed: ${cause}`);
  }
}

/**
 * Options of the programs: they run as the account, with an empty environment, and in a session of their own, so that
 * Ctrl-C in a terminal reaches only the service, which drains first and stops Postgres last.
 */
export function processOptions<Stdio>({ account, data_dir }: Cluster, stdio: Stdio) {
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  return { ...identity, cwd: data_dir, detached: true, env: { LC_ALL: "C" }, stdio };
}
