import { randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hasCode } from "@findersfee/database/postgres/error-code";
import type { KnownEvent } from "@findersfee/database/postgres/written";

/** A delivery that a receiver confirmed. */
export interface Delivered extends KnownEvent {
  endpoint_id: string;
}

/** Bounds in bytes: of a file, after which another one begins, and of all files of the folder. A delivery takes 111. */
export interface JournalLimits {
  file_bytes: number;
  folder_bytes: number;
}

const LIMITS: JournalLimits = { file_bytes: 4 * 1024 * 1024, folder_bytes: 256 * 1024 * 1024 };

const FILE = /^delivered-\d{15}-[0-9a-f]{12}\.txt$/;
const LINE = /^([0-9a-f-]{36}) ([0-9a-f-]{36}) ([0-9a-f-]{36})$/;
const NONE = "none";

/**
 * This process's deliveries, in files outside the database: a restored database does not know them. Each
 * process writes to files of its own; the oldest of the folder are deleted. A delivery is written after the
 * receiver's answer and before the database, so the journal has every delivery that the database knows.
 */
export class Journal {
  readonly #folder: string;
  readonly #limits: JournalLimits;
  #accepted_id: string | null;
  #file: number | null = null;
  #bytes = 0;
  /** Of the present file's name, which files are read by: later for each next one. */
  #began_at = 0;

  /** `accepted_id`: the newest accepted history. The following deliveries belong to it. */
  constructor(folder: string, accepted_id: string | null, limits: JournalLimits = LIMITS) {
    this.#folder = folder;
    this.#accepted_id = accepted_id;
    this.#limits = limits;
  }

  /** Begins another file: the deliveries so far belong to a history that is over. */
  begin(accepted_id: string | null): void {
    this.close();
    this.#accepted_id = accepted_id;
  }

  /** One write for all of them, without waiting for the disk. Throws Node's error if the file cannot be written. */
  append(deliveries: readonly Delivered[]): void {
    if (deliveries.length === 0) return;
    const text = deliveries
      .map(({ organization_id, event_id, endpoint_id }) => `${organization_id} ${event_id} ${endpoint_id}\n`)
      .join("");
    const file = this.#openFile();
    writeSync(file, text);
    this.#bytes += text.length;
    if (this.#bytes >= this.#limits.file_bytes) this.close();
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#bytes = 0;
  }

  /** The present file, or a new one, also if another process deleted it. */
  #openFile(): number {
    if (this.#file !== null && fstatSync(this.#file).nlink === 0) this.close();
    if (this.#file !== null) return this.#file;
    this.#began_at = Math.max(Date.now(), this.#began_at + 1);
    const time = String(this.#began_at).padStart(15, "0");
    const path = join(this.#folder, `delivered-${time}-${randomBytes(6).toString("hex")}.txt`);
    this.#file = openSync(path, "ax", 0o600);
    const head = `${this.#accepted_id ?? NONE}\n`;
    writeSync(this.#file, head);
    this.#bytes = head.length;
    this.#prune();
    return this.#file;
  }

  #prune(): void {
    const names = readdirSync(this.#folder).filter((name) => FILE.test(name));
    let left = this.#limits.folder_bytes - this.#limits.file_bytes;
    for (const name of names.sort().reverse()) {
      const path = join(this.#folder, name);
      left -= sizeOf(path);
      if (left < 0) rmSync(path, { force: true });
    }
  }
}

/** 0: another process deleted it. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}

/**
 * Reads the deliveries of this machine's processes, oldest first. `since`: without deliveries before this
 * history was accepted; null: all.
 */
export async function* readJournal(folder: string, since: string | null): AsyncGenerator<Delivered> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  for (const name of names) {
    let is_head = true;
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      if (is_head) {
        is_head = false;
        if (since !== null && (line === NONE || line < since)) break;
        continue;
      }
      // The last line of a process that died may be cut.
      const [, organization_id = "", event_id = "", endpoint_id = ""] = LINE.exec(line) ?? [];
      if (endpoint_id !== "") yield { organization_id, event_id, endpoint_id };
    }
  }
}
