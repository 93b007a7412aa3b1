import { isId, isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

/** The parameters of the queue of reviews. */
export const readReviewSearch = searchReader({ ...LIST_FIELDS, affiliate: isId, campaign: isId });

/** The parameters of the queue of affiliates. */
export const readFlaggedSearch = searchReader(LIST_FIELDS);

export type FlaggedSearch = ReturnType<typeof readFlaggedSearch>;

/** The list's parameters in the address. */
export const readCommissionSearch = searchReader({
  ...LIST_FIELDS,
  status: isOneOf(["in_review", "held", "due", "pending", "paid", "voided"]),
  affiliate: isId,
  campaign: isId,
  payout: isId,
  kind: isOneOf(["reversals", "others"]),
});
