import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Cluster,
  clusterFolder,
  clusterUrl,
  prepareCluster,
  processOptions,
} from "../src/embedded/cluster.ts";
import { connect, type Database } from "../src/postgres/connect.ts";
import { isUnavailable } from "../src/postgres/errors.ts";
import { probe } from "../src/replicas/probe.ts";
import { freePort } from "./free-port.ts";
import type { OwnPostgres } from "./own-postgres.ts";

/** Only a test that fails waits this long. */
const PATIENCE_MILLISECONDS = 60_000;

/** A standby of a test's Postgres, by streaming replication. It comes back at the same address. */
export class OwnStandby {
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #port: number;
  readonly #primary_url: string;
  #child: ChildProcess | null = null;
  #frozen: number[] = [];

  private constructor(cluster: Cluster, port: number, primary_url: string) {
    this.#cluster = cluster;
    this.#port = port;
    this.#primary_url = primary_url;
    this.url = clusterUrl(cluster, port);
  }

  /** Copies the primary while it runs, and starts a standby from the copy. */
  static async of(primary: Pick<OwnPostgres, "url" | "folder">): Promise<OwnStandby> {
    const data_dir = await mkdtemp(join(tmpdir(), "findersfee-standby-"));
    await chmod(data_dir, 0o711);
    const sql = connect({ url: primary.url, poolSize: 1, prepare: true, name: "findersfee test backup" });
    await sql`select pg_backup_start('standby', fast => true)`;
    execFileSync("cp", ["-a", `${primary.folder}/.`, data_dir]);
    const [{ labelfile }] = await sql<[{ labelfile: string }]>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`;
    await sql.end();
    const folder = clusterFolder(data_dir);
    for (const name of ["postmaster.pid", "postmaster.opts", "pg_wal"]) {
      await rm(join(folder, name), { recursive: true });
    }
    await mkdir(join(folder, "pg_wal", "archive_status"), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, "backup_label"), labelfile);
    await writeFile(join(folder, "standby.signal"), "");
    const { hostname, port, username, password } = new URL(primary.url);
    await appendFile(
      join(folder, "postgresql.auto.conf"),
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
    );
    execFileSync("chown", ["-R", "--reference", join(folder, "PG_VERSION"), folder]);
    const standby = new OwnStandby(await prepareCluster(data_dir), await freePort(), primary.url);
    await standby.start();
    return standby;
  }

  /** Both servers, this one first; the primary is wanted. */
  get url_of_both(): string {
    const { username, password, host, pathname } = new URL(this.#primary_url);
    return `postgres://${username}:${password}@${new URL(this.url).host},${host}${pathname}?target_session_attrs=primary`;
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const all = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      port: `${this.#port}`,
      shared_buffers: "32MB",
      timezone: "UTC",
      // A read does not hold the replay back: it is canceled.
      max_standby_streaming_delay: "0",
      wal_receiver_status_interval: "1s",
      wal_retrieve_retry_interval: "100ms",
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const { programs, folder } = this.#cluster;
    const launch = () =>
      spawn(
        programs.postgres,
        ["-D", folder, ...flags],
        processOptions(this.#cluster, ["ignore" as const, "ignore" as const, "ignore" as const]),
      );
    this.#child = launch();
    await untilTrue(() => {
      // Its port was in use by a connection of somebody else.
      if (this.#child?.exitCode !== null) this.#child = launch();
      return this.ask(async (sql) => (await sql`select 1`).length === 1).catch((error: unknown) => {
        if (isUnavailable(error)) return false;
        throw error;
      });
    });
  }

  /** `SIGINT` ends its sessions in order; `SIGKILL` is a crash. */
  async end(signal: "SIGINT" | "SIGKILL" = "SIGINT"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Every process of it stops answering, and every connection stays. */
  async freeze(): Promise<void> {
    const rows = await this.ask(
      (sql) => sql<{ pid: number }[]>`select pid from pg_stat_activity where pid <> pg_backend_pid()`,
    );
    this.#frozen = rows.map(({ pid }) => pid);
    if (this.#child?.pid !== undefined) this.#frozen.push(this.#child.pid);
    for (const pid of this.#frozen) process.kill(pid, "SIGSTOP");
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, "SIGCONT");
  }

  /** Stops replaying until `resumeReplay`. */
  async pauseReplay(): Promise<void> {
    await this.ask((sql) => sql`select pg_wal_replay_pause()`);
    await untilTrue(() =>
      this.ask(async (sql) => {
        const [row] = await sql<[{ state: string }]>`select pg_get_wal_replay_pause_state() as state`;
        return row.state === "paused";
      }),
    );
  }

  async resumeReplay(): Promise<void> {
    await this.ask((sql) => sql`select pg_wal_replay_resume()`);
  }

  /** Resolves when it has everything that the primary has written to disk. */
  async catchUp(): Promise<void> {
    const { position } = await withSession(this.#primary_url, probe);
    await untilTrue(async () => (await this.ask(probe)).position >= position);
  }

  /** Resolves when it is the primary. */
  async promote(): Promise<void> {
    await this.ask((sql) => sql`select pg_promote()`);
  }

  /** Runs `work` on a connection of its own. */
  async ask<Result>(work: (sql: Database) => PromiseLike<Result>): Promise<Result> {
    return await withSession(this.url, work);
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.end("SIGKILL");
    await rm(this.#cluster.data_dir, { recursive: true });
  }
}

async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error("the standby does not come to it");
    await delay(20);
  }
}

async function withSession<Result>(
  url: string,
  work: (sql: Database) => PromiseLike<Result>,
): Promise<Result> {
  const sql = connect({ url, poolSize: 1, prepare: true, name: "findersfee test standby" });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
