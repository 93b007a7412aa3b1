import type { SeriesName, Unit } from "./search.ts";

const number = new Intl.NumberFormat("en-US");

export const texts = {
  title: "Overview",
  filters: "What is shown",
  periods: {
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
    "365d": "Last 12 months",
  } as Record<string, string>,
  show_period: (name: string) => `Show: ${name.toLowerCase()}`,
  own_period: "Other days…",
  compare: "Compare to previous period",
  all_campaigns: "All campaigns",
  count: (value: number) => number.format(value),

  needs_you: "Needs you",
  no_worker: "No worker is running: webhooks, emails and payouts wait",
  slow_workers: "Background work waits: workers are busy or stuck",
  waits_since: "since",
  mail_delivery: {
    local: "No mail server is set: emails are shown under Health instead",
    no_mail_server: "Emails are not sent: set SMTP_URL, MAIL_FROM and PUBLIC_URL",
    no_public_url: "Emails with links are not sent: set PUBLIC_URL",
  },
  unsent: (count: string, is_one: boolean) => (is_one ? "1 was dropped" : `${count} were dropped`),
  codes_without_key: (count: string, is_one: boolean) =>
    is_one
      ? "1 promo code does not exist at Stripe: store an API key, so that it is created"
      : `${count} promo codes do not exist at Stripe: store an API key, so that they are created`,
  missing_events: (count: number) =>
    count === 1
      ? "The endpoint at Stripe lacks 1 type of event: add it there"
      : `The endpoint at Stripe lacks ${number.format(count)} types of events: add them there`,
  unchecked_events: "The endpoint at Stripe could not be checked",
  silent_campaign: (name: string) => `No click in “${name}” yet: does its website have the script?`,
  set_up: "Set up",
  check: "Check",
  /** For those who may decide nothing. */
  waits: "Waiting for a decision",
  nothing_waits: "Nothing waits.",
  nothing_needed: "Nothing needs you.",
  applications: (count: string, is_one: boolean) =>
    is_one ? "1 application waits for a decision" : `${count} applications wait for a decision`,
  claims: (count: string, is_one: boolean) =>
    is_one
      ? "1 claim of a missing sale waits for a decision"
      : `${count} claims of missing sales wait for a decision`,
  oldest: "the oldest",
  review: "Review",
  failing: (host: string) => `${host} fails`,
  since: "since",
  pending: (count: string, is_one: boolean) => (is_one ? "1 delivery waits" : `${count} deliveries wait`),
  repair: "Repair",
  look: "Look",
  hosts: {
    portal: {
      unproven: (host: string) => `The TXT record of the portal's host name ${host} is gone`,
      served_until: "the portal is served there until",
      not_served: "the portal is no longer served there",
    },
    link: {
      unproven: (host: string) => `The TXT record of the links' host name ${host} is gone`,
      served_until: "links work there until",
      not_served: "links no longer work there",
    },
  },
  mails_waiting: (count: string, is_one: boolean) =>
    `Today’s quota of emails to people who have not agreed is used up: ${is_one ? "1 email waits" : `${count} emails wait`}`,
  until: "until",
  dead_lettered: (count: string, is_one: boolean) =>
    is_one ? "1 inbound webhook could not be processed" : `${count} inbound webhooks could not be processed`,
  promo_codes: (count: string, is_one: boolean) =>
    is_one
      ? "1 promo code could not be created at Stripe"
      : `${count} promo codes could not be created at Stripe`,
  due: (amounts: string, affiliates: string, is_one: boolean) =>
    `${amounts} due to ${is_one ? "1 affiliate" : `${affiliates} affiliates`}`,
  next_run: (day: string, time_zone: string) => `next run on ${day} (${time_zone})`,
  no_run: "no run is planned",
  stale_holds: (count: string, is_one: boolean) =>
    is_one
      ? "1 affiliate is left out of payout runs, though its ban has ended"
      : `${count} affiliates are left out of payout runs, though their bans have ended`,
  owed_to_erased: (count: string, is_one: boolean) =>
    is_one
      ? "1 erased affiliate is owed money that nobody can be paid: void it"
      : `${count} erased affiliates are owed money that nobody can be paid: void it`,
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
  unit: "Points",
  units: { day: "Day", week: "Week", month: "Month" } satisfies Record<Unit, string>,
  summary: (total: string, before: string | null) =>
    before === null ? `${total} in all.` : `${total} in all, ${before} in the period before.`,
  zone: (zone: string, currency: string | null) =>
    currency === null ? `Days in ${zone}.` : `Days in ${zone}. Amounts in ${currency}.`,
  years: (first: string, last: string) => `${first} to ${last}. `,
  no_totals: "Nothing has happened in these days.",

  money: "Where the money is",
  held: "Held",
  held_hint: "Earned, and within the holding period",
  balance_due: "Due",
  in_payout: "In payouts",
  no_money: "No affiliate has a balance.",

  without: "Payments without a commission",
  all_payments: "All payments",
  no_payments: "Every payment of these days earned a commission, or none came.",
  fix: "Fix",
  why: "Why",

  top: "Top affiliates",
  top_hint: "By revenue",
  performance: "Performance",
  no_top: "No affiliate had revenue in these days.",
  all_affiliates: "All affiliates",
  nameless: "Without a name",
};
