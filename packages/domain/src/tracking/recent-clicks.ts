import type { ClickRow } from "@findersfee/database/clicks";
import { timeOfId } from "../ids.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/**
 * Clicks that a process writes for one visitor, link and hour. People behind one address with the same browser are one
 * visitor, and each needs a click of their own, since a click takes few sign-ups. Ten covers a household or an office that
 * got the same link; beyond that, a client that throws its clicks away would fill the table.
 */
const CLICKS_PER_HOUR = 10;
/** Clicks that a process remembers, so that memory stays bounded. */
const REMEMBERED = 50_000;

export type RecordedClick = Pick<ClickRow, "id" | "clicked_at">;

/** The clicks that this process wrote for each visitor and link in the current hour (UTC). */
export interface RecentClicks {
  /**
   * The click that a browser keeps or brings from a redirect link, if it was given to this visitor on this link in this
   * hour. It proves that the browser has clicked before: another one behind the same address does not have the id.
   */
  keptBy(
    click: ClickRow,
    kept: { previous_click_id: string | null; click_id: string | null },
  ): RecordedClick | null;
  /**
   * Writes a click, or shares the last one when the visitor has had `CLICKS_PER_HOUR` on the link. Clicks under way count,
   * and a shared one is answered when it is written. Null: the affiliate may no longer refer. What `write` throws goes to
   * the caller, and the click takes none of the places.
   */
  writeOrShare(click: ClickRow, write: () => Promise<boolean>): Promise<RecordedClick | null>;
}

interface Hour {
  hour: number;
  /** Of clicks that are written or under way. */
  ids: string[];
  last: Promise<RecordedClick | null>;
}

export function createRecentClicks(): RecentClicks {
  /** The link with the oldest last click first. */
  const hours = new Map<string, Hour>();
  let remembered = 0;

  function keep(key: string, hour: Hour): void {
    hours.set(key, hour);
    remembered += hour.ids.length;
    for (const [oldest, known] of hours) {
      if (remembered <= REMEMBERED) break;
      forget(oldest, known);
    }
  }

  function forget(key: string, hour: Hour): void {
    hours.delete(key);
    remembered -= hour.ids.length;
  }

  function release(key: string, hour: Hour, id: string): void {
    hour.ids.splice(hour.ids.indexOf(id), 1);
    // It may have been forgotten meanwhile.
    if (hours.get(key) !== hour) return;
    remembered -= 1;
    if (hour.ids.length === 0) hours.delete(key);
  }

  return {
    keptBy: (click, { previous_click_id, click_id }) => {
      if (previous_click_id === null && click_id === null) return null;
      const known = hours.get(keyOf(click));
      if (known?.hour !== hourOf(click)) return null;
      const id = known.ids.find((id) => id === previous_click_id) ?? known.ids.find((id) => id === click_id);
      return id === undefined ? null : { id, clicked_at: timeOfId(id) };
    },
    writeOrShare: (click, write) => {
      const key = keyOf(click);
      const hour = hourOf(click);
      const known = hours.get(key);
      if (known?.hour === hour && known.ids.length >= CLICKS_PER_HOUR) return known.last;
      const last = settle(click, write(), () => release(key, current, click.id));
      const current: Hour = known?.hour === hour ? known : { hour, ids: [], last };
      if (known !== undefined) forget(key, known);
      current.ids.push(click.id);
      current.last = last;
      keep(key, current);
      return last;
    },
  };
}

async function settle(
  { id, clicked_at }: RecordedClick,
  writing: Promise<boolean>,
  release: () => void,
): Promise<RecordedClick | null> {
  let is_written = false;
  try {
    is_written = await writing;
    return is_written ? { id, clicked_at } : null;
  } finally {
    if (!is_written) release();
  }
}

function keyOf({ organization_id, visitor_hash, affiliate_id, code }: ClickRow): string {
  return `${organization_id} ${visitor_hash} ${affiliate_id} ${code}`;
}

function hourOf({ clicked_at }: RecordedClick): number {
  return Math.floor(clicked_at.getTime() / HOUR_MILLISECONDS);
}
