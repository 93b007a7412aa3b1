import type { Database } from "@findersfee/database/connect";
import { listWebsiteUrls } from "@findersfee/database/link-codes";
import { createCache } from "../cache.ts";
import type { SecretsKey } from "../webhooks/secrets.ts";
import { createLinkLookUp, type FindLink } from "./links.ts";
import { createWriteOrShare, type WriteOrShare } from "./recent-clicks.ts";
import { isOnSite } from "./site.ts";
import { type VisitorKey, visitorKey } from "./visitor.ts";
import { createWriteBudget, type WriteBudget } from "./write-budget.ts";
import { createClickWriter, type WriteClick } from "./write-clicks.ts";

/** Two caches in a row use it: a changed `website_url` takes effect within a second. */
const CACHE = { ttl_milliseconds: 400, max_entries: 10_000 };

/** Clicks and sign-ups that a process writes for each organization in a minute; 0: no limit. */
export interface TrackingBudgets {
  clicks: number;
  signups: number;
}

/** What a process tracks with, for all organizations. */
export interface Tracking {
  database: Database;
  /** What the secrets for signing sign-ups are encrypted under. */
  secrets_key: SecretsKey;
  /** What visitors are hashed under. */
  visitor_key: VisitorKey;
  findLink: FindLink;
  write: WriteClick;
  /**
   * Whether pages of an origin may speak for the organization: they are on the site of one of its campaigns. At
   * once where that is known.
   */
  isSiteOf(organizationId: string, origin: string): boolean | Promise<boolean>;
  writeOrShare: WriteOrShare;
  /** What each organization may write. */
  budgets: Record<"clicks" | "signups", WriteBudget>;
  /** Tells the workers that there may be something to deliver. */
  wake: (organization_id: string) => void;
}

export function openTracking({
  database,
  secrets_key,
  budgets_per_minute,
  wake,
}: {
  database: Database;
  secrets_key: SecretsKey;
  budgets_per_minute: TrackingBudgets;
  wake: (organization_id: string) => void;
}): Tracking {
  const findSites = createCache((organizationId) => listWebsiteUrls(database, organizationId), CACHE);
  // Parsing the URLs for each click would cost more than reading this cache.
  const isSiteOf = createCache(async (name) => {
    const space = name.indexOf(" ");
    const origin = name.slice(space + 1);
    return (await findSites(name.slice(0, space))).some((web_url) => isOnSite(origin, web_url));
  }, CACHE);
  return {
    database,
    secrets_key,
    visitor_key: visitorKey(secrets_key),
    findLink: createLinkLookUp(database),
    write: createClickWriter(database),
    writeOrShare: createWriteOrShare(),
    budgets: {
      clicks: createWriteBudget(budgets_per_minute.clicks),
      signups: createWriteBudget(budgets_per_minute.signups),
    },
    isSiteOf: (organizationId, origin) => {
      const name = `${organizationId} ${origin}`;
      return isSiteOf.peek(name) ?? isSiteOf(name);
    },
    wake,
  };
}
