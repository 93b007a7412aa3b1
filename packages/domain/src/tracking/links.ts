import type { Database } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { findLinkCodes, type LinkCodeRow } from "@findersfee/database/tracking/link-codes";
import { type BatchLimits, createBatcher } from "../caching/batcher.ts";
import { createCache } from "../caching/cache.ts";
import { MEMORY_MILLISECONDS } from "../caching/memory.ts";

/** A changed code or a banned affiliate takes effect within a second. */
const CACHE = { ttl_milliseconds: 800, memory_milliseconds: MEMORY_MILLISECONDS, max_entries: 20_000 };
const LOOK_UPS: BatchLimits = {
  max_batch_size: 500,
  max_concurrent_batches: 2,
  max_queued: 10_000,
  max_wait_milliseconds: 5_000,
};

/** Finds the affiliate's link for a code; null: none. Synchronous for cached codes. */
export type FindLink = (organizationId: string, code: string) => LinkCodeRow | Promise<LinkCodeRow | null>;

/**
 * Creates this process' lookup of link codes. Results are cached, because each click needs one, and one query looks up
 * the codes of all organizations that miss the cache at the same moment.
 */
export function createLinkLookUp(database: Database): FindLink {
  const lookUp = createBatcher<string, LinkCodeRow | null>((_, names) => findAll(database, names), LOOK_UPS);
  const find = createCache((name) => lookUp("", name), CACHE);
  return (organizationId, code) => {
    const name = nameOf(organizationId, code);
    return find.peek(name) ?? find(name);
  };
}

/** Why clicks on it do not count; null: they count. A page does not learn who is banned. */
export function rejectionOf({
  approved,
  banned,
  code_mode,
}: LinkCodeRow): "not_approved" | "without_links" | null {
  if (!approved || banned) return "not_approved";
  return code_mode === "coupon" ? "without_links" : null;
}

async function findAll(database: Database, names: string[]): Promise<(LinkCodeRow | null)[]> {
  const keys = names.map((name) => {
    const [organization_id = "", code = ""] = name.split(" ");
    return { organization_id, code };
  });
  const rows = await findLinkCodes(database, keys);
  const byName = new Map(rows.map((row) => [nameOf(row.organization_id, row.code), row]));
  return names.map((name) => byName.get(name) ?? null);
}

/** Neither an id nor a code contains a space; codes are case-insensitive. */
function nameOf(organizationId: string, code: string): string {
  return `${organizationId} ${lowerCase(code)}`;
}
