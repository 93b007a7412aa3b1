import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { isUnavailable } from "../postgres/errors.ts";
import {
  CLUSTER_NAME,
  type Cluster,
  clusterFolder,
  clusterPassword,
  clusterUrl,
  prepareCluster,
} from "./cluster.ts";
import { EmbeddedError } from "./error.ts";
import { becomesTrue, findPostmaster, isAlive, type Postmaster } from "./postmaster.ts";
import { statIfExists } from "./private-file.ts";
import { type PostgresProcess, type Settings, startProcess, stopPostgres } from "./process.ts";
import { findAttendance, holdServiceLock, STARTED_BY } from "./service-lock.ts";

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** `postgres://…` on the loopback interface, with the password. */
  url: string;
  /** Resolves when Postgres has ended, for any reason. */
  ended: Promise<void>;
  /** Stops Postgres; close all connections first. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder that holds the database and its password; created if missing. */
  data_dir: string;
  /** Settings of Postgres in addition to the defaults. */
  settings?: Settings;
}

/** The maximum wait for a Postgres that another process is starting or stopping. */
const PATIENCE_SECONDS = 60;
/** The maximum time between Postgres being ready and its service holding the service lock. */
const CLAIM_SECONDS = 5;
const ATTEMPTS = 5;

/**
 * Starts Postgres for a service, which then owns the data folder. A Postgres that a killed service left running is
 * stopped first.
 *
 * @throws EmbeddedError when another service runs on the folder, or when Postgres cannot run on this machine
 */
export async function startEmbedded({ data_dir, settings = {} }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(data_dir);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const running = await findPostmaster(cluster.folder);
    if (running !== null) await stopUnattended(cluster, running);
    const started = await startProcess(cluster, { ...settings, [STARTED_BY]: `${process.pid}` });
    if (started !== null) return await serve(cluster, started);
  }
  throw alreadyRuns(cluster.data_dir, 0);
}

/** Returns the address of the embedded Postgres that runs on a data folder, or null. */
export async function findEmbedded(data_dir: string): Promise<string | null> {
  if ((await statIfExists(data_dir)) === null) return null;
  const folder = await realpath(data_dir);
  const postmaster = await findReadyPostmaster(clusterFolder(folder));
  return postmaster && clusterUrl({ password: await clusterPassword(folder) }, postmaster.port);
}

/** Waits for a Postgres that is starting or stopping. */
async function findReadyPostmaster(cluster: string): Promise<Postmaster | null> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (postmaster === null || postmaster.ready) return postmaster;
    if (performance.now() > deadline) {
      throw new EmbeddedError(
        `The Postgres on ${cluster} (process ${postmaster.pid}) does not become ready.`,
      );
    }
    await delay(20);
  }
}

/** An embedded Postgres for the duration of a command. */
export interface BorrowedPostgres {
  url: string;
  /** True: it was already running, and `stop` leaves it running. */
  shared: boolean;
  stop(): Promise<void>;
}

/** Returns the running embedded Postgres of a data folder, or starts one temporarily. */
export async function borrowEmbedded(data_dir: string): Promise<BorrowedPostgres> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const url = await findEmbedded(data_dir);
    if (url !== null) return { url, shared: true, stop: async () => {} };
    const cluster = await prepareCluster(data_dir);
    const started = await startProcess(cluster, {});
    if (started === null) continue;
    try {
      await createDatabase(clusterUrl(cluster, started.port, "postgres"));
    } catch (error) {
      await started.stop();
      throw error;
    }
    return { url: clusterUrl(cluster, started.port), shared: false, stop: started.stop };
  }
  throw new EmbeddedError(
    `Other commands keep starting and stopping the database in ${data_dir}; try again.`,
  );
}

async function serve(cluster: Cluster, started: PostgresProcess): Promise<EmbeddedPostgres> {
  const administration = clusterUrl(cluster, started.port, "postgres");
  try {
    const lock = await holdServiceLock(administration);
    await createDatabase(administration);
    return {
      url: clusterUrl(cluster, started.port),
      ended: started.ended,
      stop: async () => {
        await lock.release();
        await started.stop();
      },
    };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

function alreadyRuns(data_dir: string, service: number): EmbeddedError {
  const named = service === 0 ? "" : ` (process ${service})`;
  return new EmbeddedError(
    `Findersfee already runs on ${data_dir}${named}: stop it first, or set DATA_DIR to another folder.`,
  );
}

/** Stops a Postgres that no service uses. Throws when a service uses it. */
async function stopUnattended(cluster: Cluster, { pid, port }: Postmaster): Promise<void> {
  const url = clusterUrl(cluster, port, "postgres");
  const isGone = async () => (await findPostmaster(cluster.folder))?.pid !== pid;
  let claim_deadline = Number.POSITIVE_INFINITY;
  let served_by: number | null = null;
  const unattended = await becomesTrue(async () => {
    if (await isGone()) return true;
    const attendance = await attendanceOf(url);
    served_by = attendance?.state === "served" ? attendance.service : null;
    // The session of a service that was killed lasts for moments.
    if (served_by === 0 || (served_by !== null && isAlive(served_by))) {
      throw alreadyRuns(cluster.data_dir, served_by);
    }
    if (attendance?.state === "unattended") return true;
    if (attendance?.state === "starting")
      claim_deadline = Math.min(claim_deadline, performance.now() + CLAIM_SECONDS * 1000);
    return performance.now() > claim_deadline;
  }, PATIENCE_SECONDS);
  if (!unattended) {
    if (served_by !== null) throw alreadyRuns(cluster.data_dir, served_by);
    throw new EmbeddedError(
      `The Postgres on ${cluster.data_dir} (process ${pid}) neither answers nor ends; end it.`,
    );
  }
  await stopPostgres((signal) => isAlive(pid) && process.kill(pid, signal), isGone);
}

/** Null: Postgres does not accept connections now, because it is starting up or shutting down. */
async function attendanceOf(url: string) {
  try {
    return await findAttendance(url);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

async function createDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const found = await sql`select 1 from pg_database where datname = ${CLUSTER_NAME}`;
    if (found.length === 0) await sql.unsafe(`create database ${CLUSTER_NAME}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
