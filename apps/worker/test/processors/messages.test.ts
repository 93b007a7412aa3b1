import { tryLockPayments } from "@findersfee/database/processors/due-messages";
import { deleteOldMessages } from "@findersfee/database/processors/messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually, waitForResult } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  rerunDeadLetteredMessages,
  rerunProcessorMessage,
} from "@findersfee/domain/processors/messages/rerun";
import { processWebhooks } from "@findersfee/domain/testing/work";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import {
  commissionsOf,
  makeTestOrganization,
  messageStates,
  paymentBody,
  storeGeneric,
  storeStripe,
  type TestOrganization,
} from "../processing.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let workers: Worker[];

beforeEach(async () => {
  workers = [];
  test = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await test.close();
});

async function startWorkers(count: number): Promise<void> {
  for (let number = 0; number < count; number++) workers.push(await startTestWorker(test));
}

/** Resolves when no message of the organization is left to be worked off now. */
async function whenWorkedOff({ organization_id }: TestOrganization): Promise<void> {
  await waitForResult(60_000, async () => {
    const rows = await test.database`
      select from processor_messages
      where organization_id = ${organization_id} and state = 'received' and due_at <= now()`;
    return rows.length === 0 ? true : null;
  });
}

function payments(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      `msg_${number}`,
      paymentBody(`msg_${number}`, {
        payment_id: `pay_${String(number).padStart(4, "0")}`,
        customer_id: `cus_${number % 7}`,
      }),
    ]),
  );
}

const CUSTOMERS = Array.from({ length: 7 }, (_, number) => `cus_${number}`);

/** Makes taking in a message fail in the database. */
async function poison(condition: string): Promise<void> {
  await test.database.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'poisoned %', new.message_id; end if;
      return new;
    end $$;
    create trigger poison before insert or update on payment_facts for each row execute function refuse();`);
}

describe("a worker", () => {
  it("processes inbound webhooks into commissions and events", async () => {
    const organization = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    await storeGeneric(test.database, organization.organization_id, payments(150));
    await startWorkers(1);
    await whenWorkedOff(organization);
    expect(await messageStates(test.database, organization.organization_id)).toEqual({ done: 150 });
    const commissions = await commissionsOf(test.database, organization.organization_id);
    expect(commissions).toHaveLength(150);
    expect(commissions[0]).toBe("pay_0000:3000");
    const [events] = await test.database`
      select count(*)::int as count from events where type = 'commission.created'`;
    expect(events).toEqual({ count: 150 });
  });

  it("finds inbound webhooks and shares them with another worker", async () => {
    const organizations = await Promise.all(
      Array.from({ length: 5 }, () => makeTestOrganization(test.database, { customers: CUSTOMERS })),
    );
    await startWorkers(2);
    for (const organization of organizations)
      await storeGeneric(test.database, organization.organization_id, payments(130));
    for (const organization of organizations) {
      await whenWorkedOff(organization);
      expect(await messageStates(test.database, organization.organization_id)).toEqual({ done: 130 });
      expect(new Set(await commissionsOf(test.database, organization.organization_id)).size).toBe(130);
    }
  });

  it("dead-letters malformed messages, skips unused types, and continues", async () => {
    const organization = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    await storeGeneric(test.database, organization.organization_id, {
      nonsense: JSON.stringify({
        id: "nonsense",
        type: "payment",
        occurred_at: "2026-11-20T09:30:00Z",
        data: { currency: 5 },
      }),
      unknown: JSON.stringify({ type: "weather", data: {} }),
      ...payments(3),
    });
    await storeStripe(test.database, organization.organization_id, [
      JSON.stringify({ id: "evt_1", type: "invoice.paid", created: 1, data: null }),
      JSON.stringify({ id: "evt_2", type: "plan.created", created: 1, data: {} }),
    ]);
    await startWorkers(1);
    await whenWorkedOff(organization);
    expect(await messageStates(test.database, organization.organization_id)).toEqual({
      done: 3,
      parked: 2,
      skipped: 2,
    });
    const reasons = await test.database<{ id: string; reason: string }[]>`
      select id, reason from processor_messages where state = 'parked' order by id`;
    expect(reasons.map(({ id }) => id)).toEqual(["evt_1", "nonsense"]);
    for (const { reason } of reasons) expect(reason).toMatch(/^data/);
  });

  it("exports the counts of pending and dead-lettered messages", async () => {
    const organization = await makeTestOrganization(test.database);
    await storeGeneric(test.database, organization.organization_id, { odd: '{"type":"payment"}' });
    await startWorkers(1);
    await whenWorkedOff(organization);
    // It counts a turn after it has committed it.
    await eventually(async () => {
      const text = await workers[0]?.registry.metrics();
      expect(text).toMatch(/findersfee_work_failures_total\{kind="inbound_webhooks"\} 1/);
      expect(text).toMatch(/findersfee_work_dead_lettered\{kind="inbound_webhooks"\} 1/);
      expect(text).toMatch(/findersfee_work_pending\{kind="inbound_webhooks"\} 0/);
    });
  });
});

describe("a failing message", () => {
  it("is retried alone, and dead-lettered after 8 attempts", async () => {
    const organization = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    await poison("new.message_id = 'msg_5'");
    await storeGeneric(test.database, organization.organization_id, payments(20));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      const worked = await processWebhooks(test.database, organization.organization_id);
      expect(worked).toMatchObject(
        attempt === 1 ? { done: 19, failed: 1 } : attempt === 8 ? { dead_lettered: 1 } : { failed: 1 },
      );
      const [row] = await test.database`
        select failures, state, reason, extract(epoch from due_at - now())::float as wait
        from processor_messages where id = 'msg_5'`;
      expect(row).toMatchObject({ failures: attempt, state: attempt === 8 ? "parked" : "received" });
      expect(row?.reason).toMatch(/poisoned msg_5/);
      if (attempt < 8) waits.push(row?.wait);
      expect(await processWebhooks(test.database, organization.organization_id)).toMatchObject({
        done: 0,
        failed: 0,
      });
      await test.database`update processor_messages set due_at = now() where state = 'received'`;
    }
    const schedule = [5, 60, 600, 3600, 3600, 3600, 3600];
    expect(waits).toHaveLength(schedule.length);
    for (const [index, seconds] of schedule.entries()) {
      expect(waits[index]).toBeLessThanOrEqual(seconds);
      expect(waits[index]).toBeGreaterThan(seconds - 20);
    }
    expect(await commissionsOf(test.database, organization.organization_id)).toHaveLength(19);
  });

  it("can be rerun after a fix, alone or with all dead-lettered messages", async () => {
    const organization = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    await poison("true");
    await storeGeneric(test.database, organization.organization_id, payments(3));
    for (let attempt = 1; attempt <= 8; attempt++) {
      await processWebhooks(test.database, organization.organization_id);
      await test.database`update processor_messages set due_at = now() where state = 'received'`;
    }
    expect(await messageStates(test.database, organization.organization_id)).toEqual({ parked: 3 });
    await test.database`drop trigger poison on payment_facts`;
    await startWorkers(1);
    const rerun = await rerunProcessorMessage(organization.context, { processor: "generic", id: "msg_1" });
    expect(rerun).toMatchObject({ state: "received", attempts: 0, reason: null });
    await whenWorkedOff(organization);
    expect(await messageStates(test.database, organization.organization_id)).toEqual({ done: 1, parked: 2 });
    expect(await rerunDeadLetteredMessages(organization.context, {})).toEqual({ messages: 2 });
    await whenWorkedOff(organization);
    // Again, which changes nothing.
    await rerunProcessorMessage(organization.context, { processor: "generic", id: "msg_1" });
    await whenWorkedOff(organization);
    expect(await commissionsOf(test.database, organization.organization_id)).toHaveLength(3);
  });
});

describe("an organization's payments", () => {
  it("are processed by one worker at a time", async () => {
    const [held, free] = [
      await makeTestOrganization(test.database, { customers: CUSTOMERS }),
      await makeTestOrganization(test.database, { customers: CUSTOMERS }),
    ];
    for (const organization of [held, free])
      await storeGeneric(test.database, organization.organization_id, payments(10));
    await test.database.begin(async (sql) => {
      expect(await tryLockPayments(sql, held.organization_id)).toBe(true);
      expect(await processWebhooks(test.database, held.organization_id)).toMatchObject({ locked: false });
      await startWorkers(1);
      await whenWorkedOff(free);
      expect(await messageStates(test.database, held.organization_id)).toEqual({ received: 10 });
    });
    await whenWorkedOff(held);
    expect(await messageStates(test.database, held.organization_id)).toEqual({ done: 10 });
  });

  it.runIf(FULL_TESTS)("with a backlog do not delay other organizations", async () => {
    const busy = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    const other = await makeTestOrganization(test.database, { customers: CUSTOMERS });
    await storeGeneric(test.database, busy.organization_id, payments(1_500));
    await storeGeneric(test.database, other.organization_id, payments(1));
    await startWorkers(1);
    await whenWorkedOff(other);
    expect((await messageStates(test.database, busy.organization_id)).received).toBeGreaterThan(0);
  });
});

it("links a promotion code that was created at Stripe to its affiliate", async () => {
  const organization = await makeTestOrganization(test.database);
  const event = (id: string, object: object) =>
    JSON.stringify({
      id,
      type: "promotion_code.created",
      created: 1_790_000_000,
      livemode: true,
      data: { object },
    });
  const promotion = (id: string, coupon: string, code = "jane") => ({
    id,
    object: "promotion_code",
    code,
    active: true,
    promotion: { type: "coupon", coupon },
  });
  await storeStripe(test.database, organization.organization_id, [
    event("evt_1", promotion("promo_other", "co_other")),
    event("evt_2", promotion("promo_unknown", "co_30", "nobody")),
    event("evt_3", { ...promotion("promo_ended", "co_30"), active: false }),
  ]);
  await processWebhooks(test.database, organization.organization_id);
  const external = () =>
    test.database`select external_id, external_linked from affiliate_codes where kind = 'promo'`;
  expect(await external()).toEqual([{ external_id: null, external_linked: false }]);
  await storeStripe(test.database, organization.organization_id, [
    event("evt_4", promotion("promo_jane", "co_30")),
  ]);
  await processWebhooks(test.database, organization.organization_id);
  expect(await external()).toEqual([{ external_id: "promo_jane", external_linked: true }]);
});

it("deletes old messages, except those that others wait for", async () => {
  const organization = await makeTestOrganization(test.database, { customers: CUSTOMERS });
  await storeGeneric(test.database, organization.organization_id, {
    odd: '{"type":"payment"}',
    ...payments(5),
  });
  await processWebhooks(test.database, organization.organization_id);
  await storeGeneric(test.database, organization.organization_id, { late: "{}" });
  expect(await deleteOldMessages(test.database, { before: new Date(Date.now() - 60_000), limit: 3 })).toBe(0);
  const before = new Date(Date.now() + 60_000);
  expect(await deleteOldMessages(test.database, { before, limit: 3 })).toBe(3);
  expect(await deleteOldMessages(test.database, { before, limit: 3 })).toBe(2);
  expect(await messageStates(test.database, organization.organization_id)).toEqual({
    parked: 1,
    received: 1,
  });
});
