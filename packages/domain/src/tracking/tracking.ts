import type { Database } from "@findersfee/database/postgres/connect";
import { findPage, listWebsiteUrls } from "@findersfee/database/tracking/link-codes";
import { createCache } from "../caching/cache.ts";
import { MEMORY_MILLISECONDS } from "../caching/memory.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { createClickDiscountLookUp, type FindClickDiscount } from "./click-discount.ts";
import { dailyNetworkKey, type NetworkKey } from "./daily-network.ts";
import { createLinkLookUp, type FindLink } from "./links.ts";
import { createWriteOrShare, type WriteOrShare } from "./recent-clicks.ts";
import { isOnSite } from "./site.ts";
import { type VisitorKey, visitorKey } from "./visitor.ts";
import { createWriteBudget, type WriteBudget } from "./write-budget.ts";
import { createClickWriter, type WriteClick } from "./write-clicks.ts";

/** Two caches in a row use it, so that a changed `website_url` takes effect within a second. */
const CACHE = { ttl_milliseconds: 400, memory_milliseconds: MEMORY_MILLISECONDS, max_entries: 10_000 };

/** Clicks and sign-ups that a process writes for each organization in a minute; 0: no limit. */
export interface TrackingBudgets {
  clicks: number;
  signups: number;
}

/** The dependencies of tracking in a process, for all organizations. */
export interface Tracking {
  database: Database;
  /** The key that encrypts the secrets for signing sign-ups. */
  secrets_key: SecretsKey;
  /** The key that hashes visitors. */
  visitor_key: VisitorKey;
  /** The key that hashes networks. */
  network_key: NetworkKey;
  findLink: FindLink;
  findDiscount: FindClickDiscount;
  write: WriteClick;
  /**
   * Whether an origin may track for the organization: it must be on the site of one of its campaigns. Synchronous if
   * cached.
   */
  isSiteOf(organizationId: string, origin: string): boolean | Promise<boolean>;
  /** The page for visitors of an organization's links without a known code; null: none. */
  findPage(organizationId: string): Promise<string | null>;
  writeOrShare: WriteOrShare;
  /** The write limits of each organization. */
  budgets: Record<"clicks" | "signups", WriteBudget>;
  /** Notifies the workers that deliveries may be due. */
  notifyWorkers: (organization_id: string) => void;
}

export function openTracking({
  database,
  secrets_key,
  budgets_per_minute,
  notifyWorkers,
}: {
  database: Database;
  secrets_key: SecretsKey;
  budgets_per_minute: TrackingBudgets;
  notifyWorkers: (organization_id: string) => void;
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
    network_key: dailyNetworkKey(secrets_key),
    findLink: createLinkLookUp(database),
    findDiscount: createClickDiscountLookUp(database),
    write: createClickWriter(database),
    findPage: createCache((organizationId) => findPage(database, organizationId), CACHE),
    writeOrShare: createWriteOrShare(),
    budgets: {
      clicks: createWriteBudget(budgets_per_minute.clicks),
      signups: createWriteBudget(budgets_per_minute.signups),
    },
    isSiteOf: (organizationId, origin) => {
      const name = `${organizationId} ${origin}`;
      return isSiteOf.peek(name) ?? isSiteOf(name);
    },
    notifyWorkers,
  };
}
