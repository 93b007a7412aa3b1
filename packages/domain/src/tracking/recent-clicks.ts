import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { newTaggedId, tagOfId, timeOfId } from "../ids.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/**
 * Clicks that a process writes for one visitor, link and hour. People behind one address with the same browser count as
 * one visitor, and each needs a click of their own, since a click allows few sign-ups. Ten covers a household or an
 * office with the same link; without a limit, a client that discards its clicks would fill the table.
 */
const CLICKS_PER_HOUR = 10;
/** Visitors of links that are counted at a time; a power of two. */
const CELLS = 1 << 16;

export type RecordedClick = Pick<ClickRow, "id" | "clicked_at">;

/** A click with the result of `newClick`. */
export interface NewClick extends ClickRow {
  visitor: VisitorOfLink;
}

/** A visitor on a link, as 32-bit numbers that nobody without the visitor key can choose. */
interface VisitorOfLink {
  tag: number;
  cell: number;
  fingerprint: number;
  hour: number;
}

/**
 * Assigns a click its id: a UUIDv7 of `clicked_at`. Its last 32 bits depend on the visitor and the link, so that every
 * process can check without a lookup whether the id belongs to this visitor on this link.
 */
export function identifyClick(click: Omit<ClickRow, "id">): NewClick {
  const visitor = visitorOfLink(click);
  return { ...click, id: newTaggedId(click.clicked_at, visitor.tag), visitor };
}

/**
 * The click that a browser stored or received from a redirect link, if its id was created for this visitor, link and
 * hour. It proves that the browser has clicked before: another browser behind the same address does not have the id. A
 * client can forge such an id only for itself, and then has a click that is not stored.
 */
export function storedClick(
  { visitor: { tag, hour } }: NewClick,
  { previous_click_id, click_id }: { previous_click_id: string | null; click_id: string | null },
): RecordedClick | null {
  for (const id of [previous_click_id, click_id]) {
    if (id === null || tagOfId(id) !== tag) continue;
    const clicked_at = timeOfId(id);
    if (hourOf(clicked_at) === hour) return { id: id.toLowerCase(), clicked_at };
  }
  return null;
}

/**
 * Writes a click, or shares the last one when the visitor has had `CLICKS_PER_HOUR` on the link. Clicks in progress
 * count, and a shared one resolves when it is written. Null: the affiliate may no longer refer. Errors of `write` are
 * thrown to the caller, and a failed click does not count.
 */
export type WriteOrShare = (click: NewClick, write: () => Promise<boolean>) => Promise<RecordedClick | null>;

/**
 * Counts the clicks of each visitor and link in the current hour (UTC). Each has one cell of three arrays, and the latest
 * visitor takes the cell over. Objects in a map instead cost a click 20 µs: they outlive the garbage collector's young
 * generation.
 */
export function createWriteOrShare(): WriteOrShare {
  const fingerprints = new Uint32Array(CELLS);
  const hours = new Uint32Array(CELLS);
  const counts = new Uint8Array(CELLS);
  /** The last clicks of the few cells without a place left. */
  const shared = new Map<number, Promise<RecordedClick | null>>();

  function isIn({ cell, fingerprint, hour }: VisitorOfLink): boolean {
    return fingerprints[cell] === fingerprint && hours[cell] === hour;
  }

  function release(visitor: VisitorOfLink): void {
    if (!isIn(visitor)) return;
    counts[visitor.cell] = (counts[visitor.cell] ?? 1) - 1;
    shared.delete(visitor.cell);
  }

  async function writeInPlace(
    { id, clicked_at, visitor }: NewClick,
    write: () => Promise<boolean>,
  ): Promise<RecordedClick | null> {
    let is_written = false;
    try {
      is_written = await write();
      return is_written ? { id, clicked_at } : null;
    } finally {
      if (!is_written) release(visitor);
    }
  }

  return (click, write) => {
    const { cell, fingerprint, hour } = click.visitor;
    if (!isIn(click.visitor)) {
      fingerprints[cell] = fingerprint;
      hours[cell] = hour;
      counts[cell] = 0;
      shared.delete(cell);
    }
    const last = shared.get(cell);
    if (last !== undefined) return last;
    counts[cell] = (counts[cell] ?? 0) + 1;
    const recorded = writeInPlace(click, write);
    // A click that was rejected immediately has released its place.
    if (counts[cell] === CLICKS_PER_HOUR) shared.set(cell, recorded);
    return recorded;
  };
}

function visitorOfLink({
  visitor_hash,
  affiliate_id,
  code,
  clicked_at,
}: Omit<ClickRow, "id">): VisitorOfLink {
  let link = numberAt(affiliate_id, affiliate_id.length - 8);
  for (let index = 0; index < code.length; index++)
    link = Math.imul(link ^ code.charCodeAt(index), 0x01000193);
  return {
    tag: (numberAt(visitor_hash, 0) ^ link) >>> 0,
    cell: ((numberAt(visitor_hash, 8) ^ link) >>> 0) % CELLS,
    fingerprint: (numberAt(visitor_hash, 16) ^ link) >>> 0,
    hour: hourOf(clicked_at),
  };
}

/** 32 bits. */
function numberAt(digits: string, start: number): number {
  return Number.parseInt(digits.slice(start, start + 8), 16);
}

function hourOf(clicked_at: Date): number {
  return Math.floor(clicked_at.getTime() / HOUR_MILLISECONDS);
}
