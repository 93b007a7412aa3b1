import { Replicas } from "@findersfee/database/replicas/replicas";
import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import type { Config } from "../config.ts";
import type { Opened } from "./shutdown.ts";

/** Opens the read replicas of a process, closed with its other resources; undefined: none is configured. */
export function openReplicas(
  config: Config,
  {
    url: primary_url,
    role,
    opened,
    observer,
    statement_seconds = config.DATABASE_STATEMENT_SECONDS,
    poolSize = config.DATABASE_POOL_SIZE,
  }: {
    url: string;
    role: "api" | "worker";
    opened: Opened;
    observer: ProcessMetrics;
    statement_seconds?: number;
    poolSize?: number;
  },
): Replicas | undefined {
  const { DATABASE_READ_URL: url, DATABASE_READ_MAX_LAG_SECONDS: max_lag_seconds } = config;
  if (url === null) return undefined;
  const pool = { poolSize, prepare: config.DATABASE_PREPARE, name: `findersfee ${role}` };
  const replicas = new Replicas({ url, primary_url, pool, statement_seconds, max_lag_seconds });
  replicas.observe(observer);
  observer.measureReplicas(role, replicas);
  opened.add(() => replicas.end());
  return replicas;
}
