import type { NotificationTopic } from "@findersfee/contract/mails";

/** The words of a topic in mails, and its page. */
interface TopicWords {
  /** The waiting items, as a sentence without its end. */
  summary: (count: number) => string;
  /** The same in a list of topics. */
  short: (count: number) => string;
  /** The subject of mails about it, after "about". */
  about: string;
  link: string;
  /** Below the organization's address in the dashboard. */
  path: string;
}

const counted = (one: string, several: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${several}`;

export const TOPIC_WORDS: Record<NotificationTopic, TopicWords> = {
  applications: {
    summary: counted("application is waiting for a decision", "applications are waiting for a decision"),
    short: counted("application", "applications"),
    about: "applications",
    link: "Review applications",
    path: "/affiliates/waiting",
  },
  claims: {
    summary: counted("missing sale is waiting for a decision", "missing sales are waiting for a decision"),
    short: counted("missing sale", "missing sales"),
    about: "missing sales",
    link: "Review missing sales",
    path: "/claims",
  },
  connections: {
    summary: counted("connection failure needs your attention", "connection failures need your attention"),
    short: counted("connection failure", "connection failures"),
    about: "failed connections",
    link: "Open connections",
    path: "/connections",
  },
  endpoints: {
    summary: counted("webhook endpoint is disabled", "webhook endpoints are disabled"),
    short: counted("disabled endpoint", "disabled endpoints"),
    about: "disabled webhook endpoints",
    link: "Open webhook endpoints",
    path: "/developers/webhooks",
  },
  payouts: {
    summary: counted("payout failed", "payouts failed"),
    short: counted("failed payout", "failed payouts"),
    about: "failed payouts",
    link: "Open payouts",
    path: "/payouts",
  },
  payout_runs: {
    summary: counted("payout run is waiting for your approval", "payout runs are waiting for your approval"),
    short: counted("payout run", "payout runs"),
    about: "payout runs waiting for approval",
    link: "Review payout runs",
    path: "/payouts",
  },
};

/** The mails that a member turns off together: those about a topic, or the daily one. */
export function kindOfMails(about: NotificationTopic | "digest"): string {
  return about === "digest" ? "the daily email" : `emails about ${TOPIC_WORDS[about].about}`;
}
