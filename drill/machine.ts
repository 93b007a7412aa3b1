import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "./wait.ts";

const execute = promisify(execFile);
const BRIDGE = "drill";
/** The address of the drill itself, which sends the load and receives the webhooks. */
export const OWN_ADDRESS = "10.0.0.1";

/** As `TimeoutStopSec` in deploy/systemd. */
const END_MILLISECONDS = 60_000;

/** Puts the folders that are the machine's own at their places, and becomes the program. */
const ENTER = `for path in $OWN_PATHS; do mount --bind "$OWN_FOLDER$path" "$path" || exit 1; done
user=$AS_USER groups=$ALSO_GROUPS; unset OWN_PATHS OWN_FOLDER AS_USER ALSO_GROUPS
exec setpriv --reuid="$user" --regid="$(id -g "$user")" --groups="$(id -G "$user" | tr " " ",")$groups" -- "$@"`;

export async function run(program: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await execute(program, parameters, { timeout: 60_000 });
  return stdout;
}

/** The switch that all machines are plugged into. */
export async function createNetwork(): Promise<void> {
  await run("ip", "link", "set", "lo", "up");
  await run("ip", "link", "add", BRIDGE, "type", "bridge");
  await run("ip", "address", "add", `${OWN_ADDRESS}/24`, "dev", BRIDGE);
  await run("ip", "link", "set", BRIDGE, "up");
}

interface Command {
  user: string;
  /** In addition to those of the user. */
  groups?: string[];
  command: string[];
  environment?: Record<string, string>;
}

/** A machine of the drill: a network namespace with one address, and folders of its own. */
export class Machine {
  readonly name: string;
  readonly address: string;
  /** Has the machine's own folders, by their paths. */
  readonly folder: string;
  private readonly paths: string[];
  private readonly logs: string;

  private constructor(
    name: string,
    address: string,
    folders: { root: string; logs: string; paths: string[] },
  ) {
    this.name = name;
    this.address = address;
    this.folder = join(folders.root, name);
    this.paths = folders.paths;
    this.logs = folders.logs;
  }

  static async create(
    name: string,
    address: string,
    folders: { root: string; logs: string; paths: string[] },
  ): Promise<Machine> {
    const machine = new Machine(name, address, folders);
    for (const path of folders.paths) await mkdir(join(machine.folder, path), { recursive: true });
    await run("ip", "netns", "add", name);
    await run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
    await run("ip", "link", "set", name, "master", BRIDGE, "up");
    await run("ip", "-n", name, "address", "add", `${address}/24`, "dev", "eth0");
    await run("ip", "-n", name, "link", "set", "eth0", "up");
    await run("ip", "-n", name, "link", "set", "lo", "up");
    return machine;
  }

  /** Starts a program, which logs to a file by its name. */
  start(name: string, command: Command): Program {
    const log = openSync(join(this.logs, `${this.name}-${name}.log`), "a");
    return new Program(this.spawn(command, ["ignore", log, log]));
  }

  /** Runs a program that ends, within a minute, and returns its output. */
  async run(command: Command): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = this.spawn(command, ["ignore", "pipe", "pipe"]);
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await once(child, "close");
    clearTimeout(timer);
    return { code: child.exitCode, stdout, stderr };
  }

  private spawn(
    { user, groups = [], command, environment = {} }: Command,
    stdio: ("ignore" | "pipe" | number)[],
  ): ChildProcess {
    return spawn("ip", ["netns", "exec", this.name, "sh", "-c", ENTER, "sh", ...command], {
      cwd: "/",
      stdio,
      env: {
        PATH: process.env.PATH ?? "",
        ...environment,
        AS_USER: user,
        ALSO_GROUPS: groups.map((group) => `,${group}`).join(""),
        OWN_FOLDER: this.folder,
        OWN_PATHS: this.paths.join(" "),
      },
    });
  }

  /** Cuts the machine's network off: packets are dropped, and connections stay open. */
  async unplug(): Promise<void> {
    await run("ip", "link", "set", this.name, "down");
  }

  async plug(): Promise<void> {
    await run("ip", "link", "set", this.name, "up");
  }

  /** Ends every process of the machine at once. */
  async powerOff(): Promise<void> {
    await until(`${this.name} has no process`, 30, async () => {
      const pids = await this.pids();
      signal(pids, "SIGKILL");
      return pids.length === 0 ? true : null;
    });
  }

  /** Stops every process of the machine, without ending any, until `resume`. */
  async suspend(): Promise<void> {
    await until(`every process of ${this.name} is stopped`, 30, async () => {
      const pids = await this.pids();
      signal(pids, "SIGSTOP");
      return pids.every(isStopped) ? true : null;
    });
  }

  async resume(): Promise<void> {
    signal(await this.pids(), "SIGCONT");
  }

  private async pids(): Promise<number[]> {
    const lines = await run("ip", "netns", "pids", this.name);
    return lines.split("\n").filter(Boolean).map(Number);
  }
}

/** A program of a machine. */
export class Program {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.child = child;
    this.ended = once(child, "exit");
  }

  get has_ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Throws if it has not ended a minute after SIGTERM; then systemd would kill it. */
  async end(by: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.child.kill(by);
    const timer = setTimeout(() => this.child.kill("SIGKILL"), END_MILLISECONDS);
    await this.ended;
    clearTimeout(timer);
    if (by === "SIGTERM" && this.child.signalCode === "SIGKILL")
      throw new Error(`${this.child.spawnargs.slice(-3).join(" ")} did not end on SIGTERM`);
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It has already ended.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}
