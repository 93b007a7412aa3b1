import { recruits } from "./recruits.ts";
import { tiers } from "./tiers.ts";

export const home = {
  recruits,
  tiers,

  // The next payout.
  next_payout: "Your next payout",
  balance: "Your balance",
  next_payout_on: (day: string) => `Your next payout on ${day}`,
  included: (day: string) => `You’ll be paid on ${day}.`,
  included_by_hand: (organization: string) => `You’ll be paid as soon as ${organization} starts a payout.`,
  below_minimum: (minimum: string) => `Payouts start at ${minimum}.`,
  below_minimum_missing: (missing: string) => `You need ${missing} more.`,
  negative:
    "Refunds of paid commissions are more than you’ve earned since. New earnings make up for them first.",
  carried_forward: (amount: string) =>
    `${amount} is carried forward. New earnings make up for it first. It includes:`,
  held: (day: string) => `Nothing will be paid on ${day}, because all of it will still be held.`,
  held_by_hand: "All of it is still held.",
  withheld: (organization: string) =>
    `${organization} has put your payouts on hold. Ask them when this will be paid.`,
  withheld_until: (day: string, organization: string) =>
    `Your payout email was changed. As a precaution, nothing will be paid until ${day} unless ${organization} releases it.`,
  rate_missing: (currency: string) =>
    `It can’t be converted to ${currency} yet, because no exchange rate is known. It stays due.`,
  paid_in: (amount: string, currency: string) =>
    `You’re paid in ${currency}: about ${amount} in total, at today’s exchange rates.`,
  about_today: (amount: string) => `About ${amount} today`,
  nothing: "You have nothing to be paid right now.",
  nothing_yet: "You haven’t earned anything yet.",
  due: "Due",
  held_label: "Held",
  held_hint: "Commissions are held for a few days in case a customer returns the purchase.",
  held_until: (day: string) => `Until ${day}`,
  held_and_later: (day: string) => `Until ${day} at the latest`,
  in_payout: "In payout",
  paid: "Paid so far",
  due_and_held: (due: string, waiting: string) => `${due} due, ${waiting} not due yet`,
  payouts_go_to: (email: string) => `Payouts go to ${email}.`,

  // The links and codes.
  share: "Your links and codes",
  link: "Your link",
  promo_code: "Your promo code",
  promo_code_pending: "Your promo code is being created. We’ll email you when customers can use it.",
  nothing_to_share: "You don’t have a link or a promo code yet. Ask the organization for one.",
  copy_link: "Copy link",
  qr: "QR code",
  qr_of: (url: string) => `QR code of ${url}`,
  download_qr: "Download as SVG",
  other_page: "Link to another page",
  page: (website: string) => `Page on ${website}`,
  page_example: (website: string) => `${website}/pricing`,
  page_invalid: "Enter the address of a page.",
  page_elsewhere: (website: string) =>
    `This page isn’t on ${website}. Only pages there can count clicks for you.`,
  sub_id: "Sub-id",
  sub_id_hint: "Your own label, such as newsletter or video-12. The results of each one appear below.",
  sub_id_invalid: "Use up to 64 letters, digits, dots, dashes, and underscores.",
  which_link: "Link",
  built: "Your link to this page",

  // The last days.
  last_days: "Last 30 days",
  clicks: "Unique clicks",
  signups: "Sign-ups",
  converted: "First sales",
  earned: "Earned",
  summary: (label: string, total: string) => `${label} by day, ${total} in total`,
  days_in: (time_zone: string) => `Days are in the ${time_zone} time zone.`,
  clicks_hint: "Each visitor counts once per link and hour. All sign-ups and first sales count.",
  no_clicks: "Share your link. Clicks appear here within a minute.",

  // The results of each sub-id.
  sub_ids: "By sub-id",
  no_sub_ids: "No clicks with a sub-id in the last 30 days. Add one to your link above.",
  sub_ids_hint: "Last 30 days, in UTC. Each visitor counts once per link and hour.",
  more_sub_ids: (count: number) => `The top ${count} are shown.`,

  // The newest commissions and adjustments.
  newest: "Recent earnings",
  all_earnings: "All earnings",
  no_commissions: "Your first commission will appear here as soon as a customer pays.",

  from: (organization: string) => `From ${organization}`,
  more: "Show all",
  less: "Show less",
};
