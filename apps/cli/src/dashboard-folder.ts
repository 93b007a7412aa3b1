import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the built dashboard in the packed command, next to the bundled code. */
export const PACKED_DASHBOARD = "dashboard";

/** The folder of the built dashboard; in the repository, it is built if its sources have changed. */
export async function dashboardFolder(): Promise<string> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED_DASHBOARD);
  if (existsSync(packed)) return packed;
  const { buildDashboard } = await import("@findersfee/dashboard/build");
  return await buildDashboard();
}
