import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildPackage } from "../scripts/build/package.ts";

export const run = promisify(execFile);

/** The package as it is published, in a folder of its own. */
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

/** The TypeScript code blocks of the README that need nothing but the package. */
export async function readmeExamples(): Promise<string[]> {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  return blocks.filter((code) => !/from "(?!@findersfee\/sdk)/.test(code));
}

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

/** Compiles all of a folder; what the compiler says, or nothing when all is well. */
export async function compile(folder: string): Promise<string> {
  return await run(process.execPath, [TSC, "-p", "."], { cwd: folder }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}
