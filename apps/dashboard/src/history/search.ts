import { isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";
import { RESOURCES } from "./texts.ts";

const ACTOR = /^(user|key) [0-9a-f-]{36}$|^operator$/;

/** The parameters in the address: `thing` is an id, `by` an actor. */
export const readHistorySearch = searchReader({
  ...LIST_FIELDS,
  kind: isOneOf(Object.keys(RESOURCES)),
  thing: (value) => value.length <= 100,
  by: (value) => ACTOR.test(value),
});
