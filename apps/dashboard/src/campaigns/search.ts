import { LIST_FIELDS, searchReader } from "../lists/search.ts";

/** The list's parameters in the address. */
export const readCampaignSearch = searchReader(LIST_FIELDS);
