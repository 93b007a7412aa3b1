import { isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

const ACTOR = /^(user|key) [0-9a-f-]{36}$|^operator$/;

/** The parameters in the address: `thing` is an id, `by` an actor, or the person of security events. */
export const readHistorySearch = searchReader({
  ...LIST_FIELDS,
  // Their names would be code of every page, because the routes import this.
  kind: (value) => /^[a-z_]{1,40}$/.test(value),
  thing: (value) => value.length <= 100,
  by: (value) => ACTOR.test(value),
  part: isOneOf(["security"]),
});
