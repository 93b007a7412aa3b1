import { formatCount } from "@findersfee/ui/formats/counts";

/** The screens of backtests. */
export const texts = {
  try: "Try on past payments",
  try_hint: "Decides the last payments again with these settings, and changes nothing.",
  months: "Period",
  period_of: (months: number) => `Last ${months} months`,
  title: "Try on past payments",
  back: "Back to the settings",
  loading: "Loading the result",
  from: "Payments since",
  running: "Deciding past payments again…",
  progress: (done: number, total: number | null) =>
    total === null
      ? `${formatCount(done)} payments`
      : `${formatCount(done)} of ${formatCount(Math.max(done, total))} payments`,
  cancel: "Cancel",
  canceled: "Canceled",
  canceled_hint: "Start it again from the settings.",
  failed: "The payments could not be decided again",
  retrying: "The last attempt failed. It is tried again.",
  none: "No payments of this campaign in this period",
  none_hint: "There is nothing to compare. Choose a longer period.",
  changed: (changed: number, payments: number) =>
    changed === 0
      ? `None of ${formatCount(payments)} payments would be decided differently`
      : `${formatCount(changed)} of ${formatCount(payments)} payments would be decided differently`,
  cost: "Commissions by month",
  cost_caption: (currency: string) => `In ${currency}, net of refunds, by the month of the payment in UTC.`,
  cost_summary: (before: string, after: string) => `${after} with these settings, ${before} as it was.`,
  before: "As it was",
  after: "With these settings",
  difference: "Difference",
  affiliate: "Affiliate",
  losing: "Affiliates who lose most",
  gaining: "Affiliates who gain most",
  nobody: "None",
  reviews: "Commissions that wait for a review",
  currency: "Currency",
  waiting: (count: number, sum: string) => (count === 0 ? "None" : `${formatCount(count)} · ${sum}`),
  examples: "Payments with the largest differences",
  payment: "Payment",
  unrecorded: (key: string, since: string | null) =>
    since === null
      ? `The metadata key ${key} has not been recorded yet, so rules that name it match none of these payments.`
      : `The metadata key ${key} has been recorded since ${since}. Rules that name it match no earlier payments.`,
  without_interval: (count: number) =>
    `${formatCount(count)} payments have lines of an unknown billing interval, which rules for intervals do not match.`,
  incomplete: "Not everything was recorded",
};
