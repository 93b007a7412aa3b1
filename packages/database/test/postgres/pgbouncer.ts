import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { administer } from "../test-database.ts";

/** Its version (`1.18.0`), or null where it is not installed. */
export function pgbouncerVersion(): string | null {
  const { stdout } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" });
  return /PgBouncer (\S+)/.exec(stdout ?? "")?.[1] ?? null;
}

/** A PgBouncer in transaction mode in front of a database. */
export class PgBouncer {
  readonly url: string;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.child = child;
    this.folder = folder;
  }

  static async start(database_url: string, settings: Record<string, string> = {}): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), "findersfee-pgbouncer-"));
    const port = await freePort();
    const server = new URL(database_url);
    const name = server.pathname.slice(1);
    const login = `user=${server.username} password='${decodeURIComponent(server.password)}'`;
    const all = {
      listen_addr: "127.0.0.1",
      listen_port: String(port),
      unix_socket_dir: "",
      auth_type: "any",
      pool_mode: "transaction",
      ...settings,
    };
    const lines = [
      "[databases]",
      `${name} = host=${server.hostname} port=${server.port} ${login}`,
      "[pgbouncer]",
      ...Object.entries(all).map(([setting, value]) => `${setting} = ${value}`),
    ];
    const file = join(folder, "pgbouncer.ini");
    await writeFile(file, `${lines.join("\n")}\n`);
    const child = spawn("pgbouncer", ["--quiet", file], { ...(await unprivileged([folder, file])) });
    const bouncer = new PgBouncer(`postgres://anyone@127.0.0.1:${port}/${name}`, child, folder);
    await eventually(() => administer(bouncer.url, (sql) => sql.unsafe("select 1")));
    return bouncer;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.folder, { recursive: true });
  }
}

/** PgBouncer refuses to run as root. */
async function unprivileged(paths: string[]): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  for (const path of paths) {
    await chown(path, uid, gid);
    await chmod(path, 0o700);
  }
  return { uid, gid };
}
