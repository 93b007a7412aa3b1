import { createHash, randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFileIfExists } from "@findersfee/database/embedded/private-file";
import { z } from "zod";
import { makeStateFolder } from "./state-folder.ts";

const positionSchema = z.strictObject({
  after: z.uuid().optional(),
  created_after: z.iso.datetime().optional(),
});

/** A position in the feed: after an event, or at a time; neither means the oldest event. */
export type Position = z.output<typeof positionSchema>;

/** Stores the position of one API key at one service. */
export class PositionFile {
  readonly path: string;
  readonly #folder: string;

  /** The file's name does not reveal the key. */
  constructor(state_folder: string, { base_url, api_key }: { base_url: string; api_key: string }) {
    const name = createHash("sha256").update(`${base_url}\n${api_key}`).digest("hex").slice(0, 32);
    this.#folder = join(state_folder, "listen");
    this.path = join(this.#folder, `${name}.json`);
  }

  /** Null before the first run. */
  async read(): Promise<Position | null> {
    await makeStateFolder(this.#folder);
    const kept = await readFileIfExists(this.path);
    if (kept === null) return null;
    const read = positionSchema.safeParse(parseJson(kept));
    if (read.success) return read.data;
    throw new Error(`${this.path} is damaged: delete it to start with new events.`);
  }

  /** Atomic: a crash leaves the old position or the new one, never a partial file. */
  async write(position: Position): Promise<void> {
    await makeStateFolder(this.#folder);
    const draft = `${this.path}.${randomBytes(6).toString("hex")}`;
    try {
      await writeFile(draft, `${JSON.stringify(position)}\n`, { mode: 0o600, flag: "wx" });
      await rename(draft, this.path);
    } catch (error) {
      // biome-ignore lint/plugin/swallowed-failure: the failure to write is reported
      await rm(draft, { force: true }).catch(() => {});
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Failed to store the position (${why}): free some space, or set XDG_STATE_HOME.`);
    }
  }
}

function parseJson(text: string): unknown {
  // biome-ignore lint/plugin/swallowed-failure: the caller reports a damaged file
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
