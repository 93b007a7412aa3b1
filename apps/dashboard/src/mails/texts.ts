import type { Frequency, Topic } from "./queries.ts";

export const texts = {
  title: "Notifications",
  hint: (email: string) =>
    `Your own settings for this organization. Emails go to ${email}. Security notices about your account are always sent.`,
  people: "Affiliates",
  money: "Payouts",
  developers: "Connections and webhooks",
  timing:
    "Immediately means within seconds. Daily means one email with all topics after 8 a.m. in the organization’s time zone, if anything is waiting.",
  bounded: "Immediately: at most one email in 15 minutes.",
  saved: "Notifications saved",
  topics: {
    applications: "Applications waiting for a decision",
    claims: "Missing sales reported by affiliates",
    payouts: "Failed payouts",
    payout_runs: "Payout runs waiting for my approval",
    connections: "Connection failures",
    endpoints: "Disabled webhook endpoints",
  } satisfies Record<Topic, string>,
  frequencies: {
    at_once: "Immediately",
    daily: "Daily",
    never: "Never",
  } satisfies Record<Frequency, string>,
};
