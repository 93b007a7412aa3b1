import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Actor, actorText } from "../../src/actor.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { startDuePayoutRuns } from "../../src/payouts/runs/payout-day.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { history, recorded } from "./history.ts";

const KEY: Actor = { kind: "key", id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" };
const ACTOR = actorText(KEY);

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = { ...(await makeContext(test.database)), actor: KEY };
});

/** Payouts of nothing in particular. Returns their ids. */
async function makePayouts(count: number): Promise<string[]> {
  const { affiliate_id } = await addPartner(context);
  const ids = Array.from({ length: count }, () => newId(new Date()));
  await withoutTriggers(
    test.database,
    (sql) => sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
        payment_count, status, method, status_at, status_by, created_at)
      select ${context.organization.id}, id, ${affiliate_id}, 'Partner', 100, 'KWD', '2026-01', 1, 'pending', 'manual',
        now(), 'test', now()
      from unnest(${ids}::uuid[]) as id`,
  );
  return ids;
}

it("records each status of a payout with its reason", async () => {
  const [id = ""] = await makePayouts(1);
  const moved = { resource: "payout", resource_id: id, action: "updated", actor: ACTOR, currency: "KWD" };
  expect(await recorded(context, () => movePayouts(context, { ids: [id], status: "processing" }))).toEqual([
    { ...moved, before: { status: "pending" }, after: { status: "processing" } },
  ]);
  const reason = 'The account is "closed"';
  expect(
    await recorded(context, () => movePayouts(context, { ids: [id], status: "failed", reason })),
  ).toEqual([
    { ...moved, before: { status: "processing", reason: null }, after: { status: "failed", reason } },
  ]);
  const again = movePayouts(context, { ids: [id], status: "paid" });
  await expect(again).rejects.toMatchObject({ code: "payout_locked" });
  expect(await history(context, { resource_id: id })).toHaveLength(2);
});

it("records a thousand payouts in as many statements as one", async () => {
  const ids = await makePayouts(1_001);
  let sent = 0;
  const database = connect({
    url: test.url,
    poolSize: 1,
    prepare: true,
    name: "counted",
    onSend: () => {
      sent += 1;
    },
  });
  const counted = { ...context, database };
  const statementsOf = async (some: string[]) => {
    sent = 0;
    await movePayouts(counted, { ids: some, status: "processing" });
    return sent;
  };
  const one = await statementsOf(ids.slice(0, 1));
  expect(await statementsOf(ids.slice(1))).toBe(one);
  await database.end();
  const [row] = await test.database<[{ rows: number; payouts: number; ids: number }]>`
    select count(*)::int as rows, count(distinct resource_id)::int as payouts, count(distinct id)::int as ids
    from audit_log_entries where organization_id = ${context.organization.id} and resource = 'payout'`;
  expect(row).toEqual({ rows: 1_001, payouts: 1_001, ids: 1_001 });
});

it("records a run once when it starts", async () => {
  await updateSettings(context, { minimum_payouts: { USD: 5 } });
  const start = () => startPayoutRun(context, { method: "wise" });
  const [started, ...more] = await recorded(context, start);
  expect(more).toEqual([]);
  expect(started).toMatchObject({ resource: "payout_run", action: "created", actor: ACTOR });
  expect(started?.after).toMatchObject({ method: "wise", minimum_payouts: { USD: 5 } });
  expect(await recorded(context, start)).toEqual([]);
});

it("records the payout day as the actor of its run", async () => {
  await updateSettings(context, { payout_day: 1 });
  expect(await recorded(context, () => startDuePayoutRuns(test.database, new Date()))).toMatchObject([
    { resource: "payout_run", action: "created", actor: "payout day" },
  ]);
});
