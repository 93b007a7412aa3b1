import { connect, type Database } from "@findersfee/database/postgres/connect";
import { type DueJob, dueJobs } from "@findersfee/database/testing/due-jobs";
import type { Load } from "./load.ts";
import { type Receiver, subjectOf } from "./receiver.ts";
import { pass } from "./wait.ts";

export interface Account {
  acknowledged: number;
  /** Acknowledged, and not stored. */
  lost: number;
  /** Stored twice, or with two events. */
  doubled: number;
  /** Acknowledged, and no webhook came; and background jobs that stay due. */
  stuck: number;
  jobs: DueJob[];
  /** Webhooks that came twice with one id, which receivers recognize. */
  repeated: number;
}

/** Longer than the lease of a worker, the first delays between attempts, and the time until jobs of a lost worker run again. */
const COMPLETED_SECONDS = 180;

/**
 * Waits until all work is done, and compares the acknowledged changes with the stored ones, and with the
 * deliveries.
 */
export async function account(url: string, load: Load, receiver: Receiver): Promise<Account> {
  const database = connect({ url, poolSize: 1, prepare: false, name: "findersfee drill" });
  try {
    const { undelivered, jobs } = await outstanding(database, load, receiver);
    const stored = await storedBy(database, load.run_id);
    const lost = load.reports.filter(({ id }) => !stored.ids.has(id)).length;
    const deliveries = load.reports.map(({ event_type, id }) =>
      receiver.deliveries.get(subjectOf(event_type, id)),
    );
    const sent_as_two = deliveries.filter((ids) => ids !== undefined && ids.size > 1).length;
    return {
      acknowledged: load.reports.length,
      lost,
      doubled: stored.doubled + sent_as_two,
      stuck: undelivered + jobs.length,
      jobs,
      repeated: deliveries.filter((ids) => ids !== undefined && [...ids.values()].some((count) => count > 1))
        .length,
    };
  } finally {
    await database.end({ timeout: 5 });
  }
}

/** The resources of a load: their ids, and how many have a name that another one has, too. */
async function storedBy(database: Database, run_id: string): Promise<{ ids: Set<string>; doubled: number }> {
  const rows = await database<{ id: string; name: string }[]>`
    select id, processor_payment_id as name from commissions where processor_payment_id like ${`%${run_id}`}
    union all
    select id, email from affiliates where email like ${`%${run_id}@example.com`}`;
  const names = new Set(rows.map(({ name }) => name));
  return { ids: new Set(rows.map(({ id }) => id)), doubled: rows.length - names.size };
}

interface Outstanding {
  /** Webhooks that have not come. */
  undelivered: number;
  jobs: DueJob[];
}

/** The rest of the work after a time that is long enough for all of it. */
async function outstanding(database: Database, load: Load, receiver: Receiver): Promise<Outstanding> {
  const deadline = performance.now() + COMPLETED_SECONDS * 1000;
  for (;;) {
    const left = {
      undelivered: countUndelivered(load, receiver),
      jobs: await dueJobs(database),
    };
    if (left.undelivered + left.jobs.length === 0 || performance.now() > deadline) return left;
    await pass(1_000);
  }
}

function countUndelivered(load: Load, receiver: Receiver): number {
  return load.reports.filter(({ event_type, id }) => !receiver.deliveries.has(subjectOf(event_type, id)))
    .length;
}
