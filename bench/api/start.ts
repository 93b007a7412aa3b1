/*
 * Question: how long is the service down during a restart? From the command `findersfee start` on an existing
 * data folder, including its embedded Postgres, to the first responses: health, and a read with a key.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEmbedded } from "@findersfee/database/embedded/embedded";
import { migrate } from "@findersfee/database/schema/migrate";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, type Verdict, whole } from "../table.ts";

const MAX_SECONDS = 3;
const COMMISSIONS = 10_000;
const POLL_MILLISECONDS = 10;
const PATIENCE_SECONDS = 60;

/** Question 5. */
export async function measureStart(bench: Bench): Promise<Verdict[]> {
  const data_dir = await mkdtemp(join(bench.folder, "start-"));
  // When the bench runs as root, Postgres runs as another user, which needs access to the folder.
  await chmod(data_dir, 0o711);
  const program = await makeData(data_dir);
  const seconds: number[] = [];
  for (let start = 0; start < (bench.quick ? 2 : 5); start++) {
    seconds.push(await timeStart(bench, data_dir, program));
  }
  const { min, median, max } = spread(seconds);
  bench.print(
    `start with ${whole(COMMISSIONS)} commissions, ${seconds.length} times: ${fine(min)} to ${fine(max)} s, the first ${fine(seconds[0] ?? 0)} s`,
  );
  return [
    {
      question: "5 start on existing data to first responses",
      measured: `${fine(median)} s`,
      limit: "",
      ratio: "",
      target: `<= ${MAX_SECONDS} s`,
      met: median <= MAX_SECONDS,
    },
  ];
}

async function makeData(data_dir: string): Promise<Program> {
  const server = await startEmbedded({ data_dir });
  try {
    await withConnection(server.url, (sql) => migrate(sql));
    return await makeProgram(server.url, COMMISSIONS);
  } finally {
    await server.stop();
  }
}

/** Seconds from the command to the second of the two responses. */
async function timeStart(bench: Bench, data_dir: string, { api_key }: Program): Promise<number> {
  const port = await freePort();
  const main = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));
  const started_at = performance.now();
  const service = spawn(process.execPath, [...process.execArgv, main, "start"], {
    env: { ...bench.base_environment, DATA_DIR: data_dir, PORT: `${port}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => service.once("close", resolve));
  try {
    await untilAnswered(service, `http://127.0.0.1:${port}/healthz`, {});
    await untilAnswered(service, `http://127.0.0.1:${port}/v1/affiliates`, {
      authorization: `Bearer ${api_key}`,
    });
    return (performance.now() - started_at) / 1000;
  } finally {
    service.kill("SIGTERM");
    await ended;
  }
}

/** Retries until the service listens; then the response must be 200. */
async function untilAnswered(
  service: ChildProcess,
  url: string,
  headers: Record<string, string>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => null);
    if (response !== null) {
      const body = await response.text();
      if (response.status === 200) return;
      throw new Error(`${url} returned ${response.status}: ${body}`);
    }
    if (service.exitCode !== null || service.signalCode !== null) throw new Error("the service has exited");
    if (performance.now() > deadline) throw new Error(`${url} does not respond`);
    await delay(POLL_MILLISECONDS);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
    });
  });
}
