import { findPromoCodesCustomers } from "@findersfee/database/attribution/candidates";
import { findCustomerKeys, mergeCustomers } from "@findersfee/database/attribution/facts";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { AffiliateRow, ReferralRow } from "@findersfee/database/rows";
import type { OrganizationContext } from "../context.ts";
import { leadCommissionOf } from "./decide/lead.ts";
import { referralKeys } from "./facts/fact-names.ts";
import { recordLeads } from "./write/leads.ts";
import { loadFacts } from "./write/load-facts.ts";
import { type AttributionResult, persistOutcomes } from "./write/persist.ts";
import type { TouchedReferral } from "./write/touched-referral.ts";

/** Attributes customers again, and writes the differences from the stored outcomes. `cause` is for the ledger. */
export async function reattributeCustomers(
  sql: Transaction,
  organization: OrganizationContext,
  {
    customer_ids,
    cause,
    created = [],
  }: {
    customer_ids: string[];
    cause: string;
    /** Referrals of these customers that were just created, with their leads. */
    created?: readonly TouchedReferral[];
  },
): Promise<AttributionResult> {
  const facts = await loadFacts(sql, organization.id, customer_ids);
  return await persistOutcomes(sql, organization, {
    facts,
    new_facts: new Set(),
    causeOf: () => cause,
    created,
  });
}

/**
 * Combines customers into one, and attributes it again, after a person reported that the names of a referral
 * belong to them. The caller holds the organization's lock.
 */
export async function uniteCustomers(
  sql: Transaction,
  organization: OrganizationContext,
  { customers, cause }: { customers: string[]; cause: string },
): Promise<void> {
  const [oldest, ...others] = customers.toSorted();
  if (oldest === undefined) return;
  if (others.length > 0) {
    await mergeCustomers(sql, organization.id, new Map(others.map((id) => [id, oldest])));
  }
  await reattributeCustomers(sql, organization, { customer_ids: [oldest], cause });
}

/**
 * Creates a referral for a customer who may already have payments: sign-ups are often reported shortly after the
 * payment. Decides these payments again in the same transaction, and about the sign-up.
 */
export async function createAndReattribute(
  sql: Transaction,
  organization: OrganizationContext,
  {
    email,
    processor_customer_id,
    affiliate,
    cause,
    makeReferral,
  }: {
    email: string;
    processor_customer_id: string | null;
    affiliate: AffiliateRow;
    /** The source of changed commissions, for the ledger. */
    cause: string;
    makeReferral: () => Promise<ReferralRow>;
  },
): Promise<void> {
  // Locked before the referral, in the same order as the workers: a report that they are processing counts here, or finds the referral.
  await lockPayments(sql, organization.id);
  const known = await findCustomerKeys(sql, organization.id, referralKeys({ email, processor_customer_id }));
  const pays_sign_ups = leadCommissionOf(affiliate, "signup") !== undefined;
  const made = await makeReferral();
  const none = { attributed_by: null, moved_from: null, replaced_at: null };
  const referral = { ...made, affiliate_id: affiliate.id, ...none };
  const { signup_date } = made;
  const sign_up = { kind: "signup", reference: null, occurred_at: signup_date };
  const created = pays_sign_ups
    ? [{ referral, since: signup_date, is_new: true, new_leads: [sign_up], overrides: null, cause }]
    : [];
  const customer_ids = [...new Set(known.values())];
  // Together, since the referral may replace another one, and take the place of its sign-up in the affiliate's limit of the day.
  if (known.size > 0) await reattributeCustomers(sql, organization, { customer_ids, cause, created });
  else if (pays_sign_ups) await recordLeads(sql, organization, created);
}

/**
 * Decides again about customers who used promotion codes of the processor before these were linked to an affiliate. The
 * caller holds the organization's lock.
 */
export async function reattributePromoCodes(
  sql: Transaction,
  organization: OrganizationContext,
  external_ids: string[],
): Promise<void> {
  const customer_ids = await findPromoCodesCustomers(sql, organization.id, external_ids);
  if (customer_ids.length > 0) {
    const cause = `promotion code ${external_ids.join(", ")}`;
    await reattributeCustomers(sql, organization, { customer_ids, cause });
  }
}
