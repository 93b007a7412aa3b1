import { isId, isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. */
export const readClaimSearch = searchReader({
  text: LIST_FIELDS.text,
  after: LIST_FIELDS.after,
  before: LIST_FIELDS.before,
  rows: LIST_FIELDS.rows,
  state: isOneOf(["open", "accepted", "declined"]),
  affiliate: isId,
});
