import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const FOLDER = join(import.meta.dirname, "..");
const REPOSITORY = join(FOLDER, "../..");
const CACHE = join(FOLDER, "node_modules/.cache/dashboard");

/** Everything that a build depends on. */
const SOURCES = [
  "apps/dashboard/src",
  "apps/dashboard/index.html",
  "apps/dashboard/entrance.html",
  "apps/dashboard/scripts/build.ts",
  "apps/dashboard/vite.config.ts",
  "packages/ui/src",
  "packages/contract/src",
  "pnpm-lock.yaml",
];

/** Builds the dashboard, unless its sources are those of an earlier build. Returns the folder. */
export async function buildDashboard(): Promise<string> {
  const built = join(CACHE, await hashOfSources());
  if (existsSync(built)) return built;
  const folder = join(CACHE, `unfinished-${randomUUID()}`);
  await mkdir(CACHE, { recursive: true });
  await runVite(folder);
  await compress(join(folder, "assets"));
  // Another process may have built the same.
  await rename(folder, built).catch(() => rm(folder, { recursive: true }));
  return built;
}

/** The files of packages that a build contains. */
export async function listThirdPartyFiles(built: string): Promise<string[]> {
  const modules: string[] = JSON.parse(await readFile(join(built, ".vite/modules.json"), "utf8"));
  return modules.filter((file) => file.includes("node_modules")).map((file) => join(FOLDER, file));
}

async function hashOfSources(): Promise<string> {
  const files = (await Promise.all(SOURCES.map((name) => filesOf(join(REPOSITORY, name))))).flat().sort();
  const contents = await Promise.all(
    files.map(async (file) => `${relative(REPOSITORY, file)} ${hash("sha256", await readFile(file))}`),
  );
  return hash("sha256", contents.join("\n")).slice(0, 16);
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** In a process of its own: the production build takes another NODE_ENV, and much memory. */
async function runVite(folder: string): Promise<void> {
  const vite = join(FOLDER, "node_modules/vite/bin/vite.js");
  const parameters = [vite, "build", "--outDir", folder, "--logLevel", "warn"];
  const env = { ...process.env, NODE_ENV: "production" };
  try {
    await promisify(execFile)(process.execPath, parameters, { cwd: FOLDER, env });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(`The dashboard could not be built: ${output || String(error)}`);
  }
}

const TEXTS = /\.(css|js|svg)$/;

/** Writes `.br` and `.gz` beside each text, so that the server never compresses. */
async function compress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEXTS.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const content = await readFile(file);
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
