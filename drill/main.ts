/* Lets the parts of a highly available installation fail: `pnpm drill`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeKeys } from "./files.ts";
import { run } from "./machine.ts";
import { HELP, readOptions } from "./options.ts";
import { missingRequirement, NAMESPACES } from "./requirements.ts";

/** The exit code where the drill cannot run. */
const CANNOT_RUN = 3;
/** The folder of the packages that are not bundled. */
const INSTALLED = fileURLToPath(new URL("../packages/database/node_modules", import.meta.url));
/** Writes the command into a folder. */
const BUILD = fileURLToPath(new URL("../apps/cli/scripts/build.ts", import.meta.url));
const INSIDE = fileURLToPath(new URL("inside.ts", import.meta.url));

async function main(): Promise<number> {
  const { program, tls } = readOptions();
  const missing = missingRequirement();
  if (missing !== null) {
    console.log(`The drill cannot run here: it needs ${missing}.`);
    return CANNOT_RUN;
  }
  const folder = await mkdtemp(join(tmpdir(), "findersfee-drill-"));
  await chmod(folder, 0o755);
  for (const name of ["logs", "machines"]) await mkdir(join(folder, name));
  const authority = tls ? { NODE_EXTRA_CA_CERTS: await makeKeys(join(folder, "keys")) } : {};
  const code = await runInside(folder, program ?? (await build(folder)), authority);
  if (code === 0) await rm(folder, { recursive: true });
  else console.log(`The logs are in ${join(folder, "logs")}.`);
  return code;
}

/** Builds the command, for an unprivileged user. */
async function build(folder: string): Promise<string> {
  const built = join(folder, "package");
  await run(process.execPath, "--import", "tsx", BUILD, built);
  await symlink(INSTALLED, join(built, "node_modules"));
  return join(built, "program/main.js");
}

/**
 * Runs the drill in namespaces, so that nothing outside can be reached, and every process ends with it. The shell is
 * its first process, and takes in those that lost their parents.
 */
async function runInside(folder: string, program: string, environment: object): Promise<number> {
  const command = ["sh", "-c", '"$@"; exit $?', "sh", process.execPath, "--import", "tsx", INSIDE];
  const parameters = [...process.argv.slice(2), "--program", program];
  const child = spawn("unshare", [...NAMESPACES, ...command, ...parameters], {
    stdio: "inherit",
    env: { ...process.env, ...environment, DRILL_FOLDER: folder },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill("SIGKILL"));
  const [code] = await once(child, "exit");
  return code ?? 1;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  return 2;
});
