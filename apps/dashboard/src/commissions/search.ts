import { isId, isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

/** The list's parameters in the address. */
export const readCommissionSearch = searchReader({
  ...LIST_FIELDS,
  status: isOneOf(["held", "due", "pending", "paid", "voided"]),
  affiliate: isId,
  campaign: isId,
  payout: isId,
  kind: isOneOf(["reversals", "others"]),
});
