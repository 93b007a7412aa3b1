import { Child } from "./child.ts";
import type { LoadJob } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { POOL_SIZE, type PostgresServer } from "./postgres-server.ts";
import type { ServeJob } from "./processes/api-server.ts";

/** The context of every question. */
export interface Bench {
  server: PostgresServer;
  quick: boolean;
  /** The folder for the CPU profile of question 1's api process; null for none. */
  profile_folder: string | null;
  /** The environment of the measured command, without its configuration. */
  base_environment: Record<string, string | undefined>;
  /** Receives the output of processes; removed at the end. */
  folder: string;
  /** Prints intermediate results of a question. */
  print: (text: string) => void;
}

export const CONNECTIONS = 32;

/** Runs `work` with child processes, which are stopped afterwards in any case. */
export async function withChildren<Result>(
  children: readonly { stop: () => Promise<void> }[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

export function loadGenerator(): Child<LoadJob, Measurement> {
  return new Child(new URL("load.ts", import.meta.url));
}

/** An api process that logs into a file, as in production. */
export function apiServer(bench: Bench, exec_arguments: readonly string[] = []): Child<ServeJob, number> {
  return new Child(new URL("processes/api-server.ts", import.meta.url), {
    stdout: `${bench.folder}/api.log`,
    exec_arguments,
  });
}

/** Makes an api process serve a database; returns its port. */
export function serve(
  api: Child<ServeJob, number>,
  database_url: string,
  options: Pick<ServeJob, "applications" | "read_url"> = {},
): Promise<number> {
  return api.ask({ database_url, pool_size: POOL_SIZE, ...options });
}
