import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hasCode } from "../postgres/error-code.ts";

/**
 * Returns the content of a file that only its owner may read. If the file does not exist, it is created with the result
 * of `make`. If several processes create it at once, all of them return the content of the first.
 */
export async function readOrCreateFile(path: string, make: () => string): Promise<string> {
  const kept = await readFileIfExists(path);
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

/** Replaces the content of a file that only its owner may read, at once: a reader gets the former or the new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, content, { mode: 0o600, flag: "wx", flush: true });
  await rename(draft, path);
}

/** Returns the content of a file, or null if it does not exist. */
export async function readFileIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Returns the properties of a file or folder, or null if it does not exist. */
export async function statIfExists(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return null;
    throw error;
  }
}
