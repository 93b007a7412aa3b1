import { DatabaseMachine, type DatabaseOptions, type Member } from "./database-machine.ts";
import type { Setup } from "./files.ts";
import { commandsOf } from "./page.ts";
import { until } from "./wait.ts";

const ADDRESSES = { db1: "10.0.0.11", db2: "10.0.0.12", db3: "10.0.0.13" };
/** The most bytes that a standby may lag behind while everything is calm. */
const CALM_LAG = 1_000_000;

/** Three machines under Patroni. */
export class DatabaseTier {
  readonly machines: readonly DatabaseMachine[];
  private readonly setup: Setup;

  private constructor(machines: readonly DatabaseMachine[], setup: Setup) {
    this.machines = machines;
    this.setup = setup;
  }

  static async start(options: DatabaseOptions): Promise<DatabaseTier> {
    const machines: DatabaseMachine[] = [];
    for (const [name, address] of Object.entries(ADDRESSES))
      machines.push(await DatabaseMachine.create(name, address, options));
    for (const machine of machines) machine.start();
    const tier = new DatabaseTier(machines, options.setup);
    await tier.calm();
    const primary = await tier.primary();
    for (const statement of [
      `create role findersfee login password '${options.setup.passwords.FINDERSFEE}'`,
      "create database findersfee owner findersfee",
    ])
      await tier.psql(primary, statement);
    await primary.shell(await commandsOf("set-up-archive"));
    return tier;
  }

  /** The first column of the result. */
  async psql(on: DatabaseMachine, statement: string): Promise<string> {
    const { code, stdout, stderr } = await on.machine.run({
      user: "postgres",
      command: ["psql", "--no-psqlrc", "--no-align", "--tuples-only", "--command", statement],
    });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  /** Waits for a primary. */
  async primary(): Promise<DatabaseMachine> {
    return await until("Postgres has a primary", 120, async () => {
      for (const machine of this.machines) if (await machine.isPrimary()) return machine;
      return null;
    });
  }

  /** Waits until another machine than this is the primary. */
  async failover(from: DatabaseMachine): Promise<DatabaseMachine> {
    return await until("another machine has been promoted", 120, async () => {
      for (const machine of this.machines)
        if (machine !== from && (await machine.isPrimary())) return machine;
      return null;
    });
  }

  /** The standby without which the primary acknowledges nothing. */
  async synchronousStandby(): Promise<DatabaseMachine> {
    const members = await (await this.primary()).members();
    const name = members.find(({ role }) => role === "sync_standby")?.name;
    const found = this.machines.find(({ machine }) => machine.name === name);
    if (found === undefined) throw new Error("There is no synchronous standby.");
    return found;
  }

  /** Waits until all machines run, and one standby is synchronous. */
  async calm(): Promise<void> {
    await until("all three machines run, and one standby is synchronous", 180, async () => {
      const [first] = this.machines;
      const members = (await first?.members()) ?? [];
      if (!isCalm(members)) throw new Error(JSON.stringify(members));
      return true;
    });
  }

  async switchover(): Promise<void> {
    const primary = await this.primary();
    const candidate = await this.synchronousStandby();
    await primary.shell(
      "patronictl --config-file /etc/patroni/config.yml switchover --force " +
        `--leader ${primary.machine.name} --candidate ${candidate.machine.name} findersfee`,
    );
  }

  /** The address of the primary's database, for comparing its content. */
  async url(): Promise<string> {
    const { machine } = await this.primary();
    const { passwords, keys } = this.setup;
    const url = `postgres://postgres:${passwords.POSTGRES}@${machine.address}:5432/findersfee`;
    return keys === null ? url : `${url}?sslmode=verify-full`;
  }
}

function isCalm(members: readonly Member[]): boolean {
  const roles = members.map(({ role }) => role).toSorted();
  return (
    roles.join() === "leader,replica,sync_standby" &&
    members.every(({ state }) => state === "running" || state === "streaming") &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    members.every(({ role, lag }) => role === "leader" || (typeof lag === "number" && lag < CALM_LAG))
  );
}
