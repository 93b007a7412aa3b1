import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { hasCode } from "./error-code.ts";

/**
 * The text kept in a file that only its owner may read; when there is none yet, `make` makes it. Of
 * several processes that make it at once one wins, and all of them get its text.
 */
export async function keepFile(path: string, make: () => string): Promise<string> {
  const kept = await readKeptFile(path);
  if (kept !== null) return kept;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, make(), { mode: 0o600, flag: "wx" });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  return await readFile(path, "utf8");
}

/** The text kept in a file, or null when there is none. */
export async function readKeptFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
