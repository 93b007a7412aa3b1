import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Messages",
  search: "Message ID",
  state: "State",
  states: { parked: "Failed", received: "Waiting", done: "Processed", skipped: "Skipped" },
  type: "Type",
  processor: "From",
  processors: { stripe: "Stripe", generic: "Other billing system" },
  id: "ID",
  reason: "Reason",
  occurred: "Occurred",
  received: "Received",
  nothing_yet: "No messages yet",
  nothing_yet_hint: "Messages from your payment processor appear here, with their results.",
  connect: "Connect a processor",
  nothing_matches: "No messages match",
  dead_lettered: (count: number) =>
    count === 1 ? "1 message failed" : `${formatCount(count)} messages failed`,
  dead_lettered_hint:
    "They could not be read, or failed too often. Payments may be missing until they are processed.",
  show_dead_lettered: "View failed",
  rerun_all: (count: number) => `Rerun ${formatCount(count)} failed`,
  rerun_asked: (count: number) =>
    count === 1
      ? "1 message is being processed again"
      : `${formatCount(count)} messages are being processed again`,

  rerun: "Rerun",
  rerun_done: "The message is being processed again",
  about: "Message",
  body: "Body as received",
  body_for_admins: "Only admins and owners see the body: some messages contain secrets.",
  marked: "The highlighted field is the reason.",
  came_by: "Received via",
  ways: {
    webhook: "Webhook",
    reconciliation: "Reconciliation: it was missed",
    lookup: "Lookup in the processor’s API",
  },
  account: "Connected account",
  attempts: "Failed attempts",
  next_attempt: "Next attempt",
  decisions: "Results",
  no_decisions: {
    done: "It reports no payment.",
    received: "Not processed yet.",
    skipped: "It does not affect commissions.",
    parked: "Nothing yet: it failed.",
  },
};
