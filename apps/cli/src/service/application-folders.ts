import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { printLine } from "../print.ts";

/** The folder of the built applications in the packed command, next to the bundled code. */
export const PACKED_APPLICATIONS = "applications";

/** The folders of the built applications. In the repository, it builds applications with changed sources. */
export async function applicationFolders(): Promise<{ dashboard: string; portal: string }> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED_APPLICATIONS);
  if (existsSync(packed)) return { dashboard: join(packed, "dashboard"), portal: join(packed, "portal") };
  const [{ buildDashboard }, { buildPortal }] = await Promise.all([
    import("@findersfee/dashboard/build"),
    import("@findersfee/portal/build"),
  ]);
  const onBuild = (name: string) => printLine(`Building the ${name} …`);
  const [dashboard, portal] = await Promise.all([buildDashboard(onBuild), buildPortal(onBuild)]);
  return { dashboard, portal };
}
