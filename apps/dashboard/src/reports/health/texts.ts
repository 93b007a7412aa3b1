import { formatCount, formatCountBelow } from "@findersfee/ui/formats/counts";

const KINDS: Record<string, string> = {
  inbound_webhooks: "Inbound webhooks",
  lookups: "Processor lookups",
  promo_codes: "Promo codes",
  mails: "Emails",
  payout_runs: "Payout runs",
  reviews: "Approvals of commissions",
  replays: "Replays",
  jobs: "Tasks",
  totals: "Totals",
  tiers: "Tiers",
};

const rows = (count: number) => (count === 1 ? "1 row" : `${formatCount(count)} rows`);

export const texts = {
  title: "Health",
  stepped_back: "The database went back to an older state. Nothing is written or delivered.",
  stepped_back_since: "Since",
  stepped_back_guide: "What to do",
  ledger: "Ledger",
  ledger_hint:
    "Recomputes every commission, balance and payout from the ledger’s entries, and lists each row that differs.",
  never_checked: "Not checked yet. Workers check it every night.",
  nightly: "Nightly check",
  nightly_failed: "The last nightly check was not completed",
  checking: (done: number, all: number) => `Checking: ${formatCount(done)} of ${formatCount(all)} rules`,
  adds_up: (rules: number) => `Adds up: ${formatCount(rules)} rules hold`,
  broken: (count: number) => `${rows(count)} ${count === 1 ? "does" : "do"} not add up`,
  warnings: (count: number) => `${rows(count)} to review`,
  failed: "The check failed",
  canceled: "The check was canceled",
  checked_by: (name: string) => `by ${name}`,
  check_now: "Check now",
  started: "Checking the ledger",
  findings: "Rows that do not add up",
  more: (count: number) => `and ${formatCount(count)} more: run findersfee verify ledger`,
  report: "Keep the database as it is, and ask for help with these rows. Amounts are in minor units.",
  mails: "Emails",
  mails_hint: "The mail server rejected these permanently. Fix the cause, then send them again.",
  mails_waiting: (count: number, until: string) =>
    `${formatCount(count)} ${count === 1 ? "email waits" : "emails wait"} until ${until}`,
  mails_waiting_hint:
    "Today’s quota of emails to people who have not agreed yet is used up: member invitations, and emails to affiliates you added. They are sent at midnight UTC. The operator of the service can raise the quota.",
  no_mails: "No rejected emails.",
  mails_unknown: "Emails wait until a worker runs.",
  mail_setup: {
    local: "No mail server is set: emails are shown here instead",
    no_mail_server: "Emails are not sent: no mail server is set",
    no_public_url: "Emails with links are not sent: the service does not know its address",
  },
  mail_setup_hint: {
    local:
      "That is enough to try things out on this machine. To send emails, set SMTP_URL, MAIL_FROM and PUBLIC_URL.",
    no_mail_server:
      "Set SMTP_URL, MAIL_FROM and PUBLIC_URL for the worker and restart it. Until then, nobody gets a code or a link.",
    no_public_url: "Set PUBLIC_URL for the worker and restart it. Until then, nobody gets a code or a link.",
  },
  guide: "How to set it up",
  unsent: (count: number) =>
    `${formatCountBelow(count, 1000)} ${count === 1 ? "email was" : "emails were"} not sent`,
  unsent_since: "the first one",
  local_mails: "Emails on this machine",
  local_mails_hint:
    "Owners and admins see them here, with codes and links, because the service runs on this machine alone, without a mail server. They are gone after a restart.",
  no_local_mails: "No emails since the service started.",
  mail_to: "to",
  mail_text: "Text",
  no_worker: "No worker is running",
  no_worker_hint:
    "Webhooks, emails and payouts wait. Start one: findersfee worker, or findersfee start for the whole service.",
  no_address: "No address",
  send_again: "Send again",
  send_all_again: "Send all again",
  sent_again: (count: number) =>
    count === 1 ? "Sending 1 email again" : `Sending ${formatCount(count)} emails again`,
  queues: "Background work",
  queues_hint:
    "Work that is due but not done. If it waits for more than a minute, workers are busy or stopped.",
  nothing_waits: "Nothing is waiting.",
  kind: (kind: string) => KINDS[kind] ?? kind.replaceAll("_", " "),
  since: "waiting since",
  webhooks: "Webhooks",
  webhooks_hint: "Inbound webhooks that could not be processed, and endpoints that reject deliveries.",
  all_well: "Everything is processed and delivered.",
  dead_lettered: (count: number, most: number) =>
    `${formatCountBelow(count, most)} inbound ${count === 1 ? "webhook" : "webhooks"} could not be processed`,
  failing: (count: number) =>
    count === 1 ? "1 endpoint is failing" : `${formatCount(count)} endpoints are failing`,
  show: "Show",
  replicas: "Read replicas",
  replicas_hint:
    "Copies of the database that answer what people look at. The primary answers what they cannot.",
  replica: (number: number | null, state: string) =>
    number === null ? `The replica ${state}` : `Replica ${number} ${state}`,
  replica_states: {
    used: "is in use",
    late: "is not used: it is too far behind the primary",
    unreachable: "is not used: it does not answer",
    not_standby: "is not used: it is a primary, not a replica",
    other_database: "is not used: it is a copy of another database",
  },
  replica_lag: (seconds: number) => `${formatCount(seconds)} s behind`,
  replica_guide: "How to set it up",
  exchange_rates: "Exchange rates",
  exchange_rates_hint: "Fixed commissions are converted at the reference rate of the payment’s day.",
  currency_settings: "Currency settings",
};
