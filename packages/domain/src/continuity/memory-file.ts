import { randomBytes } from "node:crypto";
import { access, constants, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFileIfExists } from "@findersfee/database/embedded/private-file";
import type { Memory } from "@findersfee/database/history";
import { z } from "zod";

const memorySchema = z.strictObject({
  system_identifier: z.string().nullable(),
  timeline: z.int(),
  position: z.string().regex(/^\d+$/).transform(BigInt),
  events: z.array(z.strictObject({ organization_id: z.uuid(), event_id: z.uuid() })),
  accepted_id: z.uuid().nullable(),
  seen_at: z.iso.datetime().transform((text) => new Date(text)),
});

const NAME = "history.json";
/** The memory of the process that noticed a step back, until it is accepted or over. */
const ALARM = "stepped-back.json";

/** The file was cut or changed: nothing in it can be trusted. */
export class DamagedMemoryError extends Error {
  override readonly name = "DamagedMemoryError";

  constructor(path: string) {
    super(`${path} is damaged: if the database went back before now, nothing here knows it.`);
  }
}

/** Creates the folder of a process's memory and journal, for its owner only. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `Cannot write to ${folder}, where the history of the database is kept. ${messageOf(error)}`,
    );
  }
}

/**
 * Reads the last memory of this machine's processes; null: none.
 *
 * @throws DamagedMemoryError when the file has something else
 */
export async function readMemory(folder: string): Promise<Memory | null> {
  return (await read(join(folder, ALARM))) ?? (await read(join(folder, NAME)));
}

async function read(path: string): Promise<Memory | null> {
  const text = await readFileIfExists(path);
  if (text === null) return null;
  const { success, data } = memorySchema.safeParse(parseJson(text));
  if (success) return data;
  throw new DamagedMemoryError(path);
}

/** Stores the memory of a process. */
export async function writeMemory(folder: string, memory: Memory): Promise<void> {
  await write(join(folder, NAME), memory);
}

/** Stores the memory of a process that noticed a step back. From now on, processes read this one. */
export async function writeAlarm(folder: string, memory: Memory): Promise<void> {
  await write(join(folder, ALARM), memory);
}

/** The step back is accepted, or over. */
export async function deleteAlarm(folder: string): Promise<void> {
  await rm(join(folder, ALARM), { force: true });
}

/** Atomic: a crash leaves the old file or the new one, and two processes write one after the other. */
async function write(path: string, memory: Memory): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const text = JSON.stringify({ ...memory, position: String(memory.position) });
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: "wx", flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
