import type { PayoutDetail } from "@findersfee/contract/payouts/rows";
import type { PayoutPreview } from "@findersfee/contract/payouts/runs";
import { status_words } from "./status-words.ts";

type Method = PayoutDetail["method"];

export const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${many}`;

export const texts = {
  title: "Payouts",
  lists: "Lists of payouts",
  runs: "Runs",
  all_payouts: "All payouts",
  month: "Month",
  state: "State",
  payouts: "Payouts",
  amount: "Amount",
  progress: "Progress",
  started: "Started",
  by: (name: string) => `by ${name}`,
  running: "Running",
  awaiting_payment: "Awaiting payment",
  completed: "Completed",
  counts: (parts: readonly string[]) => parts.join(" · "),
  paid_count: (count: number) => `${count.toLocaleString("en-US")} paid`,
  failed_count: (count: number) => `${count.toLocaleString("en-US")} failed`,
  open_count: (count: number) => `${count.toLocaleString("en-US")} open`,
  unchanged_count: (count: number) => `${count.toLocaleString("en-US")} unchanged`,
  skipped_count: (count: number) => `${count.toLocaleString("en-US")} skipped`,
  nothing_yet: "No payout runs yet",
  no_payouts_yet: "No payouts yet",
  nothing_yet_hint: "A run creates a payout for each affiliate with enough due.",
  nothing_matches: "No payout matches",
  preview: "Preview the next run",

  next_run: "Next run",
  next_run_of: (month: string) => `Next run, ${month}`,
  next_pays: (payouts: string) => `The next run makes ${payouts}`,
  /** An affiliate in two currencies has two payouts. */
  payouts_to: (payouts: number, affiliates: number) =>
    `${counted(payouts, "payout", "payouts")} to ${counted(affiliates, "affiliate", "affiliates")}`,
  row_for_each_currency: "An affiliate has a row in each currency.",
  next_pays_nobody: "No affiliate has enough due to be paid",
  starts_on: (day: string, time_zone: string) => `Starts automatically on ${day} (${time_zone}).`,
  starts_by_hand: "No payout day is set, so an admin starts each run.",
  started_this_month: (month: string) => `The ${month} run has started.`,
  for_next_month: "The amounts below are for the next run. You can start a further one this month.",
  show_run: "View run",
  as_of: "as of",

  parts: {
    included: "Will be paid",
    held: "Held",
    below_minimum: "Below minimum",
    negative: "Negative",
    withheld: "Left out",
  } satisfies Record<PayoutPreview["outcome"], string>,
  part_hints: {
    included: "",
    held: "in the holding period",
    below_minimum: "carried forward",
    negative: "deducted first",
    withheld: "until somebody releases it",
  } satisfies Record<PayoutPreview["outcome"], string>,
  minimum: (amount: string) => `under ${amount}`,
  affiliates: (count: number) => counted(count, "affiliate", "affiliates"),
  all: "All",
  parts_label: "Parts of the preview",
  search_affiliate: "Affiliate’s name, email or code",
  currency: "Currency",
  affiliate: "Affiliate",
  to: "To",
  pays_to: "Payout email",
  will_get: "Amount",
  /** Commissions, reversals and adjustments. */
  lines: "Lines",
  stays_back: "Not included",
  no_payout_email: "No payout email is set, so the sign-in email is used.",
  sign_in_email: "sign-in email",
  held_until: "held until",
  below: (minimum: string) => `below ${minimum} minimum`,
  banned: "banned",
  left_out: (reason: string, is_stale: boolean) =>
    `left out${is_stale ? ", ban ended" : ""}${reason === "" ? "" : `: ${reason}`}`,
  leave_out: "Leave out…",
  leave_out_title: (count: number) => `Leave out ${counted(count, "affiliate", "affiliates")}`,
  leave_out_hint:
    "Runs do not pay them, and files for providers do not have them, until somebody releases them. The portal says that their payouts are on hold.",
  leave_out_reason: "Reason",
  leave_out_reason_hint: "For your team. The affiliates do not see it.",
  leave_out_missing: "Say why.",
  leave_out_submit: "Leave out",
  left_out_done: (count: number) => `${counted(count, "affiliate is", "affiliates are")} left out`,
  release: "Release",
  released: (count: number) =>
    count === 0
      ? "None of these was left out"
      : `${counted(count, "affiliate is", "affiliates are")} paid again`,
  due_but_negative: "owed by the affiliate, deducted first",
  nobody_unpaid: "Nothing to pay",
  nobody_unpaid_hint: "Affiliates appear here as soon as they have unpaid earnings.",
  no_affiliate_matches: "No affiliate matches",
  nothing_due: "Nothing is due to it now.",

  start: "Start the run…",
  pay_selected: "Pay only these…",
  start_title: (run: string) => `Start the ${run}`,
  start_hint: (payouts: string, amounts: string) =>
    `It creates ${payouts}: ${amounts}. Money moves when you send the files.`,
  start_chosen: "Only the chosen affiliates are paid, and minimums do not apply.",
  start_once: "The run pays exactly this. Anything due later goes into the next one.",
  start_nothing: "Nobody has enough due to be paid.",
  method: "Method",
  how_paid: "How they are paid",
  methods: { manual: "Manual", paypal: "PayPal", wise: "Wise" } satisfies Record<Method, string>,
  method_hints: {
    manual: "Files for both providers are available; mark payouts as paid yourself.",
    paypal: "Upload a file to PayPal Payouts, and import its report.",
    wise: "Upload a file to Wise batch payments, and import its export.",
  } satisfies Record<Method, string>,
  type_sum: (amount: string) => `Type ${amount} to confirm`,
  wrong_sum: (amount: string) => `That is not ${amount}.`,
  start_now: "Start the run",
  run_started: (run: string) => `The ${run} started`,
  already_started: (run: string, name: string) => `${name} had already started the ${run}`,

  run_of: (month: string, number: number) => (number === 1 ? `${month} run` : `${month} run ${number}`),
  chosen_count: (count: number) => `only ${counted(count, "chosen affiliate", "chosen affiliates")}`,
  creating: "Payouts are being created",
  creating_hint: (count: number) => `${counted(count, "payout", "payouts")} so far. You can leave this page.`,
  nobody_due: "Nobody had enough due when the run started.",
  failed_back: "The amounts of failed payouts are unpaid again and go into the next run.",
  search_payout: "Affiliate, payout ID or reference",
  status: "Status",
  statuses: status_words,
  any_open: "Open",
  updated: "Updated",
  locked: "It is final.",
  no_payouts: "This run has no payouts",
  no_payouts_hint: "Nobody had enough due when it started.",

  service: "the payout day",
};
