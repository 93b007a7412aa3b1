import type { Database } from "@findersfee/database/postgres/connect";
import { Continuity } from "@findersfee/domain/continuity/continuity";
import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import packageJson from "../../package.json" with { type: "json" };
import { type Config, continuityFolder } from "../config.ts";
import { printLine } from "../print.ts";
import type { Place } from "./listening.ts";
import { answerWhileWaiting } from "./schema.ts";
import type { Opened } from "./shutdown.ts";

/**
 * A pool that stops writes when the database went back to an older state. `worker`: it also stops reads,
 * since deliveries begin with one.
 */
export interface GuardedPool {
  database: Database;
  role: "api" | "worker";
}

/** Starts the check of the database's history for the pools of this process, on a schema of this version. */
export async function openContinuity(
  config: Config,
  { pools, opened, observer }: { pools: readonly GuardedPool[]; opened: Opened; observer: ProcessMetrics },
): Promise<Continuity> {
  const [first] = pools;
  if (first === undefined) throw new Error("no pool to guard");
  const [{ createLogger }, { addContinuityMetrics }] = await Promise.all([
    import("@findersfee/log/log"),
    import("@findersfee/telemetry/continuity-metrics"),
  ]);
  const continuity = new Continuity(first.database, {
    log: createLogger({
      name: `findersfee-${first.role}`,
      level: config.LOG_LEVEL,
      version: packageJson.version,
    }),
    folder: continuityFolder(config),
    name: `findersfee ${first.role} history`,
  });
  opened.add(() => continuity.close());
  for (const { database, role } of pools) continuity.guard(database, { reads: role === "api" });
  addContinuityMetrics(observer.registry, continuity);
  await continuity.start();
  return continuity;
}

/**
 * Resolves when the database has the history that earlier processes knew, or when the process is asked to stop: at once, unless
 * it went back while no process ran.
 */
export async function awaitHistory(
  continuity: Continuity,
  { shutdown, place }: { shutdown: AbortSignal; place?: Place | undefined },
): Promise<void> {
  const step_back = continuity.stepBack;
  if (step_back === null || shutdown.aborted) return;
  printLine(
    `${step_back.reason} Waiting until \`findersfee verify continuity --accept\` accepts this state.`,
  );
  const message = `${step_back.reason} Run \`findersfee verify continuity\`.`;
  const waiting = place === undefined ? null : await answerWhileWaiting(place, message);
  try {
    await whenChanged(continuity, shutdown);
  } finally {
    waiting?.closeAllConnections();
    waiting?.close();
  }
}

/** Resolves when the history stepped back, or is right again, or when the process is asked to stop. */
export async function whenChanged(continuity: Continuity, shutdown: AbortSignal): Promise<void> {
  if (shutdown.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      forget();
      shutdown.removeEventListener("abort", end);
      resolve();
    };
    const forget = continuity.onChange(end);
    shutdown.addEventListener("abort", end);
  });
}
