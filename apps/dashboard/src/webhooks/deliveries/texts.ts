const written = (count: number) => count.toLocaleString("en-US");

export const texts = {
  title: "Deliveries",
  search: "Event ID",
  state: "State",
  states: {
    failed: "Failed last time",
    pending: "Waiting",
    delivered: "Delivered",
    exhausted: "Given up",
    canceled: "Canceled",
  },
  type: "Event",
  error: "Error",
  event: "Event",
  occurred: "Occurred",
  attempts: "Tries",
  result: "Last result",
  milliseconds: (milliseconds: number) => `${written(milliseconds)} ms`,
  nothing_yet: "Nothing was sent yet",
  nothing_yet_hint:
    "The next event is posted to this endpoint at once. Send a test to see whether it arrives.",
  disabled_hint: "The endpoint is disabled. Enable it to send new events to it.",
  nothing_matches: "No delivery matches",
  send_again: "Send again",
  sent_again: (count: number, skipped: number) =>
    `${count === 1 ? "1 delivery is" : `${written(count)} deliveries are`} on the way${skipped === 0 ? "" : `; ${skipped} skipped`}`,
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
  sum: (count: number, is_cut: boolean) => `${written(count)}${is_cut ? "+" : ""}`,

  tries_of: (count: number) => (count === 1 ? "1 try" : `${written(count)} tries`),
  next_try: "Next try",
  next_now: "Next try now",
};
