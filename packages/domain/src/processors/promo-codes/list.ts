import type { Page } from "@findersfee/contract/pages";
import type { ListPromoCodes, PromoCodeRow } from "@findersfee/contract/processors/processors";
import { listPromoCodes as listRows } from "@findersfee/database/processors/promo-codes";
import type { Context } from "../../context.ts";
import { idOf, pageOf, requireNamed } from "../../pages.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { viewPromoCodeRow } from "./view.ts";

/**
 * Affiliates' promotion codes and the state of their creation at Stripe, newest first. Errors: `not_found` when nothing
 * matches and the named affiliate does not exist.
 */
export async function listPromoCodes(
  context: Context,
  { affiliate_id, failed, limit, cursor }: ListPromoCodes,
): Promise<Page<PromoCodeRow>> {
  const { database, organization } = context;
  const rows = await listRows(database, organization.id, {
    affiliate_id: affiliate_id ?? null,
    failed: failed ?? false,
    below: cursor ?? null,
    limit: limit + 1,
  });
  const page = pageOf(rows, { limit, view: viewPromoCodeRow, cursorOf: idOf });
  await requireNamed(page, affiliate_id === undefined ? [] : [() => requireAffiliate(context, affiliate_id)]);
  return page;
}
