import type { Database } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { addJob } from "@findersfee/database/work/queue";
import { expect } from "vitest";

export const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Has a worker run its hourly task, and waits for its end. */
export async function runRetention(database: Database): Promise<void> {
  await addJob(database, "run_retention", { key: "now" });
  await eventually(async () =>
    expect(await database`select from graphile_worker.jobs where key = 'now'`).toEqual([]),
  );
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MILLISECONDS);
}
