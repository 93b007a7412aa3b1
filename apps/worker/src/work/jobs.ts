import type { Database } from "@findersfee/database/postgres/connect";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { stepJob } from "@findersfee/domain/work/jobs/step";
import type { Logger } from "pino";
import type { Consumer } from "./consumer.ts";

/** A step takes a few seconds at most; the API needs the other cores of the database. */
const AT_ONCE = 1;
const SEARCH_MILLISECONDS = 5_000;

/** Runs the jobs that people start, step by step, in turn with other organizations' jobs. */
export function jobs({
  database,
  log,
  notifyEvents,
  secrets_key,
}: {
  database: Database;
  secrets_key: SecretsKey;
  log: Logger;
  notifyEvents: (organization_id: string) => void;
}): Consumer {
  return {
    kind: "jobs",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner }) {
      const turn = await stepJob(database, organization_id, owner, secrets_key);
      if (turn === "none") return { next: "idle" };
      if (turn === "failed") log.warn({ organization_id }, "a job failed; its row has the reason");
      // An import creates affiliates, which have events.
      else notifyEvents(organization_id);
      return { [turn === "failed" ? "failed" : "completed"]: 1, next: "more" };
    },
  };
}
