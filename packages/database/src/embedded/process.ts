import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, open, readFile, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, processOptions } from "./cluster.ts";
import { EmbeddedError } from "./error.ts";
import { becomesTrue, findPostmaster, LOCK_FILE, removeMistakenLock } from "./postmaster.ts";
import { readFileIfExists, statIfExists } from "./private-file.ts";

/** A Postgres that this process started. */
export interface PostgresProcess {
  port: number;
  /** Resolves when it has ended, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Settings of Postgres by their names in postgresql.conf. */
export type Settings = Record<string, string>;

const SETTINGS: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: `${bufferMegabytes()}MB`,
  // A checkpoint makes the next change of each page write the whole page; under load, one every five minutes is enough.
  max_wal_size: "4GB",
  // JIT compilation of a plan costs more than any of our statements.
  jit: "off",
  // Statements are too small to gain from parallel workers, and small containers lack their shared memory.
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
  log_timezone: "UTC",
  // Log start, stop and crashes only. The service reports rejected statements, and their texts contain email addresses.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** A quarter of the available memory, as Postgres recommends, within useful limits. */
function bufferMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(512, Math.max(128, Math.floor(bytes / 4 / 1024 / 1024)));
}

/** Longer than crash recovery takes. */
const START_SECONDS = 300;
const BIND_ATTEMPTS = 5;
/** The server processes of a killed Postgres end once they notice its end; a long statement delays that. */
const ORPHANS_SECONDS = 60;
const ORPHANS_RETRY_MILLISECONDS = 100;
/** Postgres' message while server processes of an earlier Postgres on the folder still run. */
const ORPHANS = "pre-existing shared memory block";
const PORT_FILE = "postgres.port";
const MAX_LOG_BYTES = 1024 * 1024;

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

/** Waits until Postgres is ready; false: the process has ended. */
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
  // Also when the service ends by an uncaught error: Postgres gets the signal and shuts down on its own.
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
 * Stops Postgres: first waits for the remaining clients (commands beside a service), then ends their sessions, and
 * finally shuts down immediately. The data is safe in each case.
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

/** Reuses the previous port if it is still free: an operator's psql may be configured with it. */
async function choosePort(cluster: Cluster): Promise<number> {
  const last = Number((await readFileIfExists(join(cluster.data_dir, PORT_FILE))) ?? "0");
  // biome-ignore lint/plugin/swallowed-failure: the port is taken; if no other is free, that is reported
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
  /** The offset of this start's first line. */
  offset: number;
}

async function openLog(cluster: Cluster): Promise<Log> {
  const path = join(cluster.data_dir, "postgres.log");
  const size = (await statIfExists(path))?.size ?? 0;
  if (size > MAX_LOG_BYTES) await truncate(path);
  const file = await open(path, "a", 0o600);
  return { path, file, offset: (await file.stat()).size };
}

/** Returns the reason of a failed start from the log, to which concurrent starts on the same folder write as well. */
async function lastWords({ path, offset }: Log, pid: number | undefined): Promise<string> {
  const lines = (await readFile(path)).subarray(offset).toString().trim().split("\n");
  const own = lines.filter((line) => line.includes(` [${pid}] `));
  const candidates = own.length > 0 ? own : lines;
  const line = candidates.findLast((text) => /FATAL|PANIC/.test(text)) ?? candidates.at(-1) ?? "";
  return line.replace(/^.*?(FATAL|PANIC|LOG): +/, "") || "it printed nothing";
}
