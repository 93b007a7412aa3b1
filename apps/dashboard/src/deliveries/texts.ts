import type { AttemptErrorCode } from "@findersfee/contract/deliveries";

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
  send_all_title: "Send all failed deliveries again",
  send_all_hint:
    "Sends every delivery in this view again if its last attempt failed. Deliveries that fail from now on are not included.",
  send_all_now: "Send them",
  sending: (count: number) => `Sending… ${written(count)} are on the way`,
  send_stopped: (count: number) =>
    count === 0
      ? "Nothing was sent"
      : `${written(count)} ${count === 1 ? "delivery is" : "deliveries are"} on the way. The rest was not sent.`,
  send_rest: "Send the rest",
  cancel: "Cancel",
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

  close: "Back to the list",
  choose: "Delivery",
  tries: "Attempts",
  tries_of: (count: number) => (count === 1 ? "1 try" : `${written(count)} tries`),
  no_attempts: "Not attempted yet.",
  old_attempts: "Attempts are kept for 30 days.",
  next_try: "Next try",
  next_now: "Next try now",
  answer: "Answer",
  no_answer: "The last attempt got no body.",
  sent: "Sent",
  views: "Parts of the delivery",
  headers: "Headers",
  headers_hint: "Of the last attempt. The signature covers the ID, the timestamp and the body.",
  signed_with: "v1,… one for each valid secret",
  hidden_value: "value hidden",
  verify: "Verify",
  gone: "There is no such delivery, or it is older than 90 days.",
  advice: {
    timeout: "The receiver did not answer in time. Answer first, and work afterwards.",
    dns: "The host has no address. Check the name and its DNS records.",
    tls: "The certificate was refused. Check its date, its names, and that the chain is complete.",
    proxy:
      "The service’s own proxy failed. The operator can help; the attempt does not count against the endpoint.",
    refused: "Nothing listens at that address, or a firewall refuses.",
    reset: "The receiver closed the connection before it answered.",
    blocked_address: "The host resolves to a private or reserved address, where webhooks are not sent.",
    bad_response: "What answered does not speak HTTP.",
    http_status: "Only a status from 200 to 299 counts as arrived. The body of the answer often says why.",
  } satisfies Record<AttemptErrorCode, string>,
};
