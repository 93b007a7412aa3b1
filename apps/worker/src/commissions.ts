import type { Database } from "@findersfee/database/postgres/connect";
import { approveDueReviews } from "@findersfee/domain/commissions/approve-due";
import type { Consumer } from "./work/consumer.ts";

const AT_ONCE = 1;
/** Commissions wait for days. */
const SEARCH_MILLISECONDS = 30_000;

/** Approves commissions that have waited for a review as long as their campaign said. */
export function reviews({ database }: { database: Database }): Consumer {
  return {
    kind: "reviews",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner, signal }) {
      const { approved, failed, has_more } = await approveDueReviews(database, organization_id, {
        owner,
        signal,
      });
      return { completed: approved, failed, next: has_more ? "more" : "idle" };
    },
  };
}
