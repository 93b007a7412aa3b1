import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openQueuePool } from "../../src/work/queue-pool.ts";

let test: TestDatabase;
let faulty: FaultyPostgres;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
  faulty = await FaultyPostgres.before(test.url);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await faulty.close();
  await test.close();
});

it.each(["cut_before", "cut_after", "error_after", "error_before"] as const)(
  "connects again if its connection to one of several hosts ends before it is used (%s)",
  async (kind) => {
    faulty.follow(({ sql }) => (/as is_standby/.test(sql) && faulty.failed.length === 0 ? kind : null));
    const { host } = new URL(faulty.url);
    const url = faulty.url.replace(host, `${host},${host}`);
    const pool = openQueuePool({ url, limits: null, log: pino({ level: "silent" }), size: 1 });
    closed.push(() => pool.end());
    const uncaught: unknown[] = [];
    const onUncaught = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", onUncaught);
    closed.push(async () => void process.off("uncaughtException", onUncaught));
    await expect(pool.query("select 1")).rejects.toThrow();
    expect(faulty.failed).toHaveLength(1);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  },
);
