import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  move_title: (email: string) => `Move ${email} to another affiliate`,
  move_confirm: "Move customer",
  move_nothing: (name: string) => `No payment changes now. Payments from now on earn for ${name}.`,
  moved: (name: string) => `The customer is ${name}’s now`,
  unpaid: "Take along commissions that are not in a payout",
  unpaid_hint: "Commissions that are in a payout stay with the present affiliate.",

  credit_title: "Credit an affiliate for this payment",
  credit_confirm: "Credit affiliate",
  credit_nothing: "Nothing changes.",
  credited: (name: string) => `${name} is credited`,
  past: "Also this customer’s earlier payments that earned nothing",
  email: "Customer’s email",
  email_hint: "The processor reported none, and a referral needs one.",

  stop_title: (email: string) => `Stop ${email} from earning`,
  stop_hint:
    "Payments from now on earn nothing. Earlier commissions stay: void those that should not be paid.",
  stop_confirm: "Stop customer",
  stop_nothing: "No payment changes now. Payments from now on earn nothing.",
  stopped: "The customer is stopped",

  resume_title: (email: string) => `Let payments of ${email} earn again`,
  resume_hint:
    "Payments of the time in between stay without a commission. To have them earn as well, undo the stop.",
  resume_confirm: "Resume customer",
  resume_nothing: "No payment changes now. Payments from now on earn again.",
  resumed: "Payments of the customer earn again",

  undo_hint: "Everything is as if it had never been decided.",
  undo_nothing: "No payment changes.",
  undone: "Undone",
  paid_title: (names: string) => `Payouts to ${names} have some of this`,
  paid_hint: "Commissions in a payout are reversed, so that the next payouts are lower by that amount.",
  keep_paid: "To leave what was paid, move the customer back instead.",

  affiliate_missing: "Choose an affiliate.",
  reason: "Reason",
  reason_hint: "Only your team sees this.",
  reason_missing: "Write a reason.",
  cancel: "Cancel",
  checking: "Calculating what changes…",
  changed: "Something has changed meanwhile. What you see below is new.",
  preview: "What changes",
  balances: "Balances",
  payment: "Payment",
  now: "Now",
  afterwards: "Afterwards",
  manual: "Manual commission",
  more: (count: number) => (count === 1 ? "and 1 more" : `and ${formatCount(count)} more`),
};
