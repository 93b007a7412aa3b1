import type { Command } from "commander";
import { type Config, readConfig, requireSecretsKey } from "../config.ts";
import { readOptions } from "../options.ts";
import { printLine } from "../print.ts";
import { openSecretsKey } from "../secrets/read.ts";
import { findDatabase } from "./api.ts";
import { awaitHistory, openContinuity } from "./continuity.ts";
import { listeningError } from "./listening.ts";
import { openReplicas } from "./replicas.ts";
import { awaitSchema, WAIT_FOR_SCHEMA, waitOption, watchDatabase } from "./schema.ts";
import { openPool } from "./serve.ts";
import { openLog, serveWorker } from "./serve-worker.ts";
import { listenForShutdown, Opened, whenAborted } from "./shutdown.ts";
import { requirePrimary } from "./standby.ts";
import { createProcessMetrics, openTracing } from "./telemetry.ts";

export function addWorker(program: Command): void {
  program
    .command("worker")
    .description("run one worker process, which delivers webhooks and runs due jobs")
    .addHelpText(
      "after",
      `
Any number may run in parallel; the others take over from a crashed one within a minute. Uses
DATABASE_URL, or the embedded database of a running \`findersfee start\`. METRICS_PORT serves its metrics.

Examples:
  DATABASE_URL=postgres://… SECRETS_KEY=… findersfee worker
  METRICS_PORT=9100 findersfee worker`,
    )
    .option(...WAIT_FOR_SCHEMA)
    .action((raw: unknown) => worker(readConfig(), readOptions(waitOption, raw).waitForSchema));
}

async function worker(config: Config, waits: boolean): Promise<void> {
  requireSecretsKey(config);
  const shutdown = listenForShutdown();
  const opened = new Opened();
  try {
    await openTracing(config, "findersfee-worker", opened);
    const url = await findDatabase(config);
    const observer = await createProcessMetrics();
    const database = await openPool(config, { url, role: "worker", opened, observer });
    const { HOST: host, METRICS_PORT: port } = config;
    const place = port === null ? undefined : ({ host, port, variable: "METRICS_PORT" } as const);
    await awaitSchema(database, { shutdown, waits, place });
    if (shutdown.aborted) return;
    await requirePrimary(database);
    const pools = [{ database, role: "worker" }] as const;
    const continuity = await openContinuity(config, { pools, opened, observer });
    await awaitHistory(continuity, { shutdown, place });
    if (shutdown.aborted) return;
    const secrets_key = await openSecretsKey(config, database);
    const registries = [observer.registry];
    const replicas = openReplicas(config, { url, role: "worker", opened, observer });
    const served = { database, replicas, secrets_key, url, is_alone: true };
    await serveWorker(config, { ...served, opened, continuity, registries });
    if (place !== undefined) {
      const { serveMetrics } = await import("@findersfee/worker/metrics");
      const metrics = await serveMetrics(registries, place).catch((error: unknown) => {
        throw listeningError(error, place);
      });
      opened.add(metrics.close);
      printLine(`Serving the worker's metrics at ${metrics.url}/metrics.`);
    }
    printLine("The worker is running.");
    const log = await openLog(config);
    await Promise.race([whenAborted(shutdown), watchDatabase(database, { stopped: shutdown, log })]);
  } finally {
    await opened.close();
  }
}
