import type { LinkPromoCode, PromoCode } from "@findersfee/contract/processors/processors";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { renamePromoCode } from "@findersfee/database/affiliates/codes";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import {
  lockPromoCode,
  makeAffiliateCodesDue,
  recordExternalCode,
} from "@findersfee/database/processors/promo-codes";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { isCodeTaken } from "../../affiliates/conflicts.ts";
import { AFFILIATE_ERASED } from "../../affiliates/erased.ts";
import { reattributePromoCodes } from "../../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { noPromoCode } from "./retry.ts";
import { promoCodeFields, viewPromoCode } from "./view.ts";

/**
 * Links a promotion code that was created manually at Stripe to an affiliate. A code given only by its text is looked
 * up at Stripe by the job, and must have the campaign's coupon; a code given with its id is linked without a lookup.
 * Errors: `not_found`, `code_taken`, `invalid_request` for a campaign without promo codes and for an erased affiliate.
 */
export async function linkPromoCode(context: Context, input: LinkPromoCode): Promise<PromoCode> {
  try {
    return await inTransaction(context, (sql) => link(sql, context, input));
  } catch (error) {
    throw isCodeTaken(error) ? new DomainError("code_taken") : error;
  }
}

async function link(
  sql: Transaction,
  context: Context,
  { affiliate_id, external_id, code }: LinkPromoCode,
): Promise<PromoCode> {
  const { organization } = context;
  const organizationId = organization.id;
  // Locked before the code's row, in the same order as the workers.
  if (external_id !== undefined) await lockPayments(sql, organizationId);
  // Also locked before the code's row, in the same order as an erasure. After a wait for an erasure, this sees that the
  // affiliate was erased.
  const affiliate = await lockAffiliate(sql, organizationId, affiliate_id);
  if (affiliate !== null && affiliate.erased_at !== null)
    throw invalidField("affiliate_id", AFFILIATE_ERASED);
  const row = await lockPromoCode(sql, organizationId, affiliate_id);
  if (row === null) throw noPromoCode();
  if (row.coupon === null) throw invalidField("affiliate_id", "Its campaign has no promo codes.");
  if (code !== undefined) await renamePromoCode(sql, organizationId, { affiliate_id, code });
  if (external_id === undefined) {
    await makeAffiliateCodesDue(sql, organizationId, affiliate_id);
    await notifyWorkers(sql, "promo_codes", [organizationId]);
  } else {
    const external_code = code ?? row.code;
    await recordExternalCode(sql, organizationId, {
      id: row.id,
      code: external_code,
      external: { external_id, external_code, external_coupon: row.coupon, external_linked: true },
    });
    await reattributePromoCodes(sql, organization, [external_id]);
  }
  const linked = await lockPromoCode(sql, organizationId, affiliate_id);
  if (linked === null) throw noPromoCode();
  await writeAuditEntry(sql, context, {
    resource: "promo_code",
    id: row.affiliate_id,
    action: "linked",
    before: promoCodeFields(row),
    after: promoCodeFields(linked),
  });
  return viewPromoCode(linked);
}
