import type { Connection } from "@findersfee/database/postgres/connect";
import { type EventIdRow, listEventIds } from "@findersfee/database/webhooks/event-ids";
import { firstIdOf, timeOfId } from "../../ids.ts";
import { EVENTS_RETENTION_DAYS } from "./retention.ts";

const PAGE = 1000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** An event that only one side has. */
export interface FeedDifference {
  id: string;
  /** `receiver`: a restore lost it. `database`: the receiver lacks it. */
  only: "receiver" | "database";
  /** Null: only the receiver has it. */
  type: string | null;
  /** Of an event that only the receiver has: the time in its id. */
  created_at: Date;
}

/**
 * Compares the events that a receiver has with those of the database, oldest first, a page at a time. `ids` must ascend, in
 * lower case; a repeated id counts once. The comparison begins at `since` (null: at the receiver's first event), and never
 * before the events that the database keeps. Events that test an endpoint are never missing at the receiver.
 */
export async function* compareFeed(
  sql: Connection,
  organization_id: string,
  { ids, since, types }: { ids: AsyncIterable<string>; since: Date | null; types: readonly string[] | null },
): AsyncGenerator<FeedDifference> {
  const kept_from = firstIdOf(new Date(Date.now() - EVENTS_RETENTION_DAYS * DAY_MILLISECONDS));
  const lowest = since === null || firstIdOf(since) < kept_from ? kept_from : firstIdOf(since);
  const sent = ids[Symbol.asyncIterator]();
  let id = await nextId(sent, { from: lowest, former: null });
  if (id === null && since === null) return;
  const from_id = since === null ? (id ?? lowest) : lowest;
  for await (const event of eventsFrom(sql, organization_id, from_id)) {
    while (id !== null && id < event.id) {
      yield lost(id);
      id = await nextId(sent, { from: lowest, former: id });
    }
    if (id === event.id) id = await nextId(sent, { from: lowest, former: id });
    else if (!event.test && (types === null || types.includes(event.type))) {
      yield { id: event.id, only: "database", type: event.type, created_at: event.created_at };
    }
  }
  while (id !== null) {
    yield lost(id);
    id = await nextId(sent, { from: lowest, former: id });
  }
}

function lost(id: string): FeedDifference {
  return { id, only: "receiver", type: null, created_at: timeOfId(id) };
}

async function nextId(
  ids: AsyncIterator<string>,
  { from, former }: { from: string; former: string | null },
): Promise<string | null> {
  while (true) {
    const next = await ids.next();
    if (next.done === true) return null;
    if (former !== null && next.value < former) throw new Error("The ids do not ascend.");
    if (next.value >= from && next.value !== former) return next.value;
  }
}

async function* eventsFrom(
  sql: Connection,
  organization_id: string,
  from_id: string,
): AsyncGenerator<EventIdRow> {
  let after_id: string | null = null;
  while (true) {
    const page: EventIdRow[] = await listEventIds(sql, organization_id, { from_id, after_id, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after_id = page.at(-1)?.id ?? null;
  }
}
