import { Replicas } from "@findersfee/database/replicas/replicas";
import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import type { Config } from "../config.ts";
import type { Opened } from "./shutdown.ts";

const LONG_STATEMENT_SECONDS = 600;

/** Opens the read replicas of a process, closed with its other resources; undefined: none is configured. */
export function openReplicas(
  config: Config,
  {
    url: primary_url,
    role,
    opened,
    observer,
  }: {
    url: string;
    role: "api" | "worker";
    opened: Opened;
    observer: ProcessMetrics;
  },
): Replicas | undefined {
  const { DATABASE_READ_URL: url, DATABASE_READ_MAX_LAG_SECONDS: max_lag_seconds } = config;
  if (url === null) return undefined;
  // A worker runs long reads there, one statement at a time.
  const is_api = role === "api";
  const statement_seconds = is_api ? config.DATABASE_STATEMENT_SECONDS : LONG_STATEMENT_SECONDS;
  const poolSize = is_api ? config.DATABASE_POOL_SIZE : 1;
  const pool = { poolSize, prepare: config.DATABASE_PREPARE, name: `findersfee ${role}` };
  const replicas = new Replicas({ url, primary_url, pool, statement_seconds, max_lag_seconds });
  replicas.observe(observer);
  observer.measureReplicas(role, replicas);
  opened.add(() => replicas.end());
  return replicas;
}
