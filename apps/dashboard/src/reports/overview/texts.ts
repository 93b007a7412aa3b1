import type { SeriesName, Unit } from "./search.ts";

const number = new Intl.NumberFormat("en-US");

export const texts = {
  title: "Overview",
  filters: "Filters",
  periods: {
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
    "365d": "Last 12 months",
  } as Record<string, string>,
  show_period: (name: string) => `Show: ${name.toLowerCase()}`,
  own_period: "Custom range…",
  compare: "Compare to previous period",
  all_campaigns: "All campaigns",
  count: (value: number) => number.format(value),

  needs_you: "Needs attention",
  no_worker: "No worker is running: webhooks, emails and payouts wait",
  slow_workers: "Background work waits: workers are busy or stuck",
  waits_since: "since",
  ledger_damage: (count: string, is_one: boolean) =>
    is_one ? "1 row of the ledger does not add up" : `${count} rows of the ledger do not add up`,
  checked: "checked",
  mail_delivery: {
    local: "No mail server is set: emails are shown under Health instead",
    no_mail_server: "Emails are not sent: set SMTP_URL, MAIL_FROM and PUBLIC_URL",
    no_public_url: "Emails with links are not sent: set PUBLIC_URL",
  },
  unsent: (count: string, is_one: boolean) => (is_one ? "1 was dropped" : `${count} were dropped`),
  codes_without_key: (count: string, is_one: boolean) =>
    is_one
      ? "1 promo code does not exist at Stripe: add an API key to create it"
      : `${count} promo codes do not exist at Stripe: add an API key to create them`,
  missing_events: (count: number) =>
    count === 1
      ? "The Stripe endpoint is missing 1 event type: add it there"
      : `The Stripe endpoint is missing ${number.format(count)} event types: add them there`,
  unchecked_events: "The Stripe endpoint could not be checked",
  silent_campaign: (name: string) => `No clicks in “${name}” yet: check that its website has the script`,
  set_up: "Set up",
  check: "Check",
  /** For those who may decide nothing. */
  waits: "Waiting for a decision",
  nothing_waits: "Nothing waits.",
  nothing_needed: "Nothing needs attention.",
  applications: (count: string, is_one: boolean) =>
    is_one ? "1 application waits for a decision" : `${count} applications wait for a decision`,
  claims: (count: string, is_one: boolean) =>
    is_one
      ? "1 claim of a missing sale waits for a decision"
      : `${count} claims of missing sales wait for a decision`,
  reviews: (count: string, is_one: boolean) =>
    is_one ? "1 commission waits for a review" : `${count} commissions wait for a review`,
  oldest: "the oldest",
  review: "Review",
  failing: (host: string) => `${host} is failing`,
  since: "since",
  pending: (count: string, is_one: boolean) => (is_one ? "1 delivery waits" : `${count} deliveries wait`),
  repair: "Repair",
  look: "View",
  hosts: {
    portal: {
      unproven: (host: string) => `The TXT record of the portal domain ${host} is missing`,
      served_until: "the portal is served there until",
      not_served: "the portal is no longer served there",
      unreachable: (host: string) => `The portal does not answer at ${host}`,
    },
    link: {
      unproven: (host: string) => `The TXT record of the link domain ${host} is missing`,
      served_until: "links work there until",
      not_served: "links no longer work there",
      unreachable: (host: string) => `Links at ${host} do not answer`,
    },
  },
  unreachable_hint: "check its DNS, its certificate and the reverse proxy",
  mails_waiting: (count: string, is_one: boolean) =>
    `Today’s quota of emails to people who have not agreed is used up: ${is_one ? "1 email waits" : `${count} emails wait`}`,
  until: "until",
  stale_rates: "Exchange rates are out of date",
  missing_rates: "Exchange rates are missing",
  payments_wait: (count: string, is_one: boolean) =>
    is_one ? "1 payment waits for them" : `${count} payments wait for them`,
  dead_lettered: (count: string, is_one: boolean) =>
    is_one ? "1 inbound webhook could not be processed" : `${count} inbound webhooks could not be processed`,
  promo_codes: (count: string, is_one: boolean) =>
    is_one
      ? "1 promo code could not be created at Stripe"
      : `${count} promo codes could not be created at Stripe`,
  due: (amounts: string, affiliates: string, is_one: boolean) =>
    `${amounts} due to ${is_one ? "1 affiliate" : `${affiliates} affiliates`}`,
  next_run: (day: string, time_zone: string) => `next run on ${day} (${time_zone})`,
  no_run: "no run is scheduled",
  stale_holds: (count: string, is_one: boolean) =>
    is_one
      ? "1 affiliate is left out of payout runs, although the ban has ended"
      : `${count} affiliates are left out of payout runs, although their bans have ended`,
  owed_to_erased: (count: string, is_one: boolean) =>
    is_one
      ? "1 erased affiliate has money due that cannot be paid: void it"
      : `${count} erased affiliates have money due that cannot be paid: void it`,
  preview: "Preview",

  series: {
    revenue: "Revenue",
    commission: "Commissions",
    clicks: "Clicks",
    signups: "Sign-ups",
    conversions: "Conversions",
  } satisfies Record<SeriesName, string>,
  totals: "Totals",
  from: (before: string) => `from ${before}`,
  unit: "Interval",
  units: { day: "Day", week: "Week", month: "Month" } satisfies Record<Unit, string>,
  summary: (total: string, before: string | null) =>
    before === null ? `${total} in total.` : `${total} in total, ${before} in the period before.`,
  zone: (zone: string, currency: string | null) =>
    currency === null ? `Days in ${zone}.` : `Days in ${zone}. Amounts in ${currency}.`,
  years: (first: string, last: string) => `${first} to ${last}. `,
  no_totals: "Nothing happened in this period.",

  money: "Where the money is",
  held: "Held",
  held_hint: "Earned, in the holding period or in review",
  balance_due: "Due",
  in_payout: "In payout",
  no_money: "No affiliate has a balance.",
  all_currencies: (sum: string, missing: readonly string[]) =>
    missing.length === 0
      ? `${sum} in all currencies, at today’s exchange rates`
      : `${sum} at today’s exchange rates, without ${missing.join(", ")}, whose rates are not known`,

  without: "Payments without a commission",
  all_payments: "All payments",
  no_payments: "Every payment in this period earned a commission, or there were none.",
  fix: "Fix",
  why: "Why",

  top: "Top affiliates",
  top_hint: "By revenue",
  performance: "Performance",
  no_top: "No affiliate had revenue in this period.",
  all_affiliates: "All affiliates",
  nameless: "No name",
};
