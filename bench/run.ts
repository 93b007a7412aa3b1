/*
 * Starts the resources that every bench needs, a Postgres server and a folder, and removes them afterwards.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Options } from "./options.ts";
import { startServer } from "./postgres-server.ts";
import { fine, formatVerdicts, type Verdict } from "./table.ts";

/** The questions of a bench: runs one by its number, or all (null). */
export type BenchSuite = (bench: Bench, only: number | null) => Promise<Verdict[]>;

/** Runs the questions and prints the table. Throws on an error, never for a missed target. */
export async function runBench(options: Options, suite: BenchSuite): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-bench-"));
  // When the bench runs as root, Postgres runs as another user, which needs access to the folder.
  await chmod(folder, 0o711);
  try {
    await withServer(options, { folder, suite });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withServer(
  options: Options,
  { folder, suite }: { folder: string; suite: BenchSuite },
): Promise<void> {
  const server = await startServer(options.database_url, folder);
  const print = (text: string) => console.log(`${text}\n`);
  try {
    print(`${server.description}\n${describeMachine()}`);
    const { quick, base_environment } = options;
    const profile_folder = options.profile ? await mkdtemp(join(tmpdir(), "findersfee-profile-")) : null;
    const bench = { server, quick, profile_folder, base_environment, folder, print };
    const verdicts = await Promise.race([suite(bench, options.only), interruption()]);
    if (verdicts.length > 0) print(formatVerdicts(verdicts));
  } finally {
    await server.stop();
  }
}

function describeMachine(): string {
  return `Node ${process.version}, ${availableParallelism()} cores, load average ${loadavg().map(fine).join(" ")}`;
}

/** Ctrl-C rejects, so that Postgres is stopped and the folder removed. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => reject(new Error("interrupted")));
    }
  });
}
