import { isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The filter for all deliveries with a failed last attempt: those that wait for another, and those that ended. */
export const FAILED = "failed";

/** Checks only the form of event types and error codes: the lists of them would be loaded with every page. */
const isName = (value: string): boolean => /^[a-z_.]{1,40}$/.test(value);

/** The list's parameters in the address. */
export const readDeliverySearch = searchReader({
  ...LIST_FIELDS,
  state: isOneOf([FAILED, "pending", "delivered", "exhausted", "canceled"]),
  type: isName,
  error: isName,
});
