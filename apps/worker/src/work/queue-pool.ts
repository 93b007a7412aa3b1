import type { TimeLimits } from "@findersfee/database/postgres/connect";
import { severalHosts, urlAt } from "@findersfee/database/postgres/hosts";
import { Pool, type PoolConfig } from "pg";
import type { Logger } from "pino";
import { primaryClient } from "./primary-client.ts";

/** Also how long a job's statement may wait for a free connection. */
const CONNECT_MILLISECONDS = 10_000;
/** A connection that only listens has nothing that could time out: the kernel must see that the server is gone. */
const KEEP_ALIVE_MILLISECONDS = 60_000;
/** The server ends a statement first, if it can be reached. */
const ANSWER_MILLISECONDS = 5_000;

/** Opens the pool of a job queue. A statement that has no answer in time fails, and its connection is closed. */
export function openQueuePool({
  url,
  limits,
  log,
  size,
}: {
  url: string;
  limits: TimeLimits | null;
  log: Logger;
  size: number;
}): Pool {
  const pool = new Pool({
    ...placeOf(url),
    application_name: "findersfee job queue",
    max: size,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    ...limits?.session,
    ...(limits === null ? {} : closedAfter(limits.statement_seconds * 1000 + ANSWER_MILLISECONDS)),
  });
  // The user of the connection gets the error, too; without these handlers the process would end.
  const ignore = (error: unknown) => log.debug({ err: error }, "a connection of the job queue broke");
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

function placeOf(url: string): Pick<PoolConfig, "connectionString" | "Client"> {
  const [first] = severalHosts(url)?.hosts ?? [];
  if (first === undefined) return { connectionString: url };
  return { connectionString: urlAt(url, first), Client: primaryClient(url) };
}

/** Without `pipeline`, pg would return the connection to the pool (node-postgres #3399), where each statement waits in vain. */
function closedAfter(query_timeout: number): PoolConfig {
  return { query_timeout, pipeline: true };
}
