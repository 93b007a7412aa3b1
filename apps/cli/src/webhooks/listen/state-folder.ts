import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The environment variables for a user's state folder. */
export interface StateHome {
  /** The XDG base directories' variable; relative paths are ignored. */
  XDG_STATE_HOME: string | null;
  /** The equivalent on Windows. */
  LOCALAPPDATA: string | null;
}

/** The state folder of commands that need no database. */
export function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: StateHome): string {
  const home = [XDG_STATE_HOME, LOCALAPPDATA].find((path) => path !== null && isAbsolute(path));
  return join(home ?? join(homedir(), ".local", "state"), "findersfee");
}

/** Creates the folder, accessible only to its owner. */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot write to ${folder} (${why}): set XDG_STATE_HOME to a writable folder.`);
  }
}
