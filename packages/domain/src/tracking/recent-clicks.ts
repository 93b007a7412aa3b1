import type { ClickRow } from "@findersfee/database/clicks";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** Visitors that a process remembers; the one that clicked longest ago is forgotten first. */
const REMEMBERED = 50_000;

type RecentClick = Pick<ClickRow, "id" | "affiliate_id" | "code" | "clicked_at">;

/** The last click of each visitor of an organization, so that a repeated one writes nothing. */
export interface RecentClicks {
  /**
   * The click that another one repeats: the visitor's last one, if it was on the same link in the same hour (UTC). After a
   * click on another link, a click is no repetition: of several clicks the last one has to win.
   */
  repeatedBy(click: ClickRow): RecentClick | null;
  remember(click: ClickRow): void;
}

export function createRecentClicks(): RecentClicks {
  const last = new Map<string, RecentClick>();
  return {
    repeatedBy: (click) => {
      const known = last.get(visitorOf(click));
      if (known === undefined || known.affiliate_id !== click.affiliate_id) return null;
      return known.code === click.code && hourOf(known) === hourOf(click) ? known : null;
    },
    remember: (click) => {
      const { id, affiliate_id, code, clicked_at } = click;
      const visitor = visitorOf(click);
      last.delete(visitor);
      last.set(visitor, { id, affiliate_id, code, clicked_at });
      if (last.size <= REMEMBERED) return;
      for (const oldest of last.keys()) {
        last.delete(oldest);
        break;
      }
    },
  };
}

function visitorOf({ organization_id, visitor_hash }: ClickRow): string {
  return `${organization_id} ${visitor_hash}`;
}

function hourOf({ clicked_at }: RecentClick): number {
  return Math.floor(clicked_at.getTime() / HOUR_MILLISECONDS);
}
