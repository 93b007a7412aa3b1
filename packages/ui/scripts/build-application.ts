import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** The sources that the builds of all applications depend on. */
const SHARED_SOURCES = ["packages/ui/src", "packages/ui/scripts", "packages/contract/src", "pnpm-lock.yaml"];

export interface Application {
  name: string;
  /** Where its `vite.config.ts` is. */
  folder: string;
  /** Its documents, as in `vite.config.ts`. */
  documents: readonly string[];
}

/**
 * Builds an application, unless an earlier build had the same sources: `onBuild` is called before. Returns
 * the folder.
 */
export async function buildApplication(
  application: Application,
  onBuild: (name: string) => void = () => {},
): Promise<string> {
  const cache = join(application.folder, "node_modules/.cache", application.name);
  const built = join(cache, await hashOfSources(application));
  if (existsSync(built)) return built;
  onBuild(application.name);
  const folder = join(cache, `unfinished-${randomUUID()}`);
  await mkdir(cache, { recursive: true });
  await runVite(application, folder);
  await compress(join(folder, "assets"));
  // Another process may have built the same.
  await rename(folder, built).catch(() => rm(folder, { recursive: true }));
  return built;
}

/** The files of packages that a build contains. */
export async function listThirdPartyFiles({ folder }: Application, built: string): Promise<string[]> {
  const modules: string[] = JSON.parse(await readFile(join(built, ".vite/modules.json"), "utf8"));
  return modules.filter((file) => file.includes("node_modules")).map((file) => join(folder, file));
}

async function hashOfSources({ folder, documents }: Application): Promise<string> {
  const own = ["src", "vite.config.ts", ...documents].map((name) => join(folder, name));
  const shared = SHARED_SOURCES.map((name) => join(REPOSITORY, name));
  const files = (await Promise.all([...own, ...shared].map(filesOf))).flat().sort();
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
async function runVite({ name, folder }: Application, into: string): Promise<void> {
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const options = ["--configLoader", "runner", "--outDir", into, "--logLevel", "warn"];
  const env = { ...process.env, NODE_ENV: "production" };
  try {
    await promisify(execFile)(process.execPath, [vite, "build", ...options], { cwd: folder, env });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(`The ${name} could not be built: ${output || String(error)}`);
  }
}

const TEXTS = /\.(css|js|svg)$/;

/** Bytes of a text that fits into one packet: compressed, it would not arrive earlier. */
const ONE_PACKET = 1400;

/** Writes `.br` and `.gz` beside each longer text, so that the server never compresses. */
async function compress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEXTS.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const content = await readFile(file);
      if (content.length <= ONE_PACKET) return;
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
