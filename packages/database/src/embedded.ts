import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import {
  CLUSTER_NAME,
  type Cluster,
  clusterFolder,
  clusterPassword,
  clusterUrl,
  prepareCluster,
} from "./embedded/cluster.ts";
import { EmbeddedError } from "./embedded/error.ts";
import { becomesTrue, findPostmaster, isAlive, type Postmaster } from "./embedded/postmaster.ts";
import { type PostgresProcess, type Settings, startProcess, stopPostgres } from "./embedded/process.ts";
import { findAttendance, holdServiceLock, STARTED_BY } from "./embedded/service-lock.ts";
import { isUnavailable } from "./errors.ts";

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** `postgres://…` on the loopback interface, with the password. */
  url: string;
  /** Resolves when Postgres has ended, also by itself. */
  ended: Promise<void>;
  /** Stops Postgres; connections to it must be closed before. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder that holds the database and its password; made when it is missing. */
  data_dir: string;
  /** Settings of Postgres beside our own. */
  settings?: Settings;
}

/** How long a Postgres that another process is starting or stopping is waited for. */
const PATIENCE_SECONDS = 60;
/** How long a service may take from its Postgres being ready to holding the service lock. */
const CLAIM_SECONDS = 5;
const ATTEMPTS = 5;

/**
 * Starts Postgres for a service, which from then on is the only one on this data folder. One that a killed
 * service left behind is stopped first.
 *
 * @throws EmbeddedError when another service runs on the folder, or when Postgres cannot run here
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

/** The address of the embedded Postgres that runs on a data folder, or null when none does. */
export async function findEmbedded(data_dir: string): Promise<string | null> {
  const folder = await realpath(data_dir).catch(() => null);
  if (folder === null) return null;
  const postmaster = await findReadyPostmaster(clusterFolder(folder));
  return postmaster && clusterUrl({ password: await clusterPassword(folder) }, postmaster.port);
}

/** Waits for one that starts or stops. */
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

/** An embedded Postgres for the length of a command. */
export interface BorrowedPostgres {
  url: string;
  /** It ran already; `stop` leaves it running. */
  shared: boolean;
  stop(): Promise<void>;
}

/** The embedded Postgres of a data folder: the one that runs, or one that is started for the moment. */
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

/** Returns when the Postgres that was found is gone. Throws when a service attends to it. */
async function stopUnattended(cluster: Cluster, { pid, port }: Postmaster): Promise<void> {
  const url = clusterUrl(cluster, port, "postgres");
  const isGone = async () => (await findPostmaster(cluster.folder))?.pid !== pid;
  let claim_deadline = Number.POSITIVE_INFINITY;
  const unattended = await becomesTrue(async () => {
    if (await isGone()) return true;
    const attendance = await attendanceOf(url);
    if (attendance?.state === "served") throw alreadyRuns(cluster.data_dir, attendance.service);
    if (attendance?.state === "unattended") return true;
    if (attendance?.state === "starting")
      claim_deadline = Math.min(claim_deadline, performance.now() + CLAIM_SECONDS * 1000);
    return performance.now() > claim_deadline;
  }, PATIENCE_SECONDS);
  if (!unattended) {
    throw new EmbeddedError(
      `The Postgres on ${cluster.data_dir} (process ${pid}) neither answers nor ends; end it.`,
    );
  }
  await stopPostgres((signal) => isAlive(pid) && process.kill(pid, signal), isGone);
}

/** Null: it does not take connections now, because it is starting up or shutting down. */
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
