import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocksOf } from "@findersfee/api/testing/openapi/documents";
import { freePort } from "@findersfee/database/testing/free-port";

const BIN = "/usr/lib/postgresql/15/bin";
const PAGE = codeBlocksOf("docs/backups.md");

/** Why the drill cannot run here; null: it can. */
export const MISSING_TOOLS =
  process.getuid?.() === 0 && existsSync(`${BIN}/initdb`) && existsSync("/usr/bin/pgbackrest")
    ? null
    : "needs root, and Debian's packages postgresql-15 and pgbackrest";

/** The commands of docs/backups.md that are marked with this remark. */
export function commandsOf(remark: string): string {
  const [block, ...more] = PAGE.filter((candidate) => candidate.remark === remark);
  if (block === undefined || more.length > 0) throw new Error(`not one block "${remark}" in docs/backups.md`);
  return block.code;
}

/** The settings of docs/backups.md: of pgBackRest, and of Postgres. */
export function settingsOf(): [pgbackrest: string, postgres: string] {
  const [pgbackrest, postgres, ...more] = PAGE.filter(({ language }) => language === "ini");
  if (pgbackrest === undefined || postgres === undefined || more.length > 0)
    throw new Error("docs/backups.md has not two blocks of settings");
  return [pgbackrest.code, postgres.code];
}

/**
 * A Postgres of Debian's package that archives its WAL with pgBackRest, by the settings and commands of docs/backups.md. Its
 * folders and its port are others, all commands run as the user postgres, and connections need no password.
 */
export class ArchivingPostgres {
  /** The service's database. */
  readonly url: string;
  /** The server, for an administrator. */
  readonly adminUrl: string;
  /** A folder of the user postgres; commands run in it. */
  readonly folder: string;
  private readonly data: string;
  private readonly environment: NodeJS.ProcessEnv;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.data = join(folder, "main");
    this.url = `postgres://findersfee@127.0.0.1:${port}/findersfee`;
    this.adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.environment = {
      PATH: `${BIN}:${process.env.PATH}`,
      DATABASE_URL: this.url,
      PGHOST: folder,
      PGPORT: String(port),
      PGBACKREST_CONFIG: join(folder, "pgbackrest.conf"),
      PGBACKREST_LOG_PATH: folder,
      PGBACKREST_LOCK_PATH: join(folder, "lock"),
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_SOCKET_PATH: folder,
    };
  }

  static async start(): Promise<ArchivingPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-backups-"));
    await chmod(folder, 0o755);
    const port = await freePort();
    const cluster = new ArchivingPostgres(folder, port);
    await promisify(execFile)("chown", ["postgres", folder]);
    const [pgbackrest, postgres] = settingsOf();
    await writeFile(cluster.environment.PGBACKREST_CONFIG ?? "", cluster.here(pgbackrest));
    await cluster.run(`initdb -D ${cluster.data} -A trust --no-sync`);
    await writeFile(
      join(cluster.data, "postgresql.auto.conf"),
      [`port = ${port}`, `unix_socket_directories = '${folder}'`, cluster.here(postgres)].join("\n"),
    );
    await cluster.follow("start-postgres");
    await cluster.run("createuser findersfee");
    await cluster.follow("create");
    await cluster.follow("set-up");
    return cluster;
  }

  /** Runs the commands of docs/backups.md with this remark; returns their output. */
  async follow(remark: string, edit: (commands: string) => string = (commands) => commands): Promise<string> {
    return await this.run(this.here(edit(commandsOf(remark))));
  }

  /** The machine's end, and a lost disk. */
  async destroy(): Promise<void> {
    await this.run(`pg_ctl -D ${this.data} -m immediate -w stop`);
    await rm(this.data, { recursive: true });
  }

  async close(): Promise<void> {
    if (existsSync(join(this.data, "postmaster.pid")))
      await this.run(`pg_ctl -D ${this.data} -m immediate -w stop`);
    await rm(this.folder, { recursive: true });
  }

  private here(text: string): string {
    return text
      .replaceAll("/var/lib/postgresql/15/main", this.data)
      .replaceAll("/var/lib/pgbackrest", join(this.folder, "repository"));
  }

  private async run(commands: string): Promise<string> {
    const debian = `pg_ctlcluster() { pg_ctl -D ${this.data} -l ${this.folder}/postgres.log -w -t 120 "$3"; }`;
    const shell = ["bash", "-euo", "pipefail", "-c", `${debian}\n${commands}`];
    const options = { cwd: this.folder, env: this.environment };
    const { stdout } = await promisify(execFile)("runuser", ["-u", "postgres", "--", ...shell], options);
    return stdout;
  }
}
