import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildPackage } from "../scripts/build/package.ts";

export const run = promisify(execFile);

/** Packs the published package into a separate folder. */
export interface Packed {
  folder: string;
  tarball: string;
  remove: () => Promise<void>;
}

export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-packed-"));
  const built = join(folder, "package");
  await buildPackage(built);
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: built });
  return {
    folder,
    tarball: join(folder, stdout.trim()),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The README's TypeScript code blocks that need only the package. */
export async function readmeExamples(): Promise<string[]> {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  return blocks.filter((code) => !/from "(?!@findersfee\/sdk)/.test(code));
}

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

/** Compiles a folder; returns the compiler's output, empty on success. */
export async function compile(folder: string): Promise<string> {
  return await run(process.execPath, [TSC, "-p", "."], { cwd: folder }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}
