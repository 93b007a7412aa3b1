import { type Application, buildApplication } from "@findersfee/ui/build/application";

export const DASHBOARD: Application = {
  name: "dashboard",
  folder: `${import.meta.dirname}/..`,
  documents: ["index.html", "entrance.html"],
};

/** Builds the dashboard, unless its sources are those of an earlier build. Returns the folder. */
export async function buildDashboard(onBuild?: (name: string) => void): Promise<string> {
  return await buildApplication(DASHBOARD, onBuild);
}
