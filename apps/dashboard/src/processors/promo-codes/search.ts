import { isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. */
export const readPromoCodeSearch = searchReader({
  after: LIST_FIELDS.after,
  rows: LIST_FIELDS.rows,
  state: isOneOf(["failed"]),
});
