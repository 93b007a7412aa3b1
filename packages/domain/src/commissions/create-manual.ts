import type { Commission } from "@findersfee/contract/commissions/commissions";
import type { CreateManualCommission } from "@findersfee/contract/commissions/manual";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findCustomersReferrals } from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findReferral } from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { emailKey } from "../attribution/facts/fact-names.ts";
import type { Context } from "../context.ts";
import { insertNewReferral } from "../customers/referrals/create.ts";
import { DomainError, notFound, requireReferral, requireSubscription } from "../errors.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { inTransaction } from "../transaction.ts";
import { explainConflict } from "./conflicts.ts";
import { newCommission } from "./create.ts";
import { createForPayment } from "./create-for-payment.ts";

/**
 * Creates a manual commission for a customer, who becomes the affiliate's referral if no affiliate has the customer: all of
 * it or nothing. A payment that it names has no other commission, also if the new referral covers it.
 *
 * Errors: `subscription_error`, `not_found` (affiliate), `referral_exists` (of another affiliate), `commission_exists`,
 * `invalid_request`.
 */
export async function createManualCommission(
  context: Context,
  input: CreateManualCommission,
): Promise<Commission> {
  const { affiliate_id, customer_email, ...amounts } = input;
  await requireAffiliate(context, affiliate_id);
  try {
    return await inTransaction(context, async (sql) => {
      requireSubscription(context.organization);
      // Locked before the referral, in the same order as the workers.
      await lockPayments(sql, context.organization.id);
      const referral = await requireReferralOf(sql, context, { affiliate_id, email: customer_email });
      const key = emailKey(customer_email);
      const known = await findCustomerKeys(sql, context.organization.id, [key]);
      const row = newCommission(
        { ...amounts, referral_id: referral.id },
        { referral, currency: input.currency },
      );
      return await createForPayment(sql, context, { row, referral, customer_ids: [...known.values()] });
    });
  } catch (error) {
    throw await explainConflict(context, error, input.processor_payment_id);
  }
}

/** The affiliate's referral with this email, or a new one. */
async function requireReferralOf(
  sql: Transaction,
  context: Context,
  { affiliate_id, email }: { affiliate_id: string; email: string },
): Promise<ReferralWithAffiliateRow> {
  const by = { emails: [lowerCase(email)], customer_ids: [], attributed_by: [], ids: [], lock: true };
  const [known] = await findCustomersReferrals(sql, context.organization.id, by);
  if (known === undefined) {
    const affiliate = await findAffiliate(sql, context.organization.id, affiliate_id);
    if (affiliate === null) throw notFound("affiliate");
    return await insertNewReferral(sql, context, { affiliate, email });
  }
  if (known.affiliate_id !== affiliate_id.toLowerCase()) {
    throw new DomainError("referral_exists", { details: { referral_id: known.id } });
  }
  return requireReferral(await findReferral(sql, context.organization.id, known.id));
}
