import { isOneOf, LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. Its position names a message, and ids of messages may be long. */
export const readMessageSearch = searchReader({
  ...LIST_FIELDS,
  after: (value: string) => value.length <= 600,
  state: isOneOf(["parked", "received", "done", "skipped"]),
  processor: isOneOf(["stripe", "generic"]),
  type: (value: string) => /^[a-z_.]{1,80}$/.test(value),
});
