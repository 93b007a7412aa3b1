import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { PACKED_FOLDER, repositoryFiles } from "@findersfee/api/docs/files";
import { packed_scripts } from "@findersfee/api/tracking/script";
import { buildDashboard, DASHBOARD } from "@findersfee/dashboard/build";
import { buildPortal, PORTAL } from "@findersfee/portal/build";
import { buildScript } from "@findersfee/tracker/build";
import { listThirdPartyFiles } from "@findersfee/ui/build/application";
import { z } from "zod";
import { PACKED_APPLICATIONS } from "../src/service/application-folders.ts";
import { bundleProgram, EXTERNAL } from "./bundle.ts";
import { describeThirdParties } from "./third-party.ts";

/** The folder of the JavaScript inside the package; the code finds its other files relative to it. */
const PROGRAM = "program/";

const CLI = new URL("../", import.meta.url);
const ROOT = new URL("../../", CLI);
/** The code expects its migrations in the folder next to its own. */
const MIGRATIONS = new URL("packages/database/migrations/", ROOT);

const sourceManifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
});

const engines = z.object({ engines: z.object({ node: z.string() }) });
const released = z.object({ version: z.string() });

/** Writes the publishable package into a folder, replacing its contents. Takes about a second. */
export async function buildPackage(folder: URL): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const program = new URL(PROGRAM, folder);
  const bundled = await bundleProgram(program);
  const pages = repositoryFiles();
  await mkdir(new URL(`${PACKED_FOLDER}/`, program));
  for (const [name, path] of pages) await cp(path, new URL(`${PACKED_FOLDER}/${name}`, program));
  for (const name of packed_scripts) await writeFile(new URL(name, program), buildScript(name));
  const applications = new URL(`${PACKED_APPLICATIONS}/`, program);
  const built = [
    { application: DASHBOARD, folder: await buildDashboard() },
    { application: PORTAL, folder: await buildPortal() },
  ];
  for (const { application, folder: from } of built)
    await cp(from, new URL(application.name, applications), { recursive: true });
  const shown = built.map(({ application, folder: from }) => listThirdPartyFiles(application, from));
  await cp(MIGRATIONS, new URL("migrations/", folder), { recursive: true });
  await copyPapers(folder);
  await writeFile(
    new URL("THIRD-PARTY.md", folder),
    await describeThirdParties([...bundled, ...pages.values(), ...(await Promise.all(shown)).flat()]),
  );
  await writeFile(new URL("package.json", folder), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

async function copyPapers(folder: URL): Promise<void> {
  await cp(new URL("README.md", CLI), new URL("README.md", folder));
  await cp(new URL("LICENSE", ROOT), new URL("LICENSE", folder));
  // The first `changeset version` creates it.
  await cp(new URL("CHANGELOG.md", CLI), new URL("CHANGELOG.md", folder)).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

async function manifest(): Promise<object> {
  const source = sourceManifest.parse(await readJson(new URL("package.json", CLI)));
  const { engines: supported } = engines.parse(await readJson(new URL("package.json", ROOT)));
  return {
    ...source,
    type: "module",
    engines: supported,
    bin: { findersfee: `${PROGRAM}main.js` },
    // A command has no exports.
    exports: { "./package.json": "./package.json" },
    files: [PROGRAM, "migrations/", "CHANGELOG.md", "THIRD-PARTY.md"],
    optionalDependencies: Object.fromEntries(
      await Promise.all(EXTERNAL.map(async (name) => [name, await installedVersion(name)])),
    ),
    publishConfig: { access: "public" },
  };
}

/** The exact version that the tests ran with. */
async function installedVersion(name: string): Promise<string> {
  const place = new URL(`packages/database/node_modules/${name}/package.json`, ROOT);
  return released.parse(await readJson(place)).version;
}

async function readJson(place: URL): Promise<unknown> {
  return JSON.parse(await readFile(place, "utf8"));
}
