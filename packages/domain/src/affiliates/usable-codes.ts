import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { findUnusablePromoCodes } from "@findersfee/database/affiliates/usable-codes";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewPromoCodes } from "./view.ts";

/** The codes that an affiliate may hand out. */
export interface UsablePromoCodes {
  promo_codes: Affiliate["promo_codes"];
  /** Whether the affiliate has a promo code that does not exist at Stripe yet. */
  is_pending: boolean;
}

/** The promo codes that customers can use. Nobody sees other codes, because the checkout rejects them. */
export async function usablePromoCodes(
  sql: Connection,
  organization_id: string,
  affiliate: AffiliateRow,
): Promise<UsablePromoCodes> {
  const all = viewPromoCodes(affiliate);
  if (all.length === 0) return { promo_codes: [], is_pending: false };
  const unusable = new Set(await findUnusablePromoCodes(sql, organization_id, affiliate.id));
  const promo_codes = all.filter(({ code }) => !unusable.has(code));
  return { promo_codes, is_pending: promo_codes.length < all.length };
}
