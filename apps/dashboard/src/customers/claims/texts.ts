import type { ClaimState } from "@findersfee/contract/customers/claims";
import { formatCount } from "@findersfee/ui/formats/counts";

export const texts = {
  title: "Claims",
  search: "Name, email, code",
  state: "State",
  states: { open: "Open", accepted: "Accepted", declined: "Declined" } satisfies Record<ClaimState, string>,
  affiliate: "Affiliate",
  customer: "Customer",
  reported: "Reported",
  paid_on: "Paid on",
  payment: "Payment",
  known: "Found when reported",
  unknown: "Not found when reported",
  erased: "Erased",
  nothing_yet: "No claims yet",
  nothing_yet_hint:
    "In the portal, affiliates can report a sale that earned them no commission. Each report appears here, with what is known about the customer.",
  how_sales_are_tracked: "How sales are tracked",
  nothing_matches: "No claims match",

  claim_of: (name: string) => `Missing sale reported by ${name}`,
  claim: "Report",
  note: "Evidence",
  campaign: "Campaign",
  others: "All claims of this affiliate",
  verdict: "What we found",
  decision: "Decision",
  decided_by: "Decided by",
  decided_at: "Decided",
  answer: "Answer",
  no_answer: "No answer",
  commission: "Commission",
  voided: "voided since",

  payments: "Payments of this customer",
  payments_most: (count: number) => `The latest ${formatCount(count)}.`,
  no_payments: (email: string) => `No payments from ${email} are known.`,
  no_payments_hint:
    "The customer may have paid with another email. Payments reported later appear here automatically.",
  by_hand: "Create a commission manually",
  near: "Around that day",
  evidence_of: (name: string) => `Evidence for ${name}`,
  no_evidence: (name: string) => `No click or promo code of ${name}.`,
  why: "Why",
  referral_of: "Referral of",
  nobody: "Nobody",

  move: "Move the customer…",
  credit: "Credit this payment…",
  accept: "Accept…",
  decline: "Decline…",
  cancel: "Cancel",
  close: "Close",
  keys_accept: "Accept the claim",
  keys_decline: "Decline the claim",
  accept_title: (name: string) => `Accept ${name}’s claim`,
  accept_payment: "For the payment",
  payment_choice: (day: string, amount: string) => `${day}, ${amount}`,
  checking: "Calculating the commission…",
  earns: (name: string) => `${name} earns`,
  becomes_referral: (email: string, name: string) =>
    `${email} becomes a referral of ${name} from this payment on, including later payments.`,
  extends_referral: (email: string, name: string) =>
    `${email} is already a referral of ${name}, and then counts from this payment on.`,
  changes: "Payments that change",
  accept_answer: "Answer",
  accept_answer_hint: (name: string) =>
    `${name} gets an email either way, and sees the answer in the portal.`,
  accept_confirm: (amount: string) => `Accept, ${amount}`,
  accept_wait: "Accept",
  accepted: (name: string, amount: string) => `${name} gets ${amount}`,
  recalculated: "The payment changed in the meantime. The amount below is up to date.",

  decline_title: (name: string) => `Decline ${name}’s claim`,
  decline_answer: "Reason",
  decline_answer_hint: (name: string) =>
    `${name} gets it by email, and sees it in the portal. Do not name other affiliates or customers.`,
  decline_confirm: "Decline",
  declined: "Claim declined",
  answer_missing: "Enter a reason for the affiliate.",

  decided_meanwhile: (who: string, state: "accepted" | "declined") =>
    state === "accepted" ? `${who} already accepted this claim` : `${who} already declined this claim`,
  decided_meanwhile_hint: "Your decision was not saved.",
  somebody: "Someone else",
};
