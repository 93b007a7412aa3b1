import type { AffiliateState } from "@findersfee/contract/affiliate-rows";

export const texts = {
  title: "Affiliates",
  search: "Email, name, code",
  affiliate: "Affiliate",
  campaign: "Campaign",
  status: "Status",
  states: { waiting: "Waiting", active: "Active", declined: "Declined", banned: "Banned" } satisfies Record<
    AffiliateState,
    string
  >,
  clicks: "Clicks",
  referrals: "Referrals",
  converted: "Converted",
  earned: "Earned",
  due: "Due",
  joined: "Joined",
  count: (count: number) => count.toLocaleString("en-US"),
  count_or_more: (count: number) => `${count.toLocaleString("en-US")}+`,
  more_currencies: (count: number) => `+${count}`,
  nothing_yet: "Nobody has joined yet",
  nothing_yet_hint: "Create affiliates through the API, or let them join through the form of a campaign.",
  how_to_create: "How to create affiliates",
  nothing_matches: "No affiliate matches",
};
