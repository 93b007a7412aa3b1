import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  move_title: (email: string) => `Move ${email} to another affiliate`,
  move_confirm: "Move customer",
  move_nothing: (name: string) => `No past payments change. Future payments earn for ${name}.`,
  moved: (name: string) => `Customer moved to ${name}`,
  unpaid: "Also move commissions that are not in a payout",
  unpaid_hint: "Commissions in a payout stay with the current affiliate.",

  credit_title: "Credit an affiliate for this payment",
  credit_confirm: "Credit affiliate",
  credit_nothing: "No payments change.",
  credited: (name: string) => `${name} is credited`,
  past: "Also credit this customer’s earlier payments that earned nothing",
  email: "Customer’s email",
  email_hint: "A referral needs one, and the processor sent none.",

  stop_title: (email: string) => `Stop commissions for ${email}`,
  stop_hint:
    "Future payments earn nothing. Earlier commissions stay; void any that should not be paid.",
  stop_confirm: "Stop commissions",
  stop_nothing: "No past payments change. Future payments earn nothing.",
  stopped: "Commissions stopped",

  resume_title: (email: string) => `Resume commissions for ${email}`,
  resume_hint:
    "Payments made in between stay without a commission. To credit them too, undo the stop.",
  resume_confirm: "Resume commissions",
  resume_nothing: "No past payments change. Future payments earn again.",
  resumed: "Commissions resumed",

  undo_hint: "The result is as if this had never been done.",
  undo_nothing: "No payments change.",
  undone: "Undone",
  paid_title: (names: string) => `Payouts to ${names} include some of this`,
  paid_hint: "Commissions in a payout are reversed, so the next payouts are lower by that amount.",
  keep_paid: "To keep what was paid, move the customer back instead.",

  affiliate_missing: "Choose an affiliate.",
  reason: "Reason",
  reason_hint: "Only your team sees this.",
  reason_missing: "Enter a reason.",
  cancel: "Cancel",
  checking: "Calculating what changes…",
  changed: "Something changed in the meantime. The preview below is up to date.",
  preview: "What changes",
  balances: "Balances",
  payment: "Payment",
  now: "Now",
  afterwards: "After",
  manual: "Manual commission",
  more: (count: number) => (count === 1 ? "and 1 more" : `and ${formatCount(count)} more`),
};
