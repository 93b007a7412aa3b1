import type { PromoCode } from "@findersfee/contract/processors/processors";
import { lockPromoCode, makeAffiliateCodesDue } from "@findersfee/database/processors/promo-codes";
import { notifyWorkers } from "@findersfee/database/work/shards";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { viewPromoCode } from "./view.ts";

/** Retries the creation of an affiliate's promotion code at Stripe. Errors: `not_found`. */
export async function retryPromoCode(context: Context, affiliate_id: string): Promise<PromoCode> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    if ((await makeAffiliateCodesDue(sql, organization_id, affiliate_id)) === 0) throw noPromoCode();
    await notifyWorkers(sql, "promo_codes", [organization_id]);
    const row = await lockPromoCode(sql, organization_id, affiliate_id);
    if (row === null) throw noPromoCode();
    return viewPromoCode(row);
  });
}

export function noPromoCode(): DomainError {
  return new DomainError("not_found", {
    message: "There is no affiliate with this id and a promo code.",
  });
}
