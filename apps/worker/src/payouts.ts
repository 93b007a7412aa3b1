import type { Database } from "@findersfee/database/postgres/connect";
import { workPayoutRun } from "@findersfee/domain/payouts/runs/pay";
import type { Logger } from "pino";
import type { Consumer } from "./work/consumer.ts";

/** A run takes up to a minute; the API needs the other cores of the database. */
const AT_ONCE = 1;
const SEARCH_MILLISECONDS = 5_000;

/** Creates the payouts of payout runs. */
export function payoutRuns({ database, log }: { database: Database; log: Logger }): Consumer {
  return {
    kind: "payout_runs",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner, signal }) {
      let completed = 0;
      let failed = 0;
      const found = await workPayoutRun(database, organization_id, {
        owner,
        signal,
        onFinished: (run) => {
          completed += 1;
          log.info(run, "a payout run is finished");
        },
        onRefused: ({ error, ...refused }) => {
          failed += 1;
          log.error({ err: error, ...refused }, "payout failed; deferred to the next run");
        },
      });
      return { completed, failed, next: found ? "more" : "idle" };
    },
  };
}
