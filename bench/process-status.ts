import { readFile } from "node:fs/promises";
import type { Database } from "@findersfee/database/postgres/connect";

/* The kernel's data about a process. Null on systems without /proc. */

const MEGABYTE_KIB = 1024;
const SAMPLE_MILLISECONDS = 100;
/** Linux's unit of CPU time. */
const TICKS_PER_SECOND = 100;

/** A process's memory over a period, in MB. */
export interface MemoryMetrics {
  /** The highest sample (VmRSS). */
  sampled_mb: number;
  /**
   * The high-water mark since the process started, from the kernel (VmHWM). For a process that has ended, the
   * highest sample.
   */
  high_water_mb: number;
}

/** Samples a process's resident memory until `finish` is called. */
export function watchMemory(pid: number): { finish: () => Promise<MemoryMetrics | null> } {
  let sampled_mb = 0;
  const sample = async () => {
    const mb = await statusMegabytes(pid, "VmRSS");
    if (mb !== null) sampled_mb = Math.max(sampled_mb, mb);
  };
  const timer = setInterval(sample, SAMPLE_MILLISECONDS);
  return {
    finish: async () => {
      clearInterval(timer);
      await sample();
      const high_water_mb = await statusMegabytes(pid, "VmHWM");
      return sampled_mb === 0 ? null : { sampled_mb, high_water_mb: high_water_mb ?? sampled_mb };
    },
  };
}

async function statusMegabytes(pid: number, name: "VmRSS" | "VmHWM"): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kib = new RegExp(`^${name}:\\s+([0-9]+) kB$`, "m").exec(status)?.[1];
  return kib === undefined ? null : Number(kib) / MEGABYTE_KIB;
}

/** The CPU time that a process has used so far. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const stat = await readStat(pid);
  return stat?.own_seconds ?? null;
}

/** The CPU time that a local Postgres has used so far, summed over its processes. */
export async function postgresCpuSeconds(sql: Database): Promise<number | null> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const backend = await readStat(pid);
  const postmaster = backend && (await readStat(backend.parent));
  // Process ids of another machine are meaningless here.
  if (backend === null || postmaster === null || postmaster.name !== "postgres") return null;
  const children = await readFile(`/proc/${backend.parent}/task/${backend.parent}/children`, "utf8");
  const stats = await Promise.all(
    children
      .trim()
      .split(" ")
      .map((child) => readStat(Number(child))),
  );
  const living = stats.reduce((sum, stat) => sum + (stat?.own_seconds ?? 0), 0);
  return postmaster.own_seconds + postmaster.ended_children_seconds + living;
}

interface Stat {
  name: string;
  parent: number;
  own_seconds: number;
  ended_children_seconds: number;
}

/** See proc_pid_stat(5). */
async function readStat(pid: number): Promise<Stat | null> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (line === null) return null;
  // After the name in parentheses, which may contain anything; the first of these is field 3.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    name: line.slice(line.indexOf("(") + 1, line.lastIndexOf(")")),
    parent: field(4),
    own_seconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    ended_children_seconds: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}
