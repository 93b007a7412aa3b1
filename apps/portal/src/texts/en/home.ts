export const home = {
  // The next payout.
  next_payout: "Your next payout",
  balance: "Your balance",
  next_payout_on: (day: string) => `Your next payout on ${day}`,
  included: (day: string) => `This is paid on ${day}.`,
  included_by_hand: (organization: string) => `This is paid as soon as ${organization} starts a payout.`,
  below_minimum: (minimum: string) => `This waits: payouts start at ${minimum}.`,
  below_minimum_missing: (missing: string) => `${missing} more is missing.`,
  negative:
    "Refunds of paid commissions exceed what you have earned since. Later earnings make up for it first.",
  carried_forward: (amount: string) =>
    `${amount} is carried forward: later earnings make up for it first. It includes:`,
  held: (day: string) => `Nothing is paid on ${day}: all of it is still held then.`,
  held_by_hand: "All of it is still held.",
  withheld: (organization: string) =>
    `${organization} has put your payouts on hold. Ask them when this is paid.`,
  withheld_until: (day: string, organization: string) =>
    `Your payout email was changed. As a precaution, nothing is paid until ${day}, unless ${organization} releases it.`,
  nothing: "Nothing is waiting to be paid.",
  nothing_yet: "You have not earned anything yet.",
  due: "Due",
  held_label: "Held",
  held_hint: "Commissions are held for some days, in case a customer returns the purchase.",
  held_until: (day: string) => `Until ${day}`,
  held_and_later: (day: string) => `Until ${day} at the latest`,
  in_payout: "On its way",
  paid: "Paid so far",
  due_and_held: (due: string, held: string) => `${due} due, ${held} held`,
  payouts_go_to: (email: string) => `Payouts go to ${email}.`,

  // The links and codes.
  share: "What you share",
  link: "Your link",
  promo_code: "Your promo code",
  promo_code_pending: "Your promo code is being created. You get an email as soon as customers can use it.",
  nothing_to_share: "You have no link and no promo code yet. Ask the organization for one.",
  copy_link: "Copy link",
  qr: "QR code",
  qr_of: (url: string) => `QR code of ${url}`,
  download_qr: "Download as SVG",
  other_page: "Link to another page",
  page: (website: string) => `A page of ${website}`,
  page_example: (website: string) => `${website}/pricing`,
  page_invalid: "This is not the address of a page.",
  page_elsewhere: (website: string) =>
    `This page is not on ${website}: only its pages can count clicks for you.`,
  sub_id: "Sub-id",
  sub_id_hint: "A name of your own, such as newsletter or video-12. You see below what each one brings.",
  sub_id_invalid: "Use letters, digits, dots, dashes and underscores, at most 64.",
  which_link: "Link",
  built: "Your link to this page",

  // The last days.
  last_days: "Last 30 days",
  clicks: "Unique clicks",
  signups: "Sign-ups",
  converted: "First sales",
  earned: "Earned",
  summary: (label: string, total: string) => `${label} by day, ${total} in all`,
  days_in: (time_zone: string) => `Days in the time zone ${time_zone}.`,
  clicks_hint: "Each visitor counts once for a link and hour. Sign-ups and first sales all count.",
  no_clicks: "Share your link. Clicks show here within a minute.",

  // What each sub-id brought.
  sub_ids: "By sub-id",
  no_sub_ids: "No clicks with a sub-id in the last 30 days. Add one to your link above.",
  sub_ids_hint: "Last 30 days, by days of UTC. Each visitor counts once for a link and hour.",
  more_sub_ids: (count: number) => `The ${count} that brought most are shown.`,

  // The newest commissions and adjustments.
  newest: "Newest earnings",
  all_earnings: "All earnings",
  no_commissions: "Your first commission will show here as soon as a customer pays.",

  from: (organization: string) => `From ${organization}`,
  more: "Show all",
  less: "Show less",
};
