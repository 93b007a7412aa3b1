import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { insertClicks } from "@findersfee/database/tracking/clicks";
import { addJob } from "@findersfee/database/work/queue";
import { CLICKS_RETENTION_DAYS } from "@findersfee/domain/attribution/facts/clicks";
import { newId } from "@findersfee/domain/ids";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeOrganization } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let organization_id: string;

beforeEach(async () => {
  test = await createTestDatabase({ partitioned: false });
  organization_id = await makeOrganization(test.database);
});

afterEach(() => test.close());

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY);
}

/** The start of the month this many months from now. */
function month(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
}

function partitionOf(moment: Date): string {
  return `clicks_${moment.toISOString().slice(0, 7).replace("-", "_")}`;
}

async function partitions(): Promise<string[]> {
  const rows = await test.database`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'clicks'::regclass order by 1`;
  return rows.map(({ name }) => name);
}

/** Writes a click as it would be had it been made then. */
async function clickAt(clicked_at: Date): Promise<void> {
  await test.database`
    insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at)
    values (${organization_id}, ${newId(clicked_at)}, ${newId(clicked_at)}, 'jane', '\\x00', ${clicked_at})`;
}

/** Runs a worker's hourly task. */
async function runRetention(): Promise<void> {
  const worker = await startTestWorker(test);
  await addJob(test.database, "run_retention", { key: "now" });
  await eventually(async () =>
    expect(await test.database`select from graphile_worker.jobs where key = 'now'`).toEqual([]),
  );
  await worker.stop();
}

it("creates partitions for the clicks of the next months", async () => {
  await runRetention();
  expect(await partitions()).toEqual([-1, 0, 1, 2, 3].map((months) => partitionOf(month(months))));
  await clickAt(new Date());
  await clickAt(month(3));
  await expect(clickAt(month(4))).rejects.toThrow(/no partition/);
});

it("creates partitions over the turn of a year while several workers start", async () => {
  const now = new Date("2026-11-30T23:59:59.999Z");
  await Promise.all(Array.from({ length: 8 }, () => makePartitions(test.database, CLICKS, { now })));
  expect(await partitions()).toEqual(
    ["2026_10", "2026_11", "2026_12", "2027_01", "2027_02"].map((name) => `clicks_${name}`),
  );
});

it("drops a month after the retention of its last click", async () => {
  const oldest_kept = daysAgo(CLICKS_RETENTION_DAYS);
  const before = new Date(Date.UTC(oldest_kept.getUTCFullYear(), oldest_kept.getUTCMonth(), 0));
  await makePartitions(test.database, CLICKS, { ahead: 0, now: oldest_kept });
  await clickAt(oldest_kept);
  await clickAt(before);
  await runRetention();
  const names = await partitions();
  expect(names).toContain(partitionOf(oldest_kept));
  expect(names).not.toContain(partitionOf(before));
  expect(await test.database`select clicked_at from clicks`).toEqual([{ clicked_at: oldest_kept }]);
});

it("rejects a click for an unknown affiliate", async () => {
  await makePartitions(test.database, CLICKS, { ahead: 0 });
  const clicked_at = new Date();
  const id = newId(clicked_at);
  const nobody = {
    organization_id,
    affiliate_id: newId(clicked_at),
    code: "jane",
    visitor_hash: "00".repeat(16),
    network_hash: null,
  };
  const written = await insertClicks(test.database, [
    { ...nobody, id, landing_url: null, referrer: null, sub_id: null, country: null, clicked_at },
  ]);
  expect([...written]).toEqual([]);
  expect(await test.database`select from clicks`).toEqual([]);
});
