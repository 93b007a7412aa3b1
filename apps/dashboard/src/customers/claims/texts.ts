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
  known: "Known when reported",
  unknown: "Unknown when reported",
  erased: "Erased",
  nothing_yet: "No claims yet",
  nothing_yet_hint:
    "Affiliates can report a sale for which they got no commission in their portal. Each report appears here, beside what is known of the customer.",
  how_sales_are_tracked: "How sales are tracked",
  nothing_matches: "No claim matches",

  claim_of: (name: string) => `Missing sale of ${name}`,
  claim: "Report",
  note: "Evidence",
  campaign: "Campaign",
  others: "All claims of this affiliate",
  verdict: "What the facts say",
  decision: "Decision",
  decided_by: "Decided by",
  decided_at: "Decided",
  answer: "Answer",
  no_answer: "Without an answer",
  commission: "Commission",
  voided: "voided since",

  payments: "Payments of this customer",
  payments_most: (count: number) => `The latest ${formatCount(count)}.`,
  no_payments: (email: string) => `No payment of ${email} is known.`,
  no_payments_hint:
    "It may have been made with another address. A payment that is reported later appears here by itself.",
  by_hand: "Create a commission by hand",
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
  accept_title: (name: string) => `Accept the claim of ${name}`,
  accept_payment: "For the payment",
  payment_choice: (day: string, amount: string) => `${day}, ${amount}`,
  checking: "Calculating the commission…",
  earns: (name: string) => `${name} earns`,
  becomes_referral: (email: string, name: string) =>
    `${email} becomes a referral of ${name} from this payment on, also for later payments.`,
  extends_referral: (email: string, name: string) =>
    `${email} is a referral of ${name} already, and then counts from this payment on.`,
  changes: "Payments that change",
  accept_answer: "Answer",
  accept_answer_hint: (name: string) =>
    `${name} gets an email either way, and sees the answer in the portal.`,
  accept_confirm: (amount: string) => `Accept, ${amount}`,
  accept_wait: "Accept",
  accepted: (name: string, amount: string) => `${name} gets ${amount}`,
  recalculated: "The payment has changed meanwhile. The amount below is the new one.",

  decline_title: (name: string) => `Decline the claim of ${name}`,
  decline_answer: "Reason",
  decline_answer_hint: (name: string) =>
    `${name} gets it by email, and sees it in the portal. Do not name other affiliates or customers.`,
  decline_confirm: "Decline",
  declined: "The claim is declined",
  answer_missing: "Write a reason for the affiliate.",

  decided_meanwhile: (who: string, state: "accepted" | "declined") =>
    state === "accepted"
      ? `${who} has accepted this claim meanwhile`
      : `${who} has declined this claim meanwhile`,
  decided_meanwhile_hint: "Nothing that you did here was saved.",
  somebody: "Somebody else",
};
