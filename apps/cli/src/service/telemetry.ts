import { observeAllPools } from "@findersfee/database/postgres/observer";
import { useTracer } from "@findersfee/database/postgres/tracer";
import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { tracesProtocol } from "@findersfee/telemetry/tracing/settings";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import type { Opened } from "./shutdown.ts";

/** Measures this process. */
export async function createProcessMetrics(): Promise<ProcessMetrics> {
  // Loaded here, so that commands that serve nothing start fast.
  const { ProcessMetrics } = await import("@findersfee/telemetry/process-metrics");
  return new ProcessMetrics(packageJson.version);
}

/**
 * Records the traces of this process if its environment sets a destination. It closes after the other
 * resources, since it sends their last spans.
 */
export async function openTracing(config: Config, service_name: string, opened: Opened): Promise<void> {
  const protocol = tracesProtocol(config);
  if (protocol === null) return;
  // Loaded here, because most services have no traces.
  const [{ Tracing }, { createLogger }] = await Promise.all([
    import("@findersfee/telemetry/tracing/open-telemetry"),
    import("@findersfee/log/log"),
  ]);
  const { version } = packageJson;
  const log = createLogger({ name: service_name, level: config.LOG_LEVEL, version });
  const onError = (error: unknown) => log.warn({ err: error }, "failed to send traces");
  const tracing = new Tracing({ service_name, version, protocol, onError });
  observeAllPools(tracing);
  useTracer(tracing);
  opened.add(() => tracing.close());
}
