import type { Database } from "@findersfee/database/connect";
import { LOOK_UP, REPLAY, WORK_OFF } from "@findersfee/domain/events/wake";
import { startDuePayoutRuns } from "@findersfee/domain/payout-runs/payout-day";
import { RUN_PAYOUTS } from "@findersfee/domain/payout-runs/start";
import { workPayoutRuns } from "@findersfee/domain/payout-runs/work";
import { CHECK_EVENTS } from "@findersfee/domain/processors/connections/check-events";
import { MAKE_PROMO_CODES } from "@findersfee/domain/processors/promo-codes/making";
import { workReplays } from "@findersfee/domain/replays/work";
import {
  DISABLE_FAILING,
  disableFailingEndpoints,
  TELL_OWNERS,
} from "@findersfee/domain/webhooks/disable-endpoints";
import type { CronItem, TaskList } from "graphile-worker";
import { MAIL_QUEUE, SEND_MAILS } from "../mails/call.ts";
import { type MailParts, MailSender } from "../mails/send-due.ts";
import { checkAllEvents, checkEventsOf } from "../processors/check-events.ts";
import { lookUp, repairLookups } from "../processors/lookups.ts";
import { makePromoCodes, type StripeParts } from "../processors/promo-codes.ts";
import { RECONCILE_DAYS, reconcileAll } from "../processors/reconcile.ts";
import { keepInTime, type Retention } from "./keep.ts";
import { tellOwners } from "./tell-owners.ts";

export interface TaskParts extends StripeParts, MailParts {
  retention: Retention;
  /** For statements that may take minutes; the other one ends them sooner. */
  long_database: Database;
  /** An organization has new events: the workers look for its deliveries, and for due mails. */
  wake: (organization_id: string) => void;
  /** Makes this worker look for messages of processors that are to be worked off. */
  wakeMessages: () => void;
}

/** As whoever calls for them adds them, and at once if they failed: such jobs run one after the other. */
const ONE_MAIL_JOB = { queueName: MAIL_QUEUE, jobKey: SEND_MAILS, jobKeyMode: "replace" } as const;
const ONE_PAYOUT_JOB = { queueName: RUN_PAYOUTS, jobKey: RUN_PAYOUTS, jobKeyMode: "replace" } as const;
const ONE_LOOKUP_JOB = { queueName: LOOK_UP, jobKey: LOOK_UP, jobKeyMode: "replace" } as const;

/** The jobs of the queue, and when those run that nobody asks for. */
export function taskList(parts: TaskParts): { tasks: TaskList; cron: CronItem[] } {
  const { long_database: database, log } = parts;
  const mails = new MailSender(parts);
  return {
    tasks: {
      [WORK_OFF]: async () => parts.wakeMessages(),
      [MAKE_PROMO_CODES]: (_, { abortSignal }) => makePromoCodes(parts, abortSignal),
      [LOOK_UP]: (_, { abortSignal }) => lookUp(parts, abortSignal),
      [CHECK_EVENTS]: (payload) => checkEventsOf(parts, payload),
      reconcile: async (_, { abortSignal }) => {
        await reconcileAll(parts, { days: RECONCILE_DAYS, signal: abortSignal });
        await repairLookups(parts, abortSignal);
        await checkAllEvents(parts, abortSignal);
      },
      // A mail server that says nothing must not keep the worker from stopping.
      [TELL_OWNERS]: (payload, { abortPromise }) => Promise.race([tellOwners(payload, parts), abortPromise]),
      [SEND_MAILS]: (_, { abortSignal, abortPromise }) =>
        Promise.race([mails.sendDue(abortSignal), abortPromise]),
      [DISABLE_FAILING]: async () => {
        const disabled = await disableFailingEndpoints(database);
        if (disabled > 0) log.warn({ endpoints: disabled }, "disabled endpoints that failed for days");
      },
      [REPLAY]: async (_, { abortSignal }) => {
        await workReplays(database, { signal: abortSignal, wake: parts.wake });
      },
      [RUN_PAYOUTS]: async (_, { abortSignal }) => {
        await workPayoutRuns(database, abortSignal, {
          onFinished: (run) => log.info(run, "a payout run is finished"),
          onRefused: ({ error, ...refused }) =>
            log.error(
              { err: error, ...refused },
              "an affiliate could not be paid, and is left to the next run",
            ),
        });
      },
      payout_day: async () => {
        await startDuePayoutRuns(database, new Date());
      },
      keep_in_time: (_, { abortSignal }) => keepInTime(parts.retention, { ...parts, signal: abortSignal }),
    },
    cron: [
      // Whatever job was lost: what is not finished goes on.
      { task: REPLAY, match: "* * * * *" },
      { task: MAKE_PROMO_CODES, match: "* * * * *" },
      { task: LOOK_UP, match: "* * * * *", options: ONE_LOOKUP_JOB },
      { task: RUN_PAYOUTS, match: "* * * * *", options: ONE_PAYOUT_JOB },
      { task: SEND_MAILS, match: "* * * * *", options: ONE_MAIL_JOB },
      { task: "payout_day", match: "11 * * * *" },
      { task: "reconcile", match: "23 3 * * *" },
      { task: DISABLE_FAILING, match: "*/10 * * * *" },
      { task: "keep_in_time", match: "7 * * * *" },
    ],
  };
}
