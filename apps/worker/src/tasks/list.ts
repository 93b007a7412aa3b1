import type { Database } from "@findersfee/database/connect";
import { DELIVER } from "@findersfee/domain/events/wake";
import { REPLAY, stepReplay } from "@findersfee/domain/replays/step";
import { disableFailingEndpoints, TELL_OWNERS } from "@findersfee/domain/webhooks/disable-endpoints";
import type { CronItem, TaskList } from "graphile-worker";
import type { Logger } from "pino";
import type { SendMail } from "../mail.ts";
import { keepInTime, type Retention } from "./keep.ts";
import { tellOwners } from "./tell-owners.ts";

export interface TaskParts {
  database: Database;
  log: Logger;
  retention: Retention;
  sendMail: SendMail;
  /** Makes this worker look for due deliveries. */
  wake: () => void;
}

/** The jobs of the queue, and when those run that nobody asks for. */
export function taskList(parts: TaskParts): { tasks: TaskList; cron: CronItem[] } {
  const { database, log } = parts;
  return {
    tasks: {
      [DELIVER]: async () => parts.wake(),
      // A mail server that says nothing must not keep the worker from stopping.
      [TELL_OWNERS]: (payload, { abortPromise }) => Promise.race([tellOwners(payload, parts), abortPromise]),
      disable_failing: async () => {
        const disabled = await disableFailingEndpoints(database);
        if (disabled > 0) log.warn({ endpoints: disabled }, "disabled endpoints that failed for days");
      },
      [REPLAY]: async (_, { abortSignal }) => {
        while (!abortSignal.aborted && (await stepReplay(database))) parts.wake();
      },
      keep_in_time: (_, { abortSignal }) => keepInTime(parts.retention, { ...parts, signal: abortSignal }),
    },
    cron: [
      // Whatever job was lost: what is not finished goes on.
      { task: REPLAY, match: "* * * * *" },
      { task: "disable_failing", match: "*/10 * * * *" },
      { task: "keep_in_time", match: "7 * * * *" },
    ],
  };
}
