import { LIST_FIELDS, searchReader } from "../../lists/search.ts";

/** The list's parameters in the address. The list of types would be loaded with every page. */
export const readEventSearch = searchReader({
  ...LIST_FIELDS,
  type: (value: string) => /^[a-z_.]{1,40}$/.test(value),
});
