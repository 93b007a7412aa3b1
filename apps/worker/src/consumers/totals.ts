import type { Database } from "@findersfee/database/connect";
import { sealTotals } from "@findersfee/domain/totals/seal";
import type { Consumer } from "../work/consumer.ts";

/** The first turn of an organization sums up all its rows; the API needs the other cores of the database. */
const AT_ONCE = 1;
/** Hours become due once an hour. */
const SEARCH_MILLISECONDS = 30_000;

/** Seals the totals of hours that are over. */
export function totals({ database }: { database: Database }): Consumer {
  return {
    kind: "totals",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner }) {
      const sealed = await sealTotals(database, organization_id, owner);
      return { completed: sealed ? 1 : 0, next: "idle" };
    },
  };
}
