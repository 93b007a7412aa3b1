import { Child } from "./child.ts";
import type { LoadJob } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { POOL_SIZE, type PostgresServer } from "./postgres-server.ts";
import type { ServeJob } from "./processes/api-server.ts";

/** What every question gets. */
export interface Bench {
  server: PostgresServer;
  quick: boolean;
  /** Where the api process of question 1 leaves its CPU profile; null: it makes none. */
  profile_folder: string | null;
  /** The environment of the command line that is measured, but for its configuration. */
  surroundings: Record<string, string | undefined>;
  /** Takes what the processes print; removed at the end. */
  folder: string;
  /** Prints what was seen while a question was answered. */
  say: (text: string) => void;
}

export const CONNECTIONS = 32;

/** Runs `work` with children that are stopped after it, whatever comes of it. */
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

/** An api process, which logs into a file as it would in production. */
export function apiServer(bench: Bench, exec_arguments: readonly string[] = []): Child<ServeJob, number> {
  return new Child(new URL("processes/api-server.ts", import.meta.url), {
    stdout: `${bench.folder}/api.log`,
    exec_arguments,
  });
}

/** Has an api process serve a database; returns its port. */
export function serve(api: Child<ServeJob, number>, database_url: string): Promise<number> {
  return api.ask({ database_url, pool_size: POOL_SIZE });
}
