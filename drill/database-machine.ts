import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forMachine, readConfigured, readVariables, type Setup } from "./files.ts";
import { installKeys, KEY_GROUP, KEY_PATHS } from "./keys.ts";
import { Machine, type Program, run } from "./machine.ts";
import { get } from "./wait.ts";

const PATHS = [
  "/var/lib/postgresql",
  "/var/run/postgresql",
  "/var/lib/etcd",
  "/etc/patroni",
  "/dev/shm",
  "/var/log/pgbackrest",
];
/** The same folder on all machines. */
const REPOSITORY = "/var/lib/pgbackrest";
const OF_POSTGRES = [
  "/var/lib/postgresql",
  "/var/run/postgresql",
  "/etc/patroni",
  "/var/log/pgbackrest",
  REPOSITORY,
];
const ENVIRONMENT = {
  LC_ALL: "C.UTF-8",
  // Folders of each machine.
  PGBACKREST_CONFIG: "/etc/patroni/pgbackrest.conf",
  PGBACKREST_LOCK_PATH: "/var/run/postgresql/pgbackrest",
};
const FIRST = { name: "db1", address: "10.0.0.11" };
const DISK_SIZE = "1g";
/** Fills the disk of the database. */
const BALLAST = "/var/lib/postgresql/ballast";

export interface DatabaseOptions {
  root: string;
  logs: string;
  setup: Setup;
  /** Patroni uses the API of etcd with this name. */
  api: "etcd" | "etcd3";
}

/** A machine with etcd, Patroni and Postgres, as `deploy/ha` has it. */
export class DatabaseMachine {
  readonly machine: Machine;
  /** `https` with TLS. */
  private readonly scheme: string;
  private readonly etcd_environment: Record<string, string>;
  private etcd: Program | null = null;
  private patroni: Program | null = null;

  private constructor(machine: Machine, scheme: string, etcd_environment: Record<string, string>) {
    this.machine = machine;
    this.scheme = scheme;
    this.etcd_environment = etcd_environment;
  }

  static async create(name: string, address: string, options: DatabaseOptions): Promise<DatabaseMachine> {
    const { setup } = options;
    const paths = [...PATHS, REPOSITORY, ...(setup.keys === null ? [] : KEY_PATHS)];
    const machine = await Machine.create(name, address, { ...options, paths });
    if (setup.keys !== null) await installKeys(machine, setup.keys);
    const disk = join(machine.folder, "/var/lib/postgresql");
    await run("mount", "-t", "tmpfs", "-o", `size=${DISK_SIZE},mode=0755`, "tmpfs", disk);
    const repository = join(options.root, "repository");
    await mkdir(repository, { recursive: true });
    await run("mount", "--bind", repository, join(machine.folder, REPOSITORY));
    await writeFile(
      join(machine.folder, "/etc/patroni/pgbackrest.conf"),
      await readConfigured("pgbackrest.conf", setup),
    );
    for (const path of OF_POSTGRES) await run("chown", "postgres:postgres", join(machine.folder, path));
    await run("chown", "etcd:etcd", join(machine.folder, "/var/lib/etcd"));
    await run("chmod", "1777", join(machine.folder, "/dev/shm"));
    const patroni = await readConfigured("patroni.yml", setup);
    const changed = patroni
      // There is no watchdog here.
      .replace("mode: required", "mode: off")
      .replace(/^etcd:$/m, `${options.api}:`);
    const file = join(machine.folder, "/etc/patroni/config.yml");
    await writeFile(file, forMachine(changed, FIRST, machine), { mode: 0o600 });
    await run("chown", "postgres:postgres", file);
    const etcd = forMachine(await readConfigured("etcd.env", setup), FIRST, machine);
    return new DatabaseMachine(machine, setup.keys === null ? "http" : "https", readVariables(etcd));
  }

  /** Starts all its programs, also after `powerOff` of the machine. */
  start(): void {
    this.startEtcd();
    this.startPatroni();
  }

  startPatroni(): void {
    this.patroni = this.machine.start("patroni", {
      user: "postgres",
      command: ["/usr/bin/patroni", "/etc/patroni/config.yml"],
      environment: ENVIRONMENT,
    });
  }

  startEtcd(): void {
    this.etcd = this.machine.start("etcd", {
      user: "etcd",
      groups: [KEY_GROUP],
      command: ["/usr/bin/etcd"],
      environment: this.etcd_environment,
    });
  }

  /** As `systemctl stop patroni`: Postgres stops, too. */
  async stopPatroni(): Promise<void> {
    await this.patroni?.end("SIGTERM");
  }

  /** Runs a shell's commands as the user postgres, and returns their output. */
  async shell(commands: string, input = ""): Promise<string> {
    const shell = ["sh", "-euc", commands];
    const { code, stdout, stderr } = await this.machine.run({
      user: "postgres",
      command: input === "" ? shell : ["sh", "-c", 'printf "$0" | "$@"', input, ...shell],
      environment: ENVIRONMENT,
    });
    if (code !== 0) throw new Error(`${commands}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Ends Patroni alone: Postgres goes on. */
  async endPatroni(): Promise<void> {
    await this.patroni?.end("SIGKILL");
  }

  /** Ends Postgres alone. */
  async crashPostgres(): Promise<void> {
    const file = join(this.machine.folder, "/var/lib/postgresql/15/findersfee/postmaster.pid");
    const [pid] = (await readFile(file, "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  }

  async endEtcd(): Promise<void> {
    await this.etcd?.end("SIGKILL");
  }

  /** Leaves no byte on the disk of the database. */
  async fillDisk(): Promise<void> {
    const ballast = join(this.machine.folder, BALLAST);
    await run("sh", "-c", `cat /dev/zero > "${ballast}" 2> /dev/null || true`);
  }

  async freeDisk(): Promise<void> {
    await rm(join(this.machine.folder, BALLAST));
  }

  /** Patroni's view of all members. */
  async members(): Promise<Member[]> {
    const { members }: { members: Member[] } = JSON.parse(
      await get(`${this.scheme}://${this.machine.address}:8008/cluster`),
    );
    return members;
  }

  async isPrimary(): Promise<boolean> {
    return await get(`${this.scheme}://${this.machine.address}:8008/primary`).then(
      () => true,
      () => false,
    );
  }
}

export interface Member {
  name: string;
  role: "leader" | "sync_standby" | "replica";
  state: string;
  timeline?: number;
  /** In bytes. */
  lag?: number | "unknown";
}
