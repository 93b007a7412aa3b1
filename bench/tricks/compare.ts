/*
 * Question: what does a trick save? The same work runs with and without it, in alternate rounds, and the CPU time of this
 * process and of Postgres is compared.
 */
import type { Connection, Database } from "@findersfee/database/connect";
import { postgresCpuSeconds } from "../process-status.ts";
import { fine, formatTable } from "../table.ts";

type Work = () => unknown;

export interface Trick {
  name: string;
  with: Work;
  without: Work;
}

/** The CPU time of a round, about; a call that takes longer is a round of its own. */
const ROUND_MICROSECONDS = 150_000;
const MAX_CALLS = 200_000;
/** From the sixth call on, Postgres can reuse the plan of a prepared statement. */
const WARM_UP = 8;

/** Compares tricks; returns a line for each: its name, both costs of a call in microseconds, and their ratio. */
export async function compareTricks(
  sql: Database,
  tricks: readonly Trick[],
  rounds: number,
): Promise<string[][]> {
  const lines: string[][] = [];
  for (const trick of tricks) {
    const sides = { with: await prepare(sql, trick.with), without: await prepare(sql, trick.without) };
    for (let round = 0; round < rounds; round++) {
      await runRound(sql, sides.with);
      await runRound(sql, sides.without);
    }
    const [used, spared] = [costOf(sides.with), costOf(sides.without)];
    lines.push([trick.name, fine(used), fine(spared), fine(spared / used)]);
  }
  return lines;
}

export function formatTricks(heading: string, lines: string[][]): string {
  return formatTable([[heading, "µs with", "µs without", "ratio"], ...lines]);
}

interface Side {
  work: Work;
  calls: number;
  count: number;
  microseconds: number;
}

async function prepare(sql: Database, work: Work): Promise<Side> {
  const side: Side = { work, calls: WARM_UP, count: 0, microseconds: 0 };
  do {
    side.calls = Math.min(side.calls * 2, MAX_CALLS);
    side.microseconds = 0;
    await runRound(sql, side);
  } while (side.microseconds < ROUND_MICROSECONDS / 2 && side.calls < MAX_CALLS);
  const calls = Math.ceil((side.calls * ROUND_MICROSECONDS) / side.microseconds);
  return { work, calls: Math.min(calls, MAX_CALLS), count: 0, microseconds: 0 };
}

async function runRound(sql: Database, side: Side): Promise<void> {
  const before = await readCpu(sql);
  for (let call = 0; call < side.calls; call++) {
    const result = side.work();
    if (result instanceof Promise) await result;
  }
  side.microseconds += (await readCpu(sql)) - before;
  side.count += side.calls;
}

async function readCpu(sql: Database): Promise<number> {
  const seconds = await postgresCpuSeconds(sql);
  if (seconds === null) throw new Error("the CPU time of Postgres can only be read on this machine");
  const { user, system } = process.cpuUsage();
  return user + system + seconds * 1e6;
}

function costOf({ microseconds, count }: Side): number {
  return microseconds / count;
}

/** A connection that changes the texts of statements before it sends them. */
export function rewriting<Any extends Connection>(sql: Any, rewrite: (text: string) => string): Any {
  return new Proxy(sql, {
    apply: (target, self, [strings, ...values]: [TemplateStringsArray | object, ...unknown[]]) => {
      const texts = "raw" in strings ? Object.assign(strings.map(rewrite), { raw: strings.raw }) : strings;
      return Reflect.apply(target as never, self, [texts, ...values]);
    },
    get: (target, name) => {
      if (name === "unsafe") {
        return (text: string, ...others: never[]) => target.unsafe(rewrite(text), ...others);
      }
      if (name === "begin") {
        const { begin } = target as unknown as Database;
        return (work: (inside: Connection) => unknown) => begin((inside) => work(rewriting(inside, rewrite)));
      }
      return Reflect.get(target, name);
    },
  });
}
