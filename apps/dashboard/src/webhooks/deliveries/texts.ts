import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Deliveries",
  search: "Event ID",
  state: "State",
  states: {
    failed: "Last attempt failed",
    pending: "Waiting",
    delivered: "Delivered",
    exhausted: "Failed",
    canceled: "Canceled",
  },
  type: "Event",
  error: "Error",
  event: "Event",
  occurred: "Occurred",
  attempts: "Attempts",
  result: "Last result",
  milliseconds: (milliseconds: number) => `${formatCount(milliseconds)} ms`,
  nothing_yet: "No deliveries yet",
  nothing_yet_hint:
    "The next event is sent to this endpoint right away. Send a test to check that it arrives.",
  disabled_hint: "The endpoint is disabled. Enable it to send new events to it.",
  nothing_matches: "No deliveries match",
  send_again: "Send again",
  sent_again: (count: number, skipped: number) =>
    `${count === 1 ? "1 delivery is" : `${formatCount(count)} deliveries are`} on the way${skipped === 0 ? "" : `; ${formatCount(skipped)} skipped`}`,
  send_all: "Send all failed again…",
  send_now: "Send now",
  next_failure: "Next failure",
  no_more_failures: "No more failures on this page",

  last_day: "Last 24 hours",
  day_sum: {
    delivered: (count: string) => `${count} delivered`,
    failed: (count: string) => `${count} failed`,
    retrying: (count: string) => `${count} retrying`,
  },
  sum: (count: number, is_cut: boolean) => `${formatCount(count)}${is_cut ? "+" : ""}`,

  tries_of: (count: number) => (count === 1 ? "1 attempt" : `${formatCount(count)} attempts`),
  next_try: "Next attempt",
  next_now: "Next attempt now",
};
