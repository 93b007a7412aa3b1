import type { KnownHistory, Memory } from "@findersfee/database/history";
import type { KnownEvent } from "@findersfee/database/postgres/written";
import { type Delivered, Journal } from "./journal.ts";
import {
  DamagedMemoryError,
  deleteAlarm,
  makeFolder,
  readMemory,
  writeAlarm,
  writeMemory,
} from "./memory-file.ts";

/** Committed events in the file. */
const STORED = 64;

/** Keeps the memory and the journal of a process in a folder. Nothing waits for it, and its failures are logged and counted. */
export class Keeper {
  readonly #folder: string | null;
  readonly #log: { error(facts: object, message: string): void };
  #journal: Journal | null = null;
  /** The content of the file. */
  #stored = "";
  #storing: Promise<void> = Promise.resolve();
  #failed_writes = 0;

  /** `folder`: null: nothing is kept. */
  constructor(folder: string | null, log: { error(facts: object, message: string): void }) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Failures to write, since the start. */
  get failedWrites(): number {
    return this.#failed_writes;
  }

  /**
   * Reads the memory of earlier processes; null: there is none. A damaged memory is logged, and an empty one
   * replaces it. Throws if the folder is unavailable.
   */
  async open(): Promise<Memory | null> {
    if (this.#folder === null) return null;
    await makeFolder(this.#folder);
    const memory = await readMemory(this.#folder).catch((error: unknown) => {
      if (!(error instanceof DamagedMemoryError)) throw error;
      this.#failed(error, "the memory of the database's history is damaged, and starts empty");
      return null;
    });
    this.#journal = new Journal(this.#folder, memory?.accepted_id ?? null);
    return memory;
  }

  /** Begins another history. Deliveries from now on belong to it. */
  begin(accepted_id: string | null): void {
    try {
      this.#journal?.begin(accepted_id);
    } catch (error) {
      this.#failed(error, "failed to close the journal of deliveries");
    }
  }

  /** A full disk must not stop deliveries. */
  append(deliveries: readonly Delivered[]): void {
    try {
      this.#journal?.append(deliveries);
    } catch (error) {
      this.#failed(error, "failed to write the journal of deliveries");
    }
  }

  /** `events`: oldest first. */
  store(memory: KnownHistory, events: readonly KnownEvent[]): void {
    const stored = { ...memory, events: events.slice(-STORED) };
    const text = JSON.stringify({ ...stored, position: String(stored.position), seen_at: null });
    if (text === this.#stored) return;
    this.#stored = text;
    this.#write((folder) => writeMemory(folder, stored));
  }

  /**
   * Stores an alarm apart from the memory: the stored memory lacks the latest events, and other processes,
   * which know less, must not overwrite it.
   */
  storeAlarm(memory: Memory): void {
    this.#write((folder) => writeAlarm(folder, memory));
  }

  /** The history is right. */
  deleteAlarm(): void {
    this.#write(deleteAlarm);
  }

  async close(): Promise<void> {
    await this.#storing;
    this.#journal?.close();
  }

  #write(work: (folder: string) => Promise<void>): void {
    const folder = this.#folder;
    if (folder === null) return;
    this.#storing = this.#storing
      .then(() => work(folder))
      .catch((error: unknown) => {
        this.#stored = "";
        this.#failed(error, "failed to store the memory of the database's history");
      });
  }

  #failed(error: unknown, message: string): void {
    this.#failed_writes += 1;
    this.#log.error({ err: error }, message);
  }
}
