import type { Database } from "@findersfee/database/postgres/connect";
import { stepReplay } from "@findersfee/domain/webhooks/replays/step";
import type { Consumer } from "../work/consumer.ts";

const AT_ONCE = 2;
const SEARCH_MILLISECONDS = 5_000;
/** How often a replay is tried that waits for its endpoint. */
const WAIT_MILLISECONDS = 250;

/** Steps replays on, in turn with other organizations' replays. */
export function replays({
  database,
  notifyEvents,
}: {
  database: Database;
  notifyEvents: (organization_id: string) => void;
}): Consumer {
  return {
    kind: "replays",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner }) {
      const step = await stepReplay(database, organization_id, owner);
      if (step === "none") return { next: "idle" };
      if (step === "waiting") return { next: { milliseconds: WAIT_MILLISECONDS, of: "organization" } };
      notifyEvents(organization_id);
      return { completed: 1, next: "more" };
    },
  };
}
