import { stat } from "node:fs/promises";
import {
  type AcceptedHistory,
  acceptHistory,
  findMissing,
  mayReadIdentifier,
  readPresent,
} from "@findersfee/database/history";
import type { Database } from "@findersfee/database/postgres/connect";
import { hasCode } from "@findersfee/database/postgres/error-code";
import { newId } from "../ids.ts";
import { findStepBack, isAccepted, timeOfId, withoutOld } from "./compare.ts";
import { type Delivered, readJournal } from "./journal.ts";
import { readMemory } from "./memory-file.ts";

/** A delivered event that the database does not have. */
export interface LostEvent extends Delivered {
  /** When its id was made. */
  created_at: Date;
}

export interface CheckedContinuity {
  /** Why the present history does not continue the one that processes of this machine knew, as a sentence; null: it does. */
  step_back: string | null;
  /** Null: this machine keeps no memory and no journal, so nothing can be said. */
  has_journal: boolean;
  /** The newest acceptance of this history. */
  accepted: AcceptedHistory | null;
}

/** Events that are looked up at once. */
const BATCH = 1_000;

/**
 * Compares the database with the memory of this machine's processes. `folder`: of their memory and journal.
 */
export async function checkContinuity(database: Database, folder: string | null): Promise<CheckedContinuity> {
  const has_journal = folder !== null && (await exists(folder));
  const memory = has_journal ? await readMemory(folder) : null;
  const present = await readPresent(database, {
    organizations: [],
    events: withoutOld(memory?.events ?? [], new Date()),
    reads_identifier: await mayReadIdentifier(database),
  });
  const known = memory !== null && !isAccepted(memory, present) ? memory : null;
  return {
    step_back: known === null ? null : findStepBack(known, present),
    has_journal,
    accepted: present.accepted,
  };
}

/**
 * Lists the events that processes of this machine delivered, and that the database does not have, in the order of the deliveries: each
 * endpoint's. `since`: the accepted history after which they were delivered; null: all that the journal has.
 */
export async function* listLostEvents(
  database: Database,
  { folder, since }: { folder: string; since: string | null },
): AsyncGenerator<LostEvent> {
  let batch: Delivered[] = [];
  for await (const delivered of readJournal(folder, since)) {
    batch.push(delivered);
    if (batch.length < BATCH) continue;
    yield* lostOf(database, batch);
    batch = [];
  }
  yield* lostOf(database, batch);
}

async function* lostOf(database: Database, batch: readonly Delivered[]): AsyncGenerator<LostEvent> {
  const kept = withoutOld(batch, new Date());
  if (kept.length === 0) return;
  const missing = new Set((await findMissing(database, kept)).map(({ event_id }) => event_id));
  for (const delivered of kept) {
    if (missing.has(delivered.event_id))
      yield { ...delivered, created_at: new Date(timeOfId(delivered.event_id)) };
  }
}

/** Records that the present history is the right one: processes that stopped go on within a second or two. */
export async function acceptContinuity(
  database: Database,
  facts: { accepted_by: string; lost_events: number | null },
): Promise<void> {
  await acceptHistory(database, { id: newId(new Date()), ...facts });
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
