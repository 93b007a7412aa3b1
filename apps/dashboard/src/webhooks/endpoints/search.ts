import { isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. */
export const readEndpointSearch = searchReader({
  text: LIST_FIELDS.text,
  state: isOneOf(["ok", "failing", "disabled"]),
});
