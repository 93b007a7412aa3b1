import { formatCount } from "@findersfee/ui/formats/counts";

const number = new Intl.NumberFormat("en-US");

export const texts = {
  title: "Campaigns",
  add: "New campaign",
  search: "Name",
  name: "Name",
  default: "Default",
  rate: "Commission",
  limits: {
    months: (count: number) => (count === 1 ? "1 month" : `${formatCount(count)} months`),
    payments: (count: number) => (count === 1 ? "1 payment" : `${formatCount(count)} payments`),
  },
  mode: "Method",
  modes: { link: "Link", coupon: "Promo code", both: "Both" },
  affiliates: "Affiliates",
  waiting: "Applications",
  applications: (count: number) => (count === 1 ? "application" : "applications"),
  revenue: "Revenue, 30 days",
  count: (value: number) => number.format(value),
  nothing_yet: "No campaigns yet",
  nothing_yet_hint: "A campaign sets what affiliates earn, for how long, and which page their links open.",
  nothing_matches: "No campaigns match",

  campaign: "Campaign",
};
