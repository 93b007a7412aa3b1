import { PERFORMANCE_FIELDS } from "@findersfee/ui/performance/fields";
import { isId, isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

const isTag = (value: string): boolean => value.length <= 40 && value.trim() !== "" && !value.includes(",");

/** The list's parameters in the address. */
export const readAffiliateSearch = searchReader({
  ...LIST_FIELDS,
  status: isOneOf(["waiting", "active", "declined", "banned", "left"]),
  agreement: isOneOf(["agreed", "open", "disowned"]),
  campaign: isId,
  tag: isTag,
  tier: isId,
  balance: isOneOf(["owed"]),
  sort: isOneOf(["earned", "unpaid", "clicks"]),
});

/** Reads the address of the applications' page. */
export const readWaitingSearch = searchReader({ campaign: isId, open: isId });

/** The parts of an affiliate's page. */
export const AFFILIATE_TABS = [
  "performance",
  "codes",
  "referrals",
  "commissions",
  "payments",
  "ledger",
  "history",
] as const;

export const readAffiliateTab = searchReader({
  ...PERFORMANCE_FIELDS,
  tab: isOneOf(AFFILIATE_TABS),
  after: LIST_FIELDS.after,
  before: LIST_FIELDS.before,
  rows: LIST_FIELDS.rows,
});
