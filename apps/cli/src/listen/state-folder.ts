import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** What says where a user's programs keep what they want to find again. */
export interface StateHome {
  /** The XDG base directories' variable; relative ones do not count. */
  XDG_STATE_HOME: string | null;
  /** The same on Windows. */
  LOCALAPPDATA: string | null;
}

/** Where commands that need no database keep their state. */
export function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: StateHome): string {
  const home = [XDG_STATE_HOME, LOCALAPPDATA].find((path) => path !== null && isAbsolute(path));
  return join(home ?? join(homedir(), ".local", "state"), "findersfee");
}

/** Makes it, for its owner alone. */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Nothing can be kept in ${folder} (${why}): set XDG_STATE_HOME to a folder of yours.`);
  }
}
