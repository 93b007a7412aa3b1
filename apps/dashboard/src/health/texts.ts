const KINDS: Record<string, string> = {
  inbound_webhooks: "Inbound webhooks",
  lookups: "Look-ups at processors",
  promo_codes: "Promo codes",
  mails: "Mails",
  payout_runs: "Payout runs",
  replays: "Replays",
  jobs: "Tasks",
  totals: "Totals",
};

const MAILS: Record<string, string> = {
  affiliate_approved: "Approval of an affiliate",
  affiliate_declined: "Refusal of an affiliate",
  new_paid_referral: "New paid referral",
  payout_paid: "Payout paid",
  payouts_failed: "Payouts failed",
  endpoint_disabled: "Webhook disabled",
  invitation: "Invitation",
  password_reset: "New password",
  email_confirmation: "Confirmation of an email",
};

const rows = (count: number) => (count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`);

export const texts = {
  title: "Health",
  ledger: "Ledger",
  ledger_hint:
    "Recomputes every commission, balance and payout from its entries, and names each row that differs.",
  never_checked: "Nobody has checked it yet.",
  checking: (done: number, all: number) => `Checking: ${done} of ${all} rules`,
  adds_up: (rules: number) => `Adds up: ${rules} rules hold`,
  broken: (count: number) => `${rows(count)} do not add up`,
  warnings: (count: number) => `${rows(count)} to look at`,
  failed: "The check failed",
  canceled: "The check was canceled",
  checked_by: (name: string) => `by ${name}`,
  check_now: "Check now",
  started: "Checking the ledger",
  findings: "Rows that do not add up",
  more: (count: number) => `and ${count.toLocaleString("en-US")} more: run findersfee verify ledger`,
  report: "Keep the database as it is, and ask for help with these rows. Amounts are in minor units.",
  mails: "Mails",
  mails_hint: "The mail server refused these for good. Repair the cause, then send them again.",
  no_mails: "All mails were accepted.",
  kind_of_mail: (kind: string) => MAILS[kind] ?? kind.replaceAll("_", " "),
  no_address: "No address",
  send_again: "Send again",
  send_all_again: "Send all again",
  sent_again: (count: number) => (count === 1 ? "1 mail is sent again" : `${count} mails are sent again`),
  queues: "Waiting work",
  queues_hint:
    "What is due and no worker has done yet. More than a minute means that workers are busy or stopped.",
  nothing_waits: "Nothing waits.",
  kind: (kind: string) => KINDS[kind] ?? kind.replaceAll("_", " "),
  since: "since",
  webhooks: "Webhooks",
  webhooks_hint: "What came in and could not be processed, and what went out and was refused.",
  all_well: "All webhooks arrive and leave.",
  parked: (count: number, most: number) =>
    `${count >= most ? `${most} or more` : count} inbound ${count === 1 ? "webhook" : "webhooks"} could not be processed`,
  failing: (count: number) => (count === 1 ? "1 endpoint fails" : `${count} endpoints fail`),
  show: "Show",
};
