/*
 * Answers: does the API keep the promises of speed and memory made for it? One question per file in api/;
 * each compares two things within the same run, since figures of different machines, or of the same one at
 * different times, do not compare.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type CommissionLoad, judgeThroughput, loadCommissions } from "./api/create-commission.ts";
import { judgeGet } from "./api/get-affiliate.ts";
import { describeLoadCost } from "./api/load-cost.ts";
import { judgeMemory } from "./api/memory.ts";
import { judgeStart } from "./api/start.ts";
import { judgeTableSize } from "./api/table-size.ts";
import type { Bench } from "./bench.ts";
import type { Options } from "./options.ts";
import { startServer } from "./postgres-server.ts";
import { fine, formatVerdicts, type Verdict } from "./table.ts";

/** Answers the questions and prints the table. Throws when something broke, never for a missed target. */
export async function benchApi(options: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-bench-"));
  // As root, Postgres runs as another user, which has to pass through.
  await chmod(folder, 0o711);
  try {
    await withServer(options, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withServer(options: Options, folder: string): Promise<void> {
  const server = await startServer(options.database_url, folder);
  const say = (text: string) => console.log(`${text}\n`);
  try {
    say(`${server.description}\n${describeMachine()}`);
    const { quick, surroundings } = options;
    const profile_folder = options.profile ? await mkdtemp(join(tmpdir(), "findersfee-profile-")) : null;
    const bench = { server, quick, profile_folder, surroundings, folder, say };
    const verdicts = await Promise.race([answer(bench, options.only), interruption()]);
    say(formatVerdicts(verdicts));
  } finally {
    await server.stop();
  }
}

function describeMachine(): string {
  return `Node ${process.version}, ${availableParallelism()} cores, load average ${loadavg().map(fine).join(" ")}`;
}

/** Ctrl-C: rejects, so that Postgres is stopped and the folder removed. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => reject(new Error("interrupted")));
    }
  });
}

async function answer(bench: Bench, only: number | null): Promise<Verdict[]> {
  const asked = (question: number) => only === null || only === question;
  let load: CommissionLoad | null = null;
  if (asked(1) || asked(4)) {
    bench.say(await describeLoadCost(bench));
    load = await loadCommissions(bench);
  }
  return [
    ...(load !== null && asked(1) ? judgeThroughput(load) : []),
    ...(asked(2) ? await judgeGet(bench) : []),
    ...(asked(3) ? await judgeTableSize(bench) : []),
    ...(load !== null && asked(4) ? judgeMemory(bench, load) : []),
    ...(asked(5) ? await judgeStart(bench) : []),
  ];
}
