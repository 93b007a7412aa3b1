import type { Database } from "@findersfee/database/postgres/connect";
import { sealTotals } from "@findersfee/domain/reports/totals/seal";
import type { Consumer } from "./work/consumer.ts";

/** A turn that sums up rows again takes a second or two; the API needs the other cores of the database. */
const AT_ONCE = 1;
/** Hours become due once an hour. */
const SEARCH_MILLISECONDS = 30_000;

/** Seals the totals of hours that are over, and sums up all of them again in parts if they are outdated. */
export function totals({ database }: { database: Database }): Consumer {
  return {
    kind: "totals",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner }) {
      const turn = await sealTotals(database, organization_id, { owner });
      return { completed: turn === "last" ? 1 : 0, next: turn === "more" ? "more" : "idle" };
    },
  };
}
