import { formatCount } from "@findersfee/ui/formats/counts";

const commissions = (count: number) => (count === 1 ? "1 commission" : `${formatCount(count)} commissions`);

export const review_texts = {
  title: "Review",
  reasons: "In review because",
  since: "Since",
  approves_itself: "Auto-approval",
  never: "No",
  approve: "Approve",
  reject: "Reject…",
  reject_confirm: "Reject",
  approved: (count: number) => `${commissions(count)} approved`,
  rejected: (count: number) => `${commissions(count)} rejected`,
  approve_title: (count: number) => `Approve ${commissions(count)}`,
  reject_title: (count: number) => (count === 1 ? "Reject this commission" : `Reject ${commissions(count)}`),
  reject_hint:
    "What you reject is voided and not paid, even if its payment is reported again. You can approve it later.",
  reason: "Reason",
  reason_hint: "Your team sees it in the history. The affiliate does not.",
  evidence: "Signs of fraud",
  costs: "What it costs",
  parts: "Review by",
  by_commission: "Commissions",
  by_affiliate: "Affiliates with signs of fraud",
  commissions: "Commissions",
  newest_only: "Only the newest 1,000 commissions of each affiliate",
  no_affiliates: "No affiliates with signs of fraud",
  no_affiliates_hint: "Affiliates are here while unpaid commissions have a sign of fraud.",
  waiting: (count: number) => `${formatCount(count)} in review`,
  only_flagged: (count: number) => `${formatCount(count)} only flagged`,
  nothing_to_decide: "These are only flagged. Nothing waits for a decision.",
  loses: (name: string) => `${name} loses`,
  costs_recruiters: "What it costs recruiters",
  loses_as_recruiter: (name: string) => `${name} loses as recruiter`,
  recruiters_lose: "Recruiters lose their share, too.",
  others: (count: number) =>
    count === 1 ? "and 1 more affiliate" : `and ${formatCount(count)} more affiliates`,
  reason_names: {
    campaign_reviews_all: "All of the campaign",
    first_of_affiliate: "First of the affiliate",
    above_amount: "Above the amount",
    other_currency: "Other currency",
    "signal:shared_domain": "Shared domain",
    "signal:disposable_email": "Disposable email",
    "signal:shared_payout_email": "Shared payout email",
    "signal:paid_search": "Ad",
    "signal:listed_referrer": "Listed site",
    "signal:shared_network": "Shared network",
    "signal:shared_card": "Shared card",
    "signal:many_clicks": "Many clicks",
    "signal:many_signups": "Many sign-ups",
    "signal:many_refunds": "Many refunds",
  } as Record<string, string>,
  decided_by: (name: string) => `by ${name}`,
  automatic: "automatically",
  empty: "Nothing to review",
  empty_hint: "Commissions wait here if their campaign asks for a review.",
  nothing_matches: "No commissions match",
  see_campaigns: "View campaigns",
};

/** A reason for a review as the screens name it. */
export function reasonName(reason: string): string {
  return review_texts.reason_names[reason] ?? reason.replaceAll("_", " ");
}
