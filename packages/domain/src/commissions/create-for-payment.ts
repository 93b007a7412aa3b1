import type { Commission } from "@findersfee/contract/commissions/commissions";
import { findCommissionsPayment } from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { insertPaymentNames } from "@findersfee/database/commissions/payment-names";
import { convertReferral } from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { CommissionRow, ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import { paymentKeys } from "../attribution/facts/fact-names.ts";
import { reattributeCustomers } from "../attribution/reattribute-customers.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { findReviewer } from "../ledger/review.ts";
import { writeCommissions } from "../ledger/write-commissions.ts";
import { serializeEvent, viewCommissionEvent, viewReferralEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { commissionExists, findHolder } from "./conflicts.ts";
import { viewCommission } from "./view.ts";

/**
 * Creates a manual commission, for a payment that a processor reported or for another sale. A payment's decision names it,
 * and the payment's refunds reduce it before anybody sees it. Errors: `commission_exists`.
 */
export async function createForPayment(
  sql: Transaction,
  context: Context,
  {
    row,
    referral,
    customer_ids = [],
  }: {
    row: CommissionRow;
    referral: ReferralWithAffiliateRow;
    /** More customers with payments that the referral may cover. */
    customer_ids?: string[];
  },
): Promise<Commission> {
  const { organization } = context;
  const { id, created_at, processor_payment_id } = row;
  const cause = actorText(context.actor);
  await lockPayments(sql, organization.id);
  const { affiliate, payout: _payout, referral: _referral, review_state: _state, ...values } = row;
  const unreviewed = {
    ...values,
    affiliate_id: affiliate.id,
    referral_id: referral.id,
    reversal_of: null,
    cause,
  };
  const reviewOf = await findReviewer(sql, organization, [affiliate]);
  const written = { ...unreviewed, review: reviewOf(unreviewed) };
  await writeCommissions(sql, organization.id, { changed: [], added: [written] });
  const customers = new Set(customer_ids);
  if (processor_payment_id !== null) {
    await insertPaymentNames(sql, organization.id, [{ name: processor_payment_id, commission_id: id }]);
    const known = await findCustomerKeys(sql, organization.id, paymentKeys(processor_payment_id));
    for (const customer_id of known.values()) customers.add(customer_id);
  }
  if (customers.size > 0) {
    await reattributeCustomers(sql, organization, { customer_ids: [...customers], cause });
  }
  if (processor_payment_id !== null) {
    await requireFreePayment(sql, organization.id, { id, name: processor_payment_id });
  }
  if (await convertReferral(sql, organization.id, { id: referral.id, converted_at: created_at })) {
    const converted = serializeEvent("referral.converted", viewReferralEvent(referral), created_at);
    await recordEvent(sql, organization.id, converted);
  }
  const left = await findCommission(sql, organization.id, id);
  if (left === null) throw notFound("commission");
  const created = serializeEvent("commission.created", viewCommissionEvent(left), created_at);
  await recordEvent(sql, organization.id, created);
  return viewCommission(left, organization.currency);
}

/** Throws `commission_exists` if the payment has a commission under a name that is not linked to this one yet. */
async function requireFreePayment(
  sql: Transaction,
  organizationId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const payment = await findCommissionsPayment(sql, organizationId, id);
  const created = payment?.commission_id ?? null;
  if (created !== null) throw commissionExists(created);
  const holder = await findHolder(sql, organizationId, name);
  if (holder !== id) throw commissionExists(holder);
}
