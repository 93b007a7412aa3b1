import type { Database } from "@findersfee/database/postgres/connect";
import { evaluateTiers } from "@findersfee/domain/tiers/evaluate";
import type { Consumer } from "./work/consumer.ts";

const AT_ONCE = 1;
/** Tiers are measured once a day. */
const SEARCH_MILLISECONDS = 30_000;

/** Measures affiliates after each day, and stores the tiers and bonuses that they reached. */
export function tiers({ database }: { database: Database }): Consumer {
  return {
    kind: "tiers",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner, signal }) {
      const { changed, failed, has_more } = await evaluateTiers(database, organization_id, { owner, signal });
      return { completed: changed, failed, next: has_more ? "more" : "idle" };
    },
  };
}
