import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import packageJson from "../../package.json" with { type: "json" };

/** Measures this process. */
export async function createProcessMetrics(): Promise<ProcessMetrics> {
  // Loaded here, so that commands that serve nothing start fast.
  const { ProcessMetrics } = await import("@findersfee/telemetry/process-metrics");
  return new ProcessMetrics(packageJson.version);
}
