import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { z } from "zod";
import { describeThirdParties } from "./third-party.ts";

const HOME = fileURLToPath(new URL("../../", import.meta.url));

/** Matches relative imports in declaration files. */
const IMPORT = /"(\.{1,2}\/[^"]+)\.ts"/g;

/** The package's entry points: the package itself, and the paths below it. */
const ENTRIES = { ".": "index", "./embed": "embed", "./webhooks": "webhooks" };

/**
 * The package ships ES modules and CommonJS. Node 20.19 and newer can `require` ES modules, but TypeScript
 * rejects that in its modes `node16` and `node18` (TS1479), and test runners and bundlers that emit CommonJS
 * need it too.
 */
const FORMATS = [
  { format: "esm", splitting: true, platform: "neutral", script: ".js", types: ".d.ts" },
  // For Node's platform, esbuild lists the export names in the file, so that an `import` of it finds them.
  { format: "cjs", splitting: false, platform: "node", script: ".cjs", types: ".d.cts" },
] as const;

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
});

/** Builds the published package in a folder, which is recreated. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bundled = await bundle(folder);
  await declare(folder);
  await writeManifest(folder);
  await copyPapers(folder);
  await writeFile(join(folder, "THIRD-PARTY.md"), await describeThirdParties(bundled));
}

/**
 * Writes the entry points in each format. Where the format allows, code shared by the entry points goes into a
 * separate file, so that neither entry point loads the other.
 *
 * @returns the input files of the bundle
 */
async function bundle(folder: string): Promise<string[]> {
  const inputs = new Set<string>();
  for (const { format, splitting, platform, script } of FORMATS) {
    const { metafile } = await build({
      absWorkingDir: HOME,
      entryPoints: Object.values(ENTRIES).map((name) => `src/${name}.ts`),
      outdir: folder,
      outExtension: { ".js": script },
      bundle: true,
      splitting,
      format,
      platform,
      target: "es2022",
      chunkNames: "shared-[hash]",
      metafile: true,
      logLevel: "error",
    });
    for (const path of Object.keys(metafile.inputs)) inputs.add(resolve(HOME, path));
  }
  return [...inputs];
}

/**
 * Writes the declarations that the entry points refer to, for each format; other declarations are internal.
 */
async function declare(folder: string): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  const tsc = join(dirname(compiler), "bin/tsc");
  const everything = await mkdtemp(join(tmpdir(), "findersfee-sdk-"));
  try {
    const command = [tsc, "-p", "tsconfig.build.json", "--outDir", everything];
    await promisify(execFile)(process.execPath, command, { cwd: HOME });
    const wanted = Object.values(ENTRIES).map((name) => `${name}.d.ts`);
    for (const file of wanted) {
      const text = await readFile(join(everything, file), "utf8");
      const imported = [...text.matchAll(IMPORT)].map(([, path = ""]) => join(dirname(file), `${path}.d.ts`));
      wanted.push(...imported.filter((path) => !wanted.includes(path)));
      await mkdir(dirname(join(folder, file)), { recursive: true });
      for (const { script, types } of FORMATS) {
        // TypeScript keeps `./x.ts`, which only recent compilers resolve to `./x.d.ts`.
        const declarations = text.replaceAll(IMPORT, `"$1${script}"`);
        await writeFile(join(folder, file.replace(/\.d\.ts$/, types)), declarations);
      }
    }
  } finally {
    await rm(everything, { recursive: true, force: true });
  }
}

async function writeManifest(folder: string): Promise<void> {
  const own = manifestSchema.parse(JSON.parse(await readFile(join(HOME, "package.json"), "utf8")));
  const exports = Object.entries(ENTRIES).map(([path, name]) => {
    const [esm, cjs] = FORMATS.map(({ script, types }) => ({
      types: `./${name}${types}`,
      default: `./${name}${script}`,
    }));
    return [path, { import: esm, require: cjs }];
  });
  const manifest = {
    ...own,
    keywords: ["affiliate", "referral", "commission", "webhooks", "findersfee"],
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    // For resolvers without `exports` support, which look up the other entry point by file name.
    main: "./index.cjs",
    types: "./index.d.cts",
    exports: Object.fromEntries([...exports, ["./package.json", "./package.json"]]),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function copyPapers(folder: string): Promise<void> {
  await copyFile(join(HOME, "README.md"), join(folder, "README.md"));
  await copyFile(join(HOME, "../../LICENSE"), join(folder, "LICENSE"));
  const changes = join(HOME, "CHANGELOG.md");
  if (existsSync(changes)) await copyFile(changes, join(folder, "CHANGELOG.md"));
}
