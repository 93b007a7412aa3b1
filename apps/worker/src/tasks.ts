import type { Database } from "@findersfee/database/postgres/connect";
import { causeOf, inSpan, type NewSpan } from "@findersfee/database/postgres/tracer";
import { FIRST_POSITION } from "@findersfee/database/replicas/position";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { OWN_SHARD } from "@findersfee/database/work/shards";
import { decideWaitingForRates } from "@findersfee/domain/attribution/decide-waiting-for-rates";
import { type FetchRatesFile, fetchDueRates } from "@findersfee/domain/exchange-rates/fetch";
import { DECIDE_WAITING } from "@findersfee/domain/exchange-rates/import";
import type { LookAtHostRecord } from "@findersfee/domain/host-record";
import { checkProvenDomains } from "@findersfee/domain/identity/single-sign-on/check-domain";
import { type ReadElsewhere, verifyLedgersOfNight } from "@findersfee/domain/ledger/verify-nightly";
import { writeDigests } from "@findersfee/domain/mails/notices/digests";
import { startDuePayoutRuns } from "@findersfee/domain/payouts/runs/payout-day";
import type { AskHost } from "@findersfee/domain/portal/ask-host";
import { checkServedHosts } from "@findersfee/domain/portal/check-host";
import { CHECK_EVENTS } from "@findersfee/domain/processors/connections/check-events";
import { RECONCILE } from "@findersfee/domain/processors/connections/reconcile";
import {
  DISABLE_FAILING,
  disableFailingEndpoints,
} from "@findersfee/domain/webhooks/endpoints/disable-failing";
import type { CronItem, Task, TaskList } from "graphile-worker";
import { checkAllEvents, checkEventsOf } from "./processors/stripe/check-events.ts";
import type { EndpointDependencies } from "./processors/stripe/client.ts";
import { RECONCILE_DAYS, reconcileAll, reconcileRequested } from "./processors/stripe/reconcile.ts";
import { reopenAllLookups } from "./processors/stripe/reopen-lookups.ts";
import { type Retention, runRetention } from "./run-retention.ts";
import type { Shards } from "./work/shards/shards.ts";

export interface TaskDependencies extends EndpointDependencies {
  lookAtHostRecord: LookAtHostRecord;
  askHost: AskHost;
  publicUrl: () => string | null;
  exchange_rates_url: string | null;
  fetchRatesFile: FetchRatesFile;
  retention: Retention;
  /** For statements that may take minutes; the other one ends them sooner. */
  long_database: Database;
  /** Standbys for reads that take long; absent: there are none. */
  replicas?: Replicas | undefined;
}

/** The scheduled jobs of the queue; all other work is rows, which consumers find. */
export function taskList(dependencies: TaskDependencies): { tasks: TaskList; cron: CronItem[] } {
  const { long_database: database, log } = dependencies;
  return {
    tasks: recorded({
      [CHECK_EVENTS]: (payload) => checkEventsOf(dependencies, payload),
      [RECONCILE]: (payload, { abortSignal }) =>
        reconcileRequested(dependencies, {
          payload,
          signal: abortSignal ?? new AbortController().signal,
        }),
      reconcile: async (_, { abortSignal }) => {
        await reconcileAll(dependencies, { days: RECONCILE_DAYS, signal: abortSignal });
        await reopenAllLookups(dependencies, abortSignal);
        await checkAllEvents(dependencies, abortSignal);
      },
      [DISABLE_FAILING]: async () => {
        const disabled = await disableFailingEndpoints(database);
        if (disabled > 0) log.warn({ endpoints: disabled }, "disabled endpoints that failed for days");
      },
      payout_day: async () => {
        await startDuePayoutRuns(database, new Date());
      },
      daily_digests: async () => {
        await writeDigests(database, new Date());
      },
      check_hosts: async (_, { abortSignal }) => {
        const look = dependencies.lookAtHostRecord;
        const signal = abortSignal ?? new AbortController().signal;
        const hosts = { look, ask: dependencies.askHost, public_url: dependencies.publicUrl() };
        const ended = await checkServedHosts(database, { ...hosts, now: new Date(), signal });
        if (ended > 0) log.warn({ hosts: ended }, "stopped serving custom domains that lost their record");
        const domains = await checkProvenDomains(database, { look, now: new Date(), signal });
        if (domains > 0) log.warn({ domains }, "domains of single sign-on lost their record");
      },
      [DECIDE_WAITING]: async (_, { abortSignal }) => {
        const customers = await decideWaitingForRates(database, abortSignal);
        if (customers > 0) log.info({ customers }, "decided payments that waited for exchange rates");
      },
      verify_ledgers: async (_, { abortSignal }) => {
        const signal = abortSignal ?? new AbortController().signal;
        const night = await verifyLedgersOfNight(database, { signal, read: readElsewhere(dependencies) });
        if (night.damaged > 0) log.error(night, "ledgers do not add up");
        else log.info(night, "checked ledgers");
      },
      fetch_exchange_rates: async () => {
        const fetchFile = dependencies.fetchRatesFile;
        const imported = await fetchDueRates(database, { url: dependencies.exchange_rates_url, fetchFile });
        if (imported !== null) log.info(imported, "fetched exchange rates");
      },
      run_retention: (_, { abortSignal }) =>
        runRetention(dependencies.retention, { ...dependencies, signal: abortSignal }),
    }),
    cron: [
      { task: "payout_day", match: "11 * * * *" },
      // Mornings begin at whole, half and quarter hours.
      { task: "daily_digests", match: "1,16,31,46 * * * *" },
      { task: "verify_ledgers", match: "37 1 * * *" },
      { task: "check_hosts", match: "41 * * * *" },
      { task: "reconcile", match: "23 3 * * *" },
      { task: DISABLE_FAILING, match: "*/10 * * * *" },
      { task: "fetch_exchange_rates", match: "17 * * * *", options: { maxAttempts: 1 } },
      { task: DECIDE_WAITING, match: "47 * * * *" },
      { task: "run_retention", match: "7 * * * *" },
    ],
  };
}

/** The tasks, each in a span that continues the trace of the job's origin. */
function recorded(tasks: TaskList): TaskList {
  const entries = Object.entries(tasks).map(([name, task]): [string, Task] => [
    name,
    (payload, helpers) => {
      const span: NewSpan = { name: `job ${name}`, kind: "consumer", parent: causeOf(payload) };
      return inSpan(span, async () => await task?.(payload, helpers));
    },
  ]);
  return Object.fromEntries(entries);
}

/** Reads on a standby, if there is one. Any standby will do, since all of a read is from one moment. */
function readElsewhere({ long_database: primary, replicas }: TaskDependencies): ReadElsewhere | undefined {
  if (replicas === undefined) return undefined;
  return (read) => replicas.read({ after: FIRST_POSITION, reader: "ledgers", primary }, read);
}

/** The jobs that own shards, which have a queue of their own. */
export function shardTasks(shards: Shards): TaskList {
  return {
    [OWN_SHARD]: (payload, { job, abortSignal }) =>
      shards.own(payload, job, abortSignal ?? new AbortController().signal),
  };
}
