import type { ClickDiscount, GetClickDiscount } from "@findersfee/contract/tracking/click-discounts";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  type ClickDiscountRow,
  type ClickKey,
  findClickDiscounts,
} from "@findersfee/database/tracking/click-discounts";
import { clickedAt, expiryOf } from "../attribution/facts/clicks.ts";
import { type BatchLimits, createBatcher } from "../caching/batcher.ts";
import { createCache } from "../caching/cache.ts";
import type { Context } from "../context.ts";

/** A changed campaign, a new promo code or a banned affiliate takes effect within a second. */
const CACHE = { ttl_milliseconds: 800, max_entries: 20_000 };
const LOOK_UPS: BatchLimits = {
  max_batch_size: 500,
  max_concurrent_batches: 1,
  max_queued: 2_000,
  max_wait_milliseconds: 5_000,
};

/** Finds a click with the data of its discount; null: no such click. */
export type FindClickDiscount = (organizationId: string, id: string) => Promise<ClickDiscountRow | null>;

/**
 * Creates this process' lookup of discounts. Anyone with a publishable key may ask: requests of the same moment share a query, and one
 * query runs at a time, because clicks need the other connections.
 */
export function createClickDiscountLookUp(database: Database): FindClickDiscount {
  const lookUp = createBatcher<ClickKey, ClickDiscountRow | null>(async (_, clicks) => {
    const rows = await findClickDiscounts(database, clicks);
    const by_name = new Map(rows.map((row) => [nameOf(row.organization_id, row.id), row]));
    return clicks.map(({ organization_id, id }) => by_name.get(nameOf(organization_id, id)) ?? null);
  }, LOOK_UPS);
  const find = createCache(async (name) => {
    const [organization_id = "", id = ""] = name.split(" ");
    const click = keyOf(organization_id, id);
    return click === null ? null : await lookUp("", click);
  }, CACHE);
  return (organizationId, id) => find(nameOf(organizationId, id));
}

/** The discount of a visitor, for the pages of the organization's sites. */
export async function readClickDiscount(
  { findDiscount }: { findDiscount: FindClickDiscount },
  organizationId: string,
  click_id: string,
): Promise<ClickDiscount> {
  return viewClickDiscount(await findDiscount(organizationId, click_id.toLowerCase()), new Date());
}

/** The same for the organization's backend. */
export async function getClickDiscount(
  { database, organization }: Context,
  { click_id }: GetClickDiscount,
): Promise<ClickDiscount> {
  const click = keyOf(organization.id, click_id.toLowerCase());
  const [row] = click === null ? [] : await findClickDiscounts(database, [click]);
  return viewClickDiscount(row ?? null, new Date());
}

/** The data that visitors may see. It does not reveal bans. */
function viewClickDiscount(row: ClickDiscountRow | null, now: Date): ClickDiscount {
  if (row === null || !row.approved || row.banned || expiryOf(row, row.cookie_duration) <= now)
    return { affiliate: null, discount: null, reason: "unknown_click" };
  const is_named = row.link_discount_shows_affiliate && row.affiliate_name !== "";
  const affiliate = { name: is_named ? row.affiliate_name : null, code: row.link_code };
  if (!row.link_discount_enabled || row.code_mode !== "both")
    return { affiliate, discount: null, reason: "no_link_discount" };
  const { promo_code, promotion_code, link_discount_description: description } = row;
  if (promo_code === null) return { affiliate, discount: null, reason: "not_ready" };
  return { affiliate, discount: { promotion_code, code: promo_code, description }, reason: null };
}

/** Null: no stored click can have this id. */
function keyOf(organization_id: string, id: string): ClickKey | null {
  const clicked_at = clickedAt(id);
  return clicked_at === null ? null : { organization_id, id, clicked_at };
}

/** Neither of both contains a space, or else it names no click. */
function nameOf(organizationId: string, id: string): string {
  return `${organizationId} ${id}`;
}
