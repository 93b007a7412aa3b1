import { readVerificationState } from "@findersfee/database/ledger/verifications";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { LEDGER_RULES } from "../../src/ledger/check.ts";
import { type CheckedNight, verifyLedgersOfNight } from "../../src/ledger/verify-nightly.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { getHealth } from "../../src/reports/health/get.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { runJobs } from "../work.ts";
import { addEarner, earn, makePayoutContext } from "./program.ts";

const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let healthy: CreationContext;
let damaged: CreationContext;
let commission_id: string;

beforeEach(async () => {
  test = await createTestDatabase();
  healthy = await makePayoutContext(test.database);
  await earn(healthy, await addEarner(healthy), { amount: 1 });
  damaged = await makePayoutContext(test.database);
  commission_id = await earn(damaged, await addEarner(damaged), { amount: 1 });
  await setAmount(99);
});

afterEach(() => test.close());

const setAmount = (minor: number) =>
  withoutTriggers(
    test.database,
    (sql) => sql`update commissions set commission_minor = ${minor} where id = ${commission_id}`,
  );

const check = (later = 0, database: Database = test.database): Promise<CheckedNight> =>
  verifyLedgersOfNight(database, {
    signal: new AbortController().signal,
    now: new Date(Date.now() + later),
  });

const nightly = async (context: CreationContext) => (await getHealth(context)).nightly_check;

it("checks each organization once a night, and tells its owners and the operator what it found", async () => {
  expect(await nightly(healthy)).toBeNull();
  expect((await readVerificationState(test.database)).oldest).toBeGreaterThan(0);
  expect(await check()).toEqual({ checked: 2, damaged: 1, failed: 0 });
  expect(await nightly(healthy)).toEqual({
    checked_at: expect.any(String),
    rules: LEDGER_RULES,
    damaged: 0,
    warnings: 0,
    reason: null,
    findings: [],
  });
  const found = await nightly(damaged);
  expect(found).toMatchObject({ rules: LEDGER_RULES, damaged: 3, warnings: 0 });
  expect(found?.findings[0]).toEqual({
    rule: "The entries of a commission add up to its amount, or to 0 if it is voided.",
    level: "damage",
    subject: `commission ${commission_id}`,
    finding: expect.stringMatching(/1 too much$/),
  });
  expect((await listAttention(healthy)).ledger_damage).toBeNull();
  expect((await listAttention(damaged)).ledger_damage).toEqual({ rows: 3, checked_at: expect.any(String) });
  expect(await readVerificationState(test.database)).toMatchObject({ damaged: 3, warnings: 0, failed: 0 });
  expect(await check()).toEqual({ checked: 0, damaged: 0, failed: 0 });
});

it("needs nobody any more when a later check finds nothing", async () => {
  await check();
  await setAmount(100);
  await startJob(damaged, { kind: "ledger_check", input: {}, total: LEDGER_RULES });
  await runJobs(damaged);
  expect((await listAttention(damaged)).ledger_damage).toBeNull();
  expect(await check(DAY)).toEqual({ checked: 2, damaged: 0, failed: 0 });
  expect(await nightly(damaged)).toMatchObject({ damaged: 0, findings: [] });
});

it("goes on with the next organization when a check is not completed, and says so", async () => {
  await check();
  // One organization's rules reach their time limit.
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin
      if new.organization_id = '${damaged.organization.id}' and new.checked_at is not null then
        raise exception using errcode = '57014', message = 'too slow';
      end if;
      return new; end $$;
    create trigger fail before insert on ledger_verifications for each row execute function fail();`);
  expect(await check(DAY)).toEqual({ checked: 1, damaged: 0, failed: 1 });
  expect(await nightly(damaged)).toMatchObject({ damaged: 3, reason: expect.stringContaining("too slow") });
  expect(await readVerificationState(test.database)).toMatchObject({ failed: 1 });
  await test.database`drop function fail cascade`;
  expect(await check(2 * DAY)).toEqual({ checked: 2, damaged: 1, failed: 0 });
  expect(await nightly(damaged)).toMatchObject({ reason: null });
});

it("stops in the middle, and goes on later with those that waited longest", async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await verifyLedgersOfNight(test.database, { signal: stop.signal })).toMatchObject({ checked: 0 });
  const short = { signal: new AbortController().signal, night_milliseconds: 1 };
  expect(await verifyLedgersOfNight(test.database, short)).toMatchObject({ checked: 1 });
  expect(await verifyLedgersOfNight(test.database, short)).toMatchObject({ checked: 1 });
  expect(await readVerificationState(test.database)).toMatchObject({ damaged: 3 });
});

it("is repeated after each of its calls was lost, before or after it took effect", async () => {
  const proxy = await FaultyPostgres.before(test.url);
  const database = connect({ url: proxy.url, poolSize: 1, prepare: true, name: "findersfee test" });
  try {
    let calls = 0;
    proxy.follow(() => {
      calls += 1;
      return null;
    });
    await check(0, database);
    expect(calls).toBeGreaterThan(2 * LEDGER_RULES);
    let day = 1;
    // The last calls, which record and look for the next organization, the first ones, and one in the middle.
    const places = casesOf([calls - 1, calls, 1, 2, Math.floor(calls / 2)], { short: 3 });
    for (const place of places) {
      for (const kind of LOST_ANSWERS) {
        let call = 0;
        proxy.follow(() => (++call === place ? kind : null));
        const lost = await check(day * DAY, database).catch((error: unknown) => error);
        proxy.lift();
        expect(await check(day * DAY, database)).toMatchObject({ failed: 0 });
        expect(lost).not.toMatchObject({ failed: 1 });
        expect(await readVerificationState(test.database)).toMatchObject({ damaged: 3, failed: 0 });
        day += 1;
      }
    }
  } finally {
    await database.end({ timeout: 0 });
    await proxy.close();
  }
});
