import type { CommissionState } from "@findersfee/contract/commissions/rows";
import type { EarningsSearch } from "./queries.ts";

/** The states of the list's filter, in their order. */
export const STATES: readonly CommissionState[] = ["in_review", "held", "due", "pending", "paid", "voided"];

/** Reads the filter and the page from the address. Unknown values count as absent. */
export function readSearch(query: string): EarningsSearch {
  const parameters = new URLSearchParams(query);
  const state = STATES.find((known) => known === parameters.get("state"));
  const after = parameters.get("after");
  const before = parameters.get("before");
  return {
    ...(state === undefined ? {} : { state }),
    ...(after ? { after } : before ? { before } : {}),
  };
}

export function addressOf(search: EarningsSearch): string {
  const query = new URLSearchParams({ ...search }).toString();
  return query === "" ? "/earnings" : `/earnings?${query}`;
}
