import { formatCount } from "@findersfee/ui/formats/counts";
import { state_words } from "./state-words.ts";

export const texts = {
  title: "Commissions",
  all_adjustments: "All adjustments",
  adjustments_of_affiliate: "This affiliate’s adjustments",
  adjustments_of_payout: "Adjustments in this payout",
  search: "Name, email, code, payment ID",
  date: "Date",
  affiliate: "Affiliate",
  customer: "Customer",
  revenue: "Revenue",
  commission: "Commission",
  rule: "Rule",
  status: "Status",
  payment_id: "Payment",
  campaign: "Campaign",
  payout: "Payout",
  new: "New commission",
  kind: "Kind",
  kinds: { reversals: "Reversals", others: "Without reversals" },
  states: state_words,
  held_until: "Held until",
  due_since: "Due since",
  paid_in: (month: string) => `Paid, ${month}`,
  pending_in: (month: string) => `${month} payout`,
  manual: "Manual",
  reversal: "Reversal",
  of_recruit: (percent: number, name: string) => `${percent}% of ${name}’s`,
  by_product: "By product",
  first_payment: (rate: string) => `${rate}, first payment`,
  capped: (rate: string) => `${rate}, capped`,
  locked: "It is in a payout and can no longer be changed.",
  void: "Void…",
  void_confirm: "Void",
  void_title: (count: number) =>
    count === 1 ? "Void this commission" : `Void ${formatCount(count)} commissions`,
  void_hint: "It is not paid. You can restore it until it is in a payout.",
  reason: "Reason",
  reason_hint: "Your team sees it in the history.",
  restore: "Restore",
  restore_many: (count: number) => `Restore ${formatCount(count)} commissions`,
  voided: (count: number) =>
    count === 1 ? "1 commission voided" : `${formatCount(count)} commissions voided`,
  keep: "Keep voided",
  release: "Follow the payment",
  kept: (count: number) =>
    count === 1 ? "It stays voided" : `${formatCount(count)} commissions stay voided`,
  released: (count: number) =>
    count === 1
      ? "It follows its payment again"
      : `${formatCount(count)} commissions follow their payments again`,
  restored: (count: number) =>
    count === 1 ? "1 commission restored" : `${formatCount(count)} commissions restored`,
  undo: "Undo",
  nothing_yet: "No commissions yet",
  nothing_yet_hint: "A commission appears here as soon as a referred customer pays.",
  see_payments: "View payments",
  nothing_matches: "No commissions match",
  bad_amount: "Enter an amount, such as 49.00.",
};
