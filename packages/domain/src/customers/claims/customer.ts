import type { ClaimObstacle } from "@findersfee/contract/customers/claims";
import {
  type AttributedReferralRow,
  findCustomersReferrals,
} from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { listCustomerKeys } from "@findersfee/database/attribution/list-payment-rows";
import type { Connection } from "@findersfee/database/postgres/connect";
import { emailKey } from "../../attribution/facts/fact-names.ts";

/** The customer with the address of a claim. */
export interface ClaimedCustomer {
  /** Null: no processor reported anyone with this address. */
  customer_id: string | null;
  /** The ids that processors gave the customer. */
  processor_ids: string[];
  /** The referrals of the customer, other affiliates' before the claim's. */
  referrals: AttributedReferralRow[];
}

export async function findClaimedCustomer(
  sql: Connection,
  organizationId: string,
  { email, affiliate_id, lock }: { email: string; affiliate_id: string; lock: boolean },
): Promise<ClaimedCustomer> {
  const known = await findCustomerKeys(sql, organizationId, [emailKey(email)]);
  const customer_id = known.get(emailKey(email)) ?? null;
  const keys = customer_id === null ? [] : await listCustomerKeys(sql, organizationId, customer_id);
  const processor_ids = namesOf(keys, "customer:");
  const referrals = await findCustomersReferrals(sql, organizationId, {
    emails: [...new Set([email, ...namesOf(keys, "email:")])],
    customer_ids: processor_ids,
    attributed_by: [],
    ids: [],
    lock,
  });
  const is_own = (referral: AttributedReferralRow) => Number(referral.affiliate_id === affiliate_id);
  return { customer_id, processor_ids, referrals: referrals.sort((a, b) => is_own(a) - is_own(b)) };
}

function namesOf(keys: readonly string[], kind: string): string[] {
  return keys.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));
}

/** Why an affiliate's claim cannot be accepted for a payment; null: nothing is known to prevent it. */
export function obstacleOf(
  payment: { outcome: string; affiliate_id: string | null },
  { affiliate_id, referrals }: { affiliate_id: string; referrals: readonly AttributedReferralRow[] },
): ClaimObstacle | null {
  if (payment.outcome === "commission") {
    return payment.affiliate_id === affiliate_id ? "earned_by_affiliate" : "earned_by_other";
  }
  if (payment.outcome === "commission_exists") return "manual_commission";
  const is_taken = referrals.some((referral) => referral.affiliate_id !== affiliate_id);
  return is_taken ? "customer_of_other" : null;
}
