import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Messages",
  search: "Message ID",
  state: "State",
  states: { parked: "Dead-lettered", received: "Waiting", done: "Processed", skipped: "Skipped" },
  type: "Type",
  processor: "From",
  processors: { stripe: "Stripe", generic: "Another biller" },
  id: "ID",
  reason: "Reason",
  occurred: "Occurred",
  received: "Received",
  nothing_yet: "No message has arrived yet",
  nothing_yet_hint: "Messages of your payment processor appear here as they arrive, with their results.",
  connect: "Connect a processor",
  nothing_matches: "No message matches",
  dead_lettered: (count: number) =>
    count === 1 ? "1 message is dead-lettered" : `${formatCount(count)} messages are dead-lettered`,
  dead_lettered_hint:
    "They could not be read, or failed too often. Payments may be missing until they are processed.",
  show_dead_lettered: "Show them",
  rerun_all: (count: number) => `Rerun ${formatCount(count)} dead-lettered`,
  rerun_asked: (count: number) =>
    count === 1
      ? "1 message is being processed again"
      : `${formatCount(count)} messages are being processed again`,

  rerun: "Rerun",
  rerun_done: "The message is being processed again",
  about: "Message",
  body: "Body as received",
  body_for_admins: "Admins of your organization can see the body: processors put secrets into some messages.",
  marked: "The marked field is the reason.",
  came_by: "Came by",
  ways: {
    webhook: "Webhook",
    reconciliation: "Reconciliation: it had been missed",
    lookup: "Lookup at the processor’s API",
  },
  account: "Connected account",
  attempts: "Failed attempts",
  next_attempt: "Next attempt",
  decisions: "What it led to",
  no_decisions: {
    done: "It reports no payment.",
    received: "It has not been processed yet.",
    skipped: "It was of no use for commissions.",
    parked: "Nothing yet: it is dead-lettered.",
  },
};
