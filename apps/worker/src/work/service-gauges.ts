import { readVerificationState, type VerificationState } from "@findersfee/database/ledger/verifications";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  type FeedState,
  readFeedState,
  readPartitionsAhead,
  readPayoutRunState,
  readRecentPayouts,
  readScheduledTasks,
} from "@findersfee/database/work/service-state";
import type { DatabaseGauges } from "@findersfee/telemetry/database-gauges";

/** Shows the service's state apart from due work: its feed, schedule, partitions and payouts. */
export function showServiceState(gauges: DatabaseGauges, database: Database): void {
  const horizon = new FeedHorizon();
  gauges.show(
    "feed",
    async () => {
      const state = await readFeedState(database);
      return { ...state, lag_seconds: horizon.lag(state) };
    },
    { gauges: FEED },
  );
  gauges.show("schedule", () => readScheduledTasks(database), { gauges: SCHEDULE, labels: ["task"] });
  gauges.show("partitions", () => readPartitionsAhead(database), { gauges: PARTITIONS, labels: ["table"] });
  gauges.show("ledger", () => readVerificationState(database), { gauges: LEDGER });
  gauges.show("payout_runs", () => readPayoutRunState(database), { gauges: PAYOUT_RUNS });
  gauges.show("payouts", () => readRecentPayouts(database), {
    gauges: PAYOUTS,
    labels: ["status", "currency"],
  });
}

/** How long the feed's horizon has stood still while somebody writes: one long transaction holds back all readers. */
class FeedHorizon {
  #horizon: bigint | null = null;
  #since = 0;

  /** In seconds, since the first of the readings with this horizon. */
  lag({ horizon, next }: FeedState): number {
    const now = performance.now();
    if (horizon !== this.#horizon) this.#since = now;
    this.#horizon = horizon;
    return horizon === next ? 0 : (now - this.#since) / 1000;
  }
}

const FEED = [
  {
    name: "findersfee_events_written_total",
    help: "Events written, by the statistics of the database.",
    value: ({ events_written }: FeedState) => events_written,
  },
  {
    name: "findersfee_feed_lag_seconds",
    help: "How long a transaction that is not finished has held back the feeds of events and of the audit log; 0 when none does.",
    value: ({ lag_seconds }: { lag_seconds: number }) => lag_seconds,
  },
];

const SCHEDULE = [
  {
    name: "findersfee_scheduled_task_last_run_timestamp_seconds",
    help: "When a scheduled task was last due, as seconds since 1970; 0: never.",
    value: ({ last_run }: { last_run: number }) => last_run,
  },
  {
    name: "findersfee_scheduled_task_failing",
    help: "Runs of a scheduled task that failed, and are retried or were given up.",
    value: ({ failing }: { failing: number }) => failing,
  },
];

const PARTITIONS = [
  {
    name: "findersfee_partitions_ahead",
    help: "Days of attempts, and months of clicks, that have a partition already, after the present one.",
    value: ({ periods }: { periods: number }) => periods,
  },
];

const LEDGER = [
  {
    name: "findersfee_ledger_damaged_rows",
    help: "Rows that break a rule of the ledger, by the last nightly check of each organization.",
    value: ({ damaged }: VerificationState) => damaged,
  },
  {
    name: "findersfee_ledger_warning_rows",
    help: "Rows of the ledger that somebody should look at, by the same checks.",
    value: ({ warnings }: VerificationState) => warnings,
  },
  {
    name: "findersfee_ledger_failed_checks",
    help: "Organizations with an incomplete last nightly check.",
    value: ({ failed }: VerificationState) => failed,
  },
  {
    name: "findersfee_ledger_oldest_check_timestamp_seconds",
    help: "The oldest of the last nightly checks of all organizations, as seconds since 1970; of one without, its creation. 0: there is no organization.",
    value: ({ oldest }: VerificationState) => oldest,
  },
];

const PAYOUT_RUNS = [
  {
    name: "findersfee_payout_run_last_finished_timestamp_seconds",
    help: "When a payout run was last finished, as seconds since 1970; 0: never.",
    value: ({ last_finished }: { last_finished: number }) => last_finished,
  },
];

const PAYOUTS = [
  {
    name: "findersfee_recent_payouts",
    help: "Payouts of the runs that started within 35 days, by status and currency.",
    value: ({ payouts }: { payouts: number }) => payouts,
  },
  {
    name: "findersfee_recent_payouts_minor",
    help: "Their sum in the currency's minor unit, by status and currency.",
    value: ({ amount_minor }: { amount_minor: number }) => amount_minor,
  },
];
