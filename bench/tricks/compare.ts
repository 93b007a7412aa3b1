/*
 * Question: how much does a trick save? The same work runs with and without it, in alternate rounds. Compares the CPU time of
 * this process and of Postgres.
 */
import type { Connection, Database } from "@findersfee/database/postgres/connect";
import { postgresCpuSeconds } from "../process-status.ts";
import { fine, formatTable } from "../table.ts";

type Work = () => unknown;

export interface Trick {
  name: string;
  with: Work;
  without: Work;
}

/** The approximate CPU time of a round. If one call takes longer, a round has one call. */
const ROUND_MICROSECONDS = 150_000;
const MAX_CALLS = 200_000;
/** From the sixth call on, Postgres can reuse the plan of a prepared statement. */
const WARM_UP_CALLS = 8;

/** Compares tricks; returns a line for each: its name, both costs of a call in microseconds, and their ratio. */
export async function compareTricks(
  sql: Database,
  tricks: readonly Trick[],
  rounds: number,
): Promise<string[][]> {
  const lines: string[][] = [];
  for (const trick of tricks) {
    const variants = { with: await prepare(sql, trick.with), without: await prepare(sql, trick.without) };
    for (let round = 0; round < rounds; round++) {
      await runRound(sql, variants.with);
      await runRound(sql, variants.without);
    }
    const [cost_with, cost_without] = [costOf(variants.with), costOf(variants.without)];
    lines.push([trick.name, fine(cost_with), fine(cost_without), fine(cost_without / cost_with)]);
  }
  return lines;
}

export function formatTricks(heading: string, lines: string[][]): string {
  return formatTable([[heading, "µs with", "µs without", "ratio"], ...lines]);
}

interface Variant {
  work: Work;
  calls: number;
  count: number;
  microseconds: number;
}

async function prepare(sql: Database, work: Work): Promise<Variant> {
  const variant: Variant = { work, calls: WARM_UP_CALLS, count: 0, microseconds: 0 };
  do {
    variant.calls = Math.min(variant.calls * 2, MAX_CALLS);
    variant.microseconds = 0;
    await runRound(sql, variant);
  } while (variant.microseconds < ROUND_MICROSECONDS / 2 && variant.calls < MAX_CALLS);
  const calls = Math.ceil((variant.calls * ROUND_MICROSECONDS) / variant.microseconds);
  return { work, calls: Math.min(calls, MAX_CALLS), count: 0, microseconds: 0 };
}

async function runRound(sql: Database, variant: Variant): Promise<void> {
  const before = await readCpu(sql);
  for (let call = 0; call < variant.calls; call++) {
    const result = variant.work();
    if (result instanceof Promise) await result;
  }
  variant.microseconds += (await readCpu(sql)) - before;
  variant.count += variant.calls;
}

async function readCpu(sql: Database): Promise<number> {
  const seconds = await postgresCpuSeconds(sql);
  if (seconds === null)
    throw new Error("measuring the CPU time of Postgres requires a server on this machine");
  const { user, system } = process.cpuUsage();
  return user + system + seconds * 1e6;
}

function costOf({ microseconds, count }: Variant): number {
  return microseconds / count;
}

/** A connection that rewrites the texts of statements before it sends them. */
export function rewriting<AnyConnection extends Connection>(
  sql: AnyConnection,
  rewrite: (text: string) => string,
): AnyConnection {
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
        return (work: (transaction: Connection) => unknown) =>
          begin((transaction) => work(rewriting(transaction, rewrite)));
      }
      return Reflect.get(target, name);
    },
  });
}
