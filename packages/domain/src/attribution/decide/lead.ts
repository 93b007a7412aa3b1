import type { LeadOutcome } from "@findersfee/contract/tracking/lead-outcomes";
import type { LeadTermsRow } from "@findersfee/database/attribution/leads";
import type { AffiliateRow, LeadCommissionRow } from "@findersfee/database/rows";
import { isSameAddress } from "../facts/emails.ts";

/** A lead when an affiliate first has it. */
export interface CapturedLead {
  kind: string;
  occurred_at: Date;
  currency: string;
  /** The customer's. */
  email: string;
  /** When the referral began to count. */
  since: Date;
}

/** The campaign's commission for a kind of lead of an affiliate; undefined: none. */
export function leadCommissionOf(
  { campaign }: Pick<AffiliateRow, "campaign">,
  kind: string,
): LeadCommissionRow | undefined {
  return campaign.lead_commissions.find((paid) => paid.kind === kind);
}

/**
 * Why a lead earns an affiliate nothing, apart from the daily limit; null: it earns. `currency` is the
 * organization's, the one of fixed amounts.
 */
export function refuseLead(
  { kind, occurred_at, currency, email, since }: CapturedLead,
  affiliate: Pick<AffiliateRow, "campaign" | "approved" | "banned" | "email">,
  fixed_currency: string,
): Exclude<LeadOutcome, "commission"> | null {
  if (leadCommissionOf(affiliate, kind) === undefined) return "no_lead_commission";
  if (currency !== fixed_currency) return "fixed_amount_other_currency";
  if (affiliate.banned) return "affiliate_banned";
  if (!affiliate.approved) return "affiliate_unapproved";
  if (isSameAddress(email, affiliate.email)) return "self_referral";
  return occurred_at < since ? "before_referral" : null;
}

/**
 * The amount that a lead earns now: by the terms of the time when its affiliate first had it, and by the
 * known facts about its referral since. The terms do not ask whether it happened before the referral, since
 * reports arrive in any order.
 */
export function decideLead(
  { refusal }: Pick<LeadTermsRow, "refusal">,
  {
    is_replaced,
    is_stopped,
    is_unpaid,
    is_early,
  }: {
    is_replaced: boolean;
    is_stopped: boolean;
    /** The campaign of the affiliate who first had a sign-up does not pay for it. */
    is_unpaid: boolean;
    is_early: boolean;
  },
): string {
  if (is_replaced) return "referral_withdrawn";
  if (is_stopped) return "customer_stopped";
  if (is_unpaid) return "no_lead_commission";
  if (is_early && (refusal === null || refusal === "daily_limit_reached")) return "before_referral";
  return refusal ?? "commission";
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The day of a time (UTC), until its end. */
export function dayOf(at: Date): { since: Date; until: Date } {
  const since = Math.floor(at.getTime() / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  return { since: new Date(since), until: new Date(since + DAY_MILLISECONDS) };
}
