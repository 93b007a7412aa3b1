import { isId, isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

/** The list's parameters in the address. */
export const readAffiliateSearch = searchReader({
  ...LIST_FIELDS,
  status: isOneOf(["waiting", "active", "declined", "banned"]),
  campaign: isId,
});
