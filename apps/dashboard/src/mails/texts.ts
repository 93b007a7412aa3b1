import type { Frequency, Topic } from "./queries.ts";

export const texts = {
  title: "Notifications",
  hint: (email: string) =>
    `Your own choice, for this organization. Emails go to ${email}. Notices about the security of your account are always sent.`,
  people: "Affiliates",
  money: "Payouts",
  developers: "Connections and webhooks",
  timing:
    "At once means within seconds. Daily means one email with all topics after 8 a.m. in the organization’s time zone, if something waits.",
  bounded: "At once is at most one email in 15 minutes.",
  saved: "Notifications saved",
  topics: {
    applications: "Applications that wait for a decision",
    claims: "Missing sales that affiliates report",
    payouts: "Failed payouts",
    payout_runs: "Payout runs that wait for my approval",
    connections: "Failures of connections",
    endpoints: "Disabled webhook endpoints",
  } satisfies Record<Topic, string>,
  frequencies: {
    at_once: "At once",
    daily: "Daily",
    never: "Never",
  } satisfies Record<Frequency, string>,
};
