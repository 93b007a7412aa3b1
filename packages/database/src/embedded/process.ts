import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, open, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, processOptions } from "./cluster.ts";
import { EmbeddedError } from "./error.ts";
import { becomesTrue, findPostmaster, LOCK_FILE, removeMistakenLock } from "./postmaster.ts";

/** A Postgres that we started. */
export interface PostgresProcess {
  port: number;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Settings of Postgres by their names in postgresql.conf. */
export type Settings = Record<string, string>;

const SETTINGS: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: `${bufferMegabytes()}MB`,
  // After each checkpoint, pages are written whole once more: while much is written, one every five minutes will do.
  max_wal_size: "4GB",
  // A plan compiled at run time costs more than any statement of ours.
  jit: "off",
  // Nor do they gain from parallel workers, whose shared memory small containers do not have.
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
  log_timezone: "UTC",
  // Start, stop and crashes. A refused statement is the service's to report, and its text holds addresses.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** A quarter of the memory that we may use, as Postgres advises, within what is of use to us. */
function bufferMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(512, Math.max(128, Math.floor(bytes / 4 / 1024 / 1024)));
}

/** Longer than the recovery after a crash takes. */
const START_SECONDS = 300;
const BIND_ATTEMPTS = 5;
/** The server processes of a Postgres that was killed end when they notice it; one in a long statement takes a while. */
const ORPHANS_SECONDS = 60;
const ORPHANS_RETRY_MILLISECONDS = 100;
/** Postgres says so while server processes of an earlier one on the folder still run. */
const ORPHANS = "pre-existing shared memory block";
const PORT_FILE = "postgres.port";
const LOG_MAXIMUM_BYTES = 1024 * 1024;

/**
 * Starts Postgres on a cluster and waits until it takes connections.
 *
 * @returns null when another process has just started one on the same cluster
 */
export async function startProcess(cluster: Cluster, settings: Settings): Promise<PostgresProcess | null> {
  const orphans_deadline = performance.now() + ORPHANS_SECONDS * 1000;
  for (let bind_failures = 0; ; ) {
    const port = await choosePort(cluster);
    await removeMistakenLock(cluster.folder);
    const log = await openLog(cluster);
    try {
      const child = launch(cluster, { port, log: log.file, settings: { ...SETTINGS, ...settings } });
      if (await isUp(child, cluster)) {
        await writeFile(join(cluster.data_dir, PORT_FILE), `${port}\n`);
        return supervise(child, port);
      }
      const words = await lastWords(log, child.pid);
      if (new RegExp(`lock file "${LOCK_FILE}" (already exists|is empty)`).test(words)) return null;
      if (words.includes("could not create any TCP/IP sockets") && ++bind_failures < BIND_ATTEMPTS) continue;
      if (words.includes(ORPHANS) && performance.now() < orphans_deadline) {
        await delay(ORPHANS_RETRY_MILLISECONDS);
        continue;
      }
      throw new EmbeddedError(`The embedded Postgres did not start: ${words} (log: ${log.path})`);
    } finally {
      await log.file.close();
    }
  }
}

function launch(
  cluster: Cluster,
  { port, log, settings }: { port: number; log: FileHandle; settings: Settings },
): ChildProcess {
  const flags = Object.entries({ ...settings, port: `${port}` }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const child = spawn(
    cluster.programs.postgres,
    ["-D", cluster.folder, ...flags],
    processOptions(cluster, ["ignore" as const, log.fd, log.fd]),
  );
  child.once("error", () => {});
  return child;
}

/** Waits for the end of the start; false: the process has ended. */
async function isUp(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  let ready = false;
  const settled = await becomesTrue(async () => {
    const postmaster = await findPostmaster(cluster.folder);
    ready = postmaster !== null && postmaster.pid === child.pid && postmaster.ready;
    return ready || hasEnded(child);
  }, START_SECONDS);
  if (!settled) await stopChild(child);
  return ready;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function supervise(child: ChildProcess, port: number): PostgresProcess {
  // Also when the service ends by an error nobody caught: Postgres is told, and finishes alone.
  const stopWithUs = () => child.kill("SIGINT");
  process.once("exit", stopWithUs);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      process.off("exit", stopWithUs);
      resolve();
    });
    if (hasEnded(child)) resolve();
  });
  return { port, ended, stop: () => stopChild(child) };
}

function stopChild(child: ChildProcess): Promise<void> {
  return stopPostgres(
    (signal) => child.kill(signal),
    () => hasEnded(child),
  );
}

/**
 * Stops Postgres: first it may finish with those still connected (commands beside a service), then it
 * ends their sessions, and at last it goes at once; the data is safe in each case.
 */
export async function stopPostgres(
  signal: (name: "SIGTERM" | "SIGINT" | "SIGQUIT") => void,
  hasStopped: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const [name, seconds] of [
    ["SIGTERM", 3],
    ["SIGINT", 30],
    ["SIGQUIT", 10],
  ] as const) {
    if (await hasStopped()) return;
    signal(name);
    if (await becomesTrue(hasStopped, seconds)) return;
  }
  throw new EmbeddedError("The embedded Postgres does not stop.");
}

/** The port of the last time if it is still free: an operator's psql may know it. */
async function choosePort(cluster: Cluster): Promise<number> {
  const last = Number(await readFile(join(cluster.data_dir, PORT_FILE), "utf8").catch(() => "0"));
  return (await freePort(last).catch(() => null)) ?? (await freePort(0));
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: wanted, exclusive: true }, () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

interface Log {
  path: string;
  file: FileHandle;
  /** Where this start's lines begin. */
  offset: number;
}

async function openLog(cluster: Cluster): Promise<Log> {
  const path = join(cluster.data_dir, "postgres.log");
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > LOG_MAXIMUM_BYTES) await truncate(path);
  const file = await open(path, "a", 0o600);
  return { path, file, offset: (await file.stat()).size };
}

/** Why the process gave up, from the log, which others that start on the same folder write into as well. */
async function lastWords({ path, offset }: Log, pid: number | undefined): Promise<string> {
  const lines = (await readFile(path)).subarray(offset).toString().trim().split("\n");
  const own = lines.filter((line) => line.includes(` [${pid}] `));
  const said = own.length > 0 ? own : lines;
  const line = said.findLast((text) => /FATAL|PANIC/.test(text)) ?? said.at(-1) ?? "";
  return line.replace(/^.*?(FATAL|PANIC|LOG): +/, "") || "it said nothing";
}
