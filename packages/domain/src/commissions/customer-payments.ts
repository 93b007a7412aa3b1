import { nameOf } from "@findersfee/contract/affiliates/name";
import {
  type CustomerPayments,
  type CustomerPaymentsInput,
  MAX_OFFERED,
} from "@findersfee/contract/commissions/manual";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import { listPaymentRows } from "@findersfee/database/attribution/list-payment-rows";
import { viewPaymentRow } from "../attribution/list-rows.ts";
import type { Context } from "../context.ts";
import { findClaimedCustomer } from "../customers/claims/customer.ts";
import { requireAffiliate } from "../require-affiliate.ts";

/** The payments that processors reported of a customer, and the other affiliate who has the customer. Errors: `not_found`. */
export async function listCustomerPayments(
  context: Context,
  { affiliate_id, customer_email: email }: CustomerPaymentsInput,
): Promise<CustomerPayments> {
  const { database, organization } = context;
  await requireAffiliate(context, affiliate_id);
  const customer = await findClaimedCustomer(database, organization.id, { email, affiliate_id, lock: false });
  const { customer_id, referrals } = customer;
  const [other] = referrals.filter((referral) => referral.affiliate_id !== affiliate_id);
  const [holder] =
    other === undefined ? [] : await findAffiliates(database, organization.id, [other.affiliate_id]);
  const rows =
    customer_id === null
      ? []
      : await listPaymentRows(database, organization.id, {
          filter: {
            text: {
              prefix: "",
              matches: { customer_ids: [customer_id], referral_ids: [], affiliate_ids: [], decision_ids: [] },
            },
          },
          range: { after: null, before: null, limit: MAX_OFFERED },
        });
  return {
    holder:
      other === undefined || holder === undefined
        ? null
        : { referral_id: other.id, affiliate_id: holder.id, name: nameOf(holder) },
    payments: rows.map((row) => {
      const { customer_email: _email, remaining: _remaining, ...shown } = viewPaymentRow(row);
      const is_free = row.commission_id === null && row.outcome !== "commission_exists";
      return { ...shown, is_free };
    }),
  };
}
