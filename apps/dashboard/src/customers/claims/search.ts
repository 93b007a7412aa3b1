import { isId, isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. */
export const readClaimSearch = searchReader({
  ...LIST_FIELDS,
  state: isOneOf(["open", "accepted", "declined"]),
  affiliate: isId,
});
