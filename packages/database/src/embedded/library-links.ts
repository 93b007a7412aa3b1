import { readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { hasCode } from "../error-code.ts";

/** A link below the platform package: `target` is the link, `source` what it leads to. */
interface LibraryLink {
  source: string;
  target: string;
}

const LIST = "pg-symlinks.json";
const NOT_ALLOWED = ["EACCES", "EPERM", "EROFS"];

/**
 * Makes the links between libraries that Postgres' programs need. A package of npm cannot hold links, so the
 * platform's package lists them and makes them in an install script, which npm from 12 on, pnpm and Bun do
 * not run unless they are told to.
 *
 * @returns false when they are missing and we may not write there
 */
export async function linkLibraries(native: string): Promise<boolean> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(native, relative("native", target));
    if ((await readlink(link).catch(() => null)) !== null) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (NOT_ALLOWED.some((code) => hasCode(error, code))) return false;
      // Another process was faster.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
  return true;
}

/** Windows needs none, and has no list. */
async function readLinks(native: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(native, LIST), "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
