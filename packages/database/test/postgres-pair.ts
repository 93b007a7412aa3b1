import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterFolder, clusterUrl, prepareCluster } from "../src/embedded/cluster.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/embedded/embedded.ts";
import { findPostmaster } from "../src/embedded/postmaster.ts";
import { type PostgresProcess, startProcess } from "../src/embedded/process.ts";
import { migrate } from "../src/schema/migrate.ts";
import { waitForResult } from "./eventually.ts";
import { openPool } from "./own-postgres.ts";

const PROMOTED_MILLISECONDS = 60_000;

/** A primary, and a standby that follows it by streaming replication. */
export class PostgresPair {
  private readonly folder: string;
  private readonly primary: EmbeddedPostgres;
  private readonly standby: PostgresProcess;
  readonly primary_url: string;
  readonly standby_url: string;

  private constructor(
    folder: string,
    {
      primary,
      standby,
      standby_url,
    }: { primary: EmbeddedPostgres; standby: PostgresProcess; standby_url: string },
  ) {
    this.folder = folder;
    this.primary = primary;
    this.standby = standby;
    this.primary_url = primary.url;
    this.standby_url = standby_url;
  }

  static async start(): Promise<PostgresPair> {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-pair-"));
    await chmod(folder, 0o711);
    const first = join(folder, "primary");
    const second = join(folder, "standby");
    const created = await startEmbedded({ data_dir: first });
    const database = openPool(created.url, 1);
    await migrate(database);
    await database.end();
    await created.stop();
    // The package has no pg_basebackup; a stopped cluster can be copied.
    await promisify(execFile)("cp", ["-a", first, second]);
    const primary = await startEmbedded({ data_dir: first });
    const cluster = await prepareCluster(second);
    await writeFile(join(cluster.folder, "standby.signal"), "");
    const { port, username, password } = new URL(primary.url);
    const standby = await startProcess(cluster, {
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    });
    if (standby === null) throw new Error("another process started the standby");
    return new PostgresPair(folder, { primary, standby, standby_url: clusterUrl(cluster, standby.port) });
  }

  /** Both, the standby first; the primary is wanted. */
  get url(): string {
    const url = new URL(this.primary_url);
    const { host } = new URL(this.standby_url);
    return `postgres://${url.username}:${url.password}@${host},${url.host}${url.pathname}?target_session_attrs=primary`;
  }

  /** The primary crashes, and the standby takes over. */
  async failOver(): Promise<void> {
    await this.crashPrimary();
    await this.promote();
  }

  async crashPrimary(): Promise<void> {
    const postmaster = await findPostmaster(clusterFolder(join(this.folder, "primary")));
    if (postmaster === null) throw new Error("the primary does not run");
    process.kill(postmaster.pid, "SIGKILL");
    await this.primary.ended;
  }

  async promote(): Promise<void> {
    const database = openPool(this.standby_url, 1);
    try {
      await database`select pg_promote()`;
      await waitForResult(PROMOTED_MILLISECONDS, async () => {
        const [row] = await database<[{ is_standby: boolean }]>`select pg_is_in_recovery() as is_standby`;
        return row.is_standby ? null : true;
      });
    } finally {
      await database.end();
    }
  }

  async remove(): Promise<void> {
    await this.standby.stop();
    await this.primary.stop();
    await rm(this.folder, { recursive: true });
  }
}
