import type { Database } from "@findersfee/database/postgres/connect";
import { LRUCache } from "lru-cache";
import { atMost } from "./at-most.ts";

/** Results that were read before a change are older than this, so no cache uses them any more. */
const TTL_MILLISECONDS = 2_000;
const MAX_ORGANIZATIONS = 10_000;

/** When this process last changed organizations, on the monotonic clock. */
const changes = new WeakMap<Database, LRUCache<string, number>>();

/**
 * Notes that this process has changed an organization's settings, after the commit: it uses no organization that it read
 * before. Other processes see the change within a second.
 */
export function noteOrganizationChange(database: Database, organizationId: string): void {
  let noted = changes.get(database);
  if (noted === undefined) {
    noted = new LRUCache({ ...atMost(MAX_ORGANIZATIONS), ttl: TTL_MILLISECONDS });
    changes.set(database, noted);
  }
  noted.set(organizationId, performance.now());
}

/** Whether this process has changed one of the organizations since it began to read them at `read_at`. */
export function haveChanged(
  database: Database,
  organizationIds: () => Iterable<string>,
  read_at: number,
): boolean {
  const noted = changes.get(database);
  if (noted === undefined || noted.size === 0) return false;
  for (const id of organizationIds()) {
    const changed_at = noted.get(id);
    if (changed_at !== undefined && read_at <= changed_at) return true;
  }
  return false;
}
