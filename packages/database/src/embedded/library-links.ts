import { readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { hasCode } from "../postgres/error-code.ts";

/** A link below the platform package: `target` is the path of the link, `source` its destination. */
interface LibraryLink {
  source: string;
  target: string;
}

const LIST = "pg-symlinks.json";
const NOT_ALLOWED = ["EACCES", "EPERM", "EROFS"];

/**
 * Creates the links between libraries that Postgres' programs need. An npm package cannot contain links, so the
 * platform's package lists them and creates them in an install script. npm from version 12 on, pnpm and Bun run that
 * script only if configured.
 *
 * @returns false when links are missing and the folder is not writable
 */
export async function linkLibraries(native: string): Promise<boolean> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(native, relative("native", target));
    // biome-ignore lint/plugin/swallowed-failure: `symlink` reports why there is no link
    if ((await readlink(link).catch(() => null)) !== null) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (NOT_ALLOWED.some((code) => hasCode(error, code))) return false;
      // Another process created it first.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
  return true;
}

/** Windows needs no links and has no list. */
async function readLinks(native: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(native, LIST), "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
