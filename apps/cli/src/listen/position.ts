import { createHash, randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readKeptFile } from "@findersfee/database/kept-file";
import { z } from "zod";
import { makeStateFolder } from "./state-folder.ts";

const positionSchema = z.strictObject({
  after: z.uuid().optional(),
  created_after: z.iso.datetime().optional(),
});

/** Where to go on in the feed: after an event, or at a time; neither: with the oldest event. */
export type Position = z.output<typeof positionSchema>;

/** Keeps how far one API key has listened to one service. */
export class PositionFile {
  readonly path: string;
  readonly #folder: string;

  /** The name tells nothing of the key to who reads it. */
  constructor(state_folder: string, { base_url, api_key }: { base_url: string; api_key: string }) {
    const name = createHash("sha256").update(`${base_url}\n${api_key}`).digest("hex").slice(0, 32);
    this.#folder = join(state_folder, "listen");
    this.path = join(this.#folder, `${name}.json`);
  }

  /** Null: nobody has listened yet. */
  async read(): Promise<Position | null> {
    await makeStateFolder(this.#folder);
    const kept = await readKeptFile(this.path);
    if (kept === null) return null;
    const read = positionSchema.safeParse(parseJson(kept));
    if (read.success) return read.data;
    throw new Error(`${this.path} does not say where to go on: delete it, and listening begins with now.`);
  }

  /** Whoever is killed meanwhile leaves the position before or this one, and never half of it. */
  async write(position: Position): Promise<void> {
    await makeStateFolder(this.#folder);
    const draft = `${this.path}.${randomBytes(6).toString("hex")}`;
    try {
      await writeFile(draft, `${JSON.stringify(position)}\n`, { mode: 0o600, flag: "wx" });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`The position cannot be kept (${why}): make room for it, or set XDG_STATE_HOME.`);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
