import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@findersfee/database/testing/free-port";

const BIN = "/usr/lib/postgresql/15/bin";

/** Why the drill cannot run here; null: it can. */
export const MISSING_TOOLS =
  process.getuid?.() === 0 && existsSync(`${BIN}/initdb`) && existsSync("/usr/bin/pgbackrest")
    ? null
    : "needs root, and Debian's packages postgresql-15 and pgbackrest";

/** The settings that the drill and the page share. */
const REPOSITORY_SETTINGS = ["repo1-retention-full=2", "start-fast=y"];
const POSTGRES_SETTINGS = ["archive_mode = on", "archive_timeout = 60"];
export const SETTINGS = [...REPOSITORY_SETTINGS, ...POSTGRES_SETTINGS];

/** A Postgres of Debian's package that archives its WAL with pgBackRest, as docs/backups.md has it. */
export class ArchivingPostgres {
  readonly url: string;
  private readonly folder: string;
  private readonly data: string;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.data = join(folder, "data");
    this.url = `postgres://postgres@127.0.0.1:${port}/findersfee`;
  }

  static async start(): Promise<ArchivingPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-backups-"));
    await chmod(folder, 0o755);
    const port = await freePort();
    const cluster = new ArchivingPostgres(folder, port);
    await promisify(execFile)("chown", ["postgres", folder]);
    await writeFile(
      join(folder, "pgbackrest.conf"),
      [
        ...["[global]", `repo1-path=${folder}/repository`, `log-path=${folder}`, `lock-path=${folder}/lock`],
        ...[...REPOSITORY_SETTINGS, "log-level-console=warn"],
        ...["[findersfee]", `pg1-path=${cluster.data}`, `pg1-port=${port}`, `pg1-socket-path=${folder}`],
      ].join("\n"),
    );
    await cluster.run(`${BIN}/initdb`, ["-D", cluster.data, "-A", "trust", "--no-sync"]);
    const archive = `pgbackrest --config=${folder}/pgbackrest.conf --stanza=findersfee archive-push %p`;
    await writeFile(
      join(cluster.data, "postgresql.auto.conf"),
      [
        ...[`port = ${port}`, `unix_socket_directories = '${folder}'`, ...POSTGRES_SETTINGS],
        ...[`archive_command = '${archive}'`],
      ].join("\n"),
    );
    await cluster.startAgain();
    await cluster.run(`${BIN}/createdb`, ["-h", folder, "-p", String(port), "findersfee"]);
    await cluster.pgbackrest("stanza-create");
    return cluster;
  }

  async startAgain(): Promise<void> {
    const log = join(this.folder, "postgres.log");
    await this.run(`${BIN}/pg_ctl`, ["-D", this.data, "-l", log, "-w", "-t", "120", "start"]);
  }

  /** A crash, and a lost disk. */
  async destroy(): Promise<void> {
    await this.run(`${BIN}/pg_ctl`, ["-D", this.data, "-m", "immediate", "-w", "stop"]);
    await rm(this.data, { recursive: true });
  }

  async pgbackrest(command: string, ...options: string[]): Promise<void> {
    const config = `--config=${join(this.folder, "pgbackrest.conf")}`;
    await this.run("pgbackrest", [config, "--stanza=findersfee", ...options, command]);
  }

  async close(): Promise<void> {
    if (existsSync(join(this.data, "postmaster.pid"))) {
      await this.run(`${BIN}/pg_ctl`, ["-D", this.data, "-m", "immediate", "-w", "stop"]);
    }
    await rm(this.folder, { recursive: true });
  }

  private async run(program: string, parameters: string[]): Promise<void> {
    await promisify(execFile)("runuser", ["-u", "postgres", "--", program, ...parameters], { cwd: "/" });
  }
}
