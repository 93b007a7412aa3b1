import { type Application, buildApplication } from "@findersfee/ui/build/application";

export const PORTAL: Application = {
  name: "portal",
  folder: `${import.meta.dirname}/..`,
  documents: ["index.html", "embed.html", "view.html"],
};

/** Builds the portal, unless its sources are those of an earlier build. Returns the folder. */
export async function buildPortal(onBuild?: (name: string) => void): Promise<string> {
  return await buildApplication(PORTAL, onBuild);
}
