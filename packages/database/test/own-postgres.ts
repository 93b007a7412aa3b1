import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterFolder } from "../src/embedded/cluster.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/embedded/embedded.ts";
import { findPostmaster } from "../src/embedded/postmaster.ts";
import { connect, type Database } from "../src/postgres/connect.ts";
import { migrate } from "../src/schema/migrate.ts";
import { freePort } from "./free-port.ts";

/** A Postgres that a test may do anything to. It comes back at the same address. */
export class OwnPostgres {
  private readonly data_dir: string;
  private running: EmbeddedPostgres;
  /** The processes that `freeze` stopped. */
  private frozen: number[] = [];

  private constructor(data_dir: string, running: EmbeddedPostgres) {
    this.data_dir = data_dir;
    this.running = running;
  }

  static async start(): Promise<OwnPostgres> {
    const data_dir = await mkdtemp(join(tmpdir(), "findersfee-outage-"));
    await chmod(data_dir, 0o711);
    // Where an embedded Postgres keeps its port from one start to the next.
    await writeFile(join(data_dir, "postgres.port"), `${await freePort()}\n`);
    const postgres = new OwnPostgres(data_dir, await startEmbedded({ data_dir }));
    const database = openPool(postgres.url, 1);
    await migrate(database);
    await database.end();
    return postgres;
  }

  get url(): string {
    return this.running.url;
  }

  /** The folder that holds the cluster and its password. */
  get folder(): string {
    return this.data_dir;
  }

  /** `SIGINT` ends its sessions in order, `SIGQUIT` at once; `SIGKILL` is a crash. */
  async end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    process.kill(await this.pid(), signal);
    await this.running.ended;
    await this.running.stop();
  }

  /** Copies its data, while it does not run, and replaces the former copy of that name. */
  async copyData(name = "copy"): Promise<void> {
    const copy = join(this.data_dir, name);
    await rm(copy, { recursive: true, force: true });
    await copyFolder(clusterFolder(this.data_dir), copy);
  }

  /** Replaces its data by a copy, while it does not run. */
  async putCopyBack(name = "copy"): Promise<void> {
    await rm(clusterFolder(this.data_dir), { recursive: true });
    await copyFolder(join(this.data_dir, name), clusterFolder(this.data_dir));
  }

  /** Has the next start end a recovery, as the promotion of a standby does: its timeline branches off. */
  async promoteAtStart(): Promise<void> {
    const signal = join(clusterFolder(this.data_dir), "recovery.signal");
    await writeFile(signal, "");
    const { uid, gid } = await stat(clusterFolder(this.data_dir));
    await chown(signal, uid, gid);
  }

  async startAgain(): Promise<void> {
    const before = this.url;
    // For promoteAtStart: there is no archive.
    this.running = await startEmbedded({ data_dir: this.data_dir, settings: { restore_command: "false" } });
    if (this.url !== before) throw new Error("another process took the port of the test's Postgres");
  }

  /** Every process of it stops answering, and every connection stays. */
  async freeze(): Promise<void> {
    const database = openPool(this.url, 1);
    const rows = await database<{ pid: number }[]>`
      select pid from pg_stat_activity where pid <> pg_backend_pid()`;
    await database.end();
    this.frozen = [await this.pid(), ...rows.map(({ pid }) => pid)];
    for (const pid of this.frozen) process.kill(pid, "SIGSTOP");
  }

  thaw(): void {
    for (const pid of this.frozen.splice(0)) process.kill(pid, "SIGCONT");
  }

  async remove(): Promise<void> {
    this.thaw();
    if ((await findPostmaster(clusterFolder(this.data_dir))) !== null) await this.end("SIGINT");
    await rm(this.data_dir, { recursive: true });
  }

  private async pid(): Promise<number> {
    const postmaster = await findPostmaster(clusterFolder(this.data_dir));
    if (postmaster === null) throw new Error("the test's Postgres does not run");
    return postmaster.pid;
  }
}

/** With the owner: as root, Postgres runs as another user. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", from, to]);
}

export function openPool(url: string, poolSize: number): Database {
  return connect({ url, poolSize, prepare: true, name: "findersfee outage test" });
}
