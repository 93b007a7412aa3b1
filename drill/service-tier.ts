import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { forMachine, readConfigured, readVariables, type Setup } from "./files.ts";
import { installKeys, KEY_PATHS } from "./keys.ts";
import { Machine, type Program, run } from "./machine.ts";
import { get, until } from "./wait.ts";

const ADDRESSES = { app1: "10.0.0.21", app2: "10.0.0.22" };
const FIRST = { name: "app1", address: "10.0.0.21" };
const PATHS = ["/etc/haproxy", "/etc/pgbouncer"];
const SHARDS = 32;
/** An unprivileged user. */
const USER = "nobody";

export interface ServiceOptions {
  root: string;
  logs: string;
  setup: Setup;
  /** The file that Node runs as `findersfee`. */
  program: string;
}

/** A machine with haproxy, PgBouncer, an API process and a worker, as `deploy/ha` has it. */
export class ServiceMachine {
  readonly machine: Machine;
  private readonly program: string;
  private readonly environment: Record<string, string>;
  api: Program | null = null;
  worker: Program | null = null;

  private constructor(machine: Machine, program: string, environment: Record<string, string>) {
    this.machine = machine;
    this.program = program;
    this.environment = environment;
  }

  static async create(
    name: string,
    address: string,
    { secrets_key, ...options }: ServiceOptions & { secrets_key: string },
  ): Promise<ServiceMachine> {
    const { setup } = options;
    const paths = setup.keys === null ? PATHS : [...PATHS, ...KEY_PATHS];
    const machine = await Machine.create(name, address, { ...options, paths });
    if (setup.keys !== null) await installKeys(machine, setup.keys);
    const write = async (path: string, text: string, user: string) => {
      const file = join(machine.folder, path);
      await writeFile(file, text, { mode: 0o640 });
      await chmod(dirname(file), 0o755);
      await run("chown", `${user}:${user}`, file);
    };
    await write("/etc/haproxy/haproxy.cfg", await readConfigured("haproxy.cfg", setup), "haproxy");
    for (const file of ["pgbouncer.ini", "userlist.txt"])
      await write(`/etc/pgbouncer/${file}`, await readConfigured(file, setup), "postgres");
    const state = join(machine.folder, "/var/lib/findersfee");
    await run("install", "-d", "-m", "700", "-o", USER, state);
    const variables = forMachine(await readConfigured("findersfee.env", setup), FIRST, machine);
    return new ServiceMachine(machine, options.program, {
      ...readVariables(variables),
      NODE_ENV: "production",
      SECRETS_KEY: secrets_key,
      // As the units of deploy/systemd.
      CONTINUITY_DIR: state,
      // The drill's replacements for clients and receivers in the internet.
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOW_PRIVATE: "true",
      RATE_LIMIT_PER_MINUTE: "0",
    });
  }

  startProxies(): void {
    this.machine.start("haproxy", {
      user: "root",
      command: ["haproxy", "-db", "-f", "/etc/haproxy/haproxy.cfg"],
    });
    this.machine.start("pgbouncer", {
      user: "postgres",
      command: ["pgbouncer", "/etc/pgbouncer/pgbouncer.ini"],
    });
  }

  startApi(): void {
    this.api = this.start("api");
  }

  startWorker(): void {
    this.worker = this.start("worker");
  }

  /** Throws what its API says while it is not ready. */
  async ready(): Promise<void> {
    await get(`http://${this.machine.address}:3000/readyz`);
  }

  /** The number of shards that its worker owns. */
  async shards(): Promise<number> {
    const metrics = await get(`http://${this.machine.address}:9464/metrics`);
    return Number(/^findersfee_shards (\d+)$/m.exec(metrics)?.[1] ?? 0);
  }

  /** Runs a command of `findersfee` that ends, and returns its output. */
  async command(...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.machine.run({
      user: USER,
      command: [process.execPath, this.program, ...parameters],
      environment: this.environment,
    });
    if (code !== 0) throw new Error(`findersfee ${parameters.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  private start(command: string): Program {
    return this.machine.start(command, {
      user: USER,
      command: [process.execPath, this.program, command, "--wait-for-schema"],
      environment: this.environment,
    });
  }
}

/** Two machines that serve requests and run background jobs. */
export class ServiceTier {
  readonly machines: readonly ServiceMachine[];

  private constructor(machines: readonly ServiceMachine[]) {
    this.machines = machines;
  }

  static async start(options: ServiceOptions): Promise<ServiceTier> {
    const secrets_key = randomBytes(32).toString("base64");
    const machines: ServiceMachine[] = [];
    for (const [name, address] of Object.entries(ADDRESSES))
      machines.push(await ServiceMachine.create(name, address, { ...options, secrets_key }));
    const tier = new ServiceTier(machines);
    for (const machine of machines) machine.startProxies();
    await until("the database can be reached through the proxies", 60, () => tier.first.command("migrate"));
    for (const machine of machines) {
      machine.startApi();
      machine.startWorker();
    }
    await tier.calm();
    return tier;
  }

  get first(): ServiceMachine {
    const [first] = this.machines;
    if (first === undefined) throw new Error("There is no machine.");
    return first;
  }

  /** The address for clients. */
  get url(): string {
    return `http://${this.first.machine.address}:8080`;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.machines.flatMap(({ api, worker }) => [api?.end("SIGTERM"), worker?.end("SIGTERM")]),
    );
  }

  startAgain(): void {
    for (const machine of this.machines) {
      machine.startApi();
      machine.startWorker();
    }
  }

  /** Waits until all API processes are ready, and the workers own all shards. */
  async calm(): Promise<void> {
    for (const machine of this.machines)
      await until(`the API of ${machine.machine.name} is ready`, 120, async () => {
        await machine.ready();
        return true;
      });
    await until("the workers own all shards", 120, async () => {
      const owned = await Promise.all(this.machines.map((machine) => machine.shards()));
      if (owned.reduce((sum, count) => sum + count, 0) !== SHARDS) throw new Error(`they own ${owned}`);
      return owned.every((count) => count > 0) ? true : null;
    });
  }
}
