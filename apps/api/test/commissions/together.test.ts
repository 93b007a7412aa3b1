import { randomUUID } from "node:crypto";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { call, type Outcome } from "../operations.ts";
import { createProgram, type Program } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
/** A separate pool, since some tests use up the service's connections. */
let beside: Database;

beforeAll(async () => {
  service = await startTestService();
  beside = connect({ url: service.database_url, poolSize: 4, prepare: false, name: "beside" });
});

afterAll(async () => {
  await beside.end({ timeout: 1 });
  await service.close();
});

beforeEach(async () => {
  program = await createProgram(service);
});

function create(input: Record<string, unknown>, key?: string, of = program): Promise<Outcome> {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  const amounts = { revenue_amount: 10, commission_amount: 1 };
  return call("rest", of.organization, {
    name: "commissions.create",
    input: { referral_id: of.referral.id, ...amounts, ...input },
    headers,
  });
}

async function referralIds(count: number, of = program): Promise<string[]> {
  const { affiliate, organization } = of;
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const email = `together-${index}@example.com`;
      return (await organization.trpc.referrals.create.mutate({ affiliate_id: affiliate.id, email })).id;
    }),
  );
}

async function eventsOf(type: string): Promise<{ body: string; id: string }[]> {
  return await beside<{ body: string; id: string }[]>`
    select id, body from events
    where organization_id = ${program.organization.organization_id} and type = ${type} order by id`;
}

it("writes each with its own event, response and key, and converts each referral once", async () => {
  const referrals = await referralIds(6);
  const before = (await eventsOf("referral.converted")).length;
  const sent = Array.from({ length: 48 }, (_, index) => ({
    referral_id: (index % 3 === 0 ? (referrals[index % 6] ?? "").toUpperCase() : referrals[index % 6]) ?? "",
    revenue_amount: index + 1,
    processor_payment_id: `pi "${index}" \\n \\u0041 \u2028 \u{1f600} é ' {} ${"x".repeat(index * 4)}`,
  }));
  const answers = await Promise.all(sent.map((input, index) => create(input, `key-${index}`)));
  const events = new Map(
    (await eventsOf("commission.created")).map(({ body }) => [JSON.parse(body).data.id, body]),
  );
  for (const [index, { error, data }] of answers.entries()) {
    const { referral_id = "", ...rest } = sent[index] ?? {};
    expect(error).toBeNull();
    expect(data).toMatchObject({ ...rest, referral: { id: referral_id.toLowerCase() } });
    const { data: event } = JSON.parse(events.get(data.id) ?? "{}");
    expect(event).toMatchObject({ ...rest, referral: { id: referral_id.toLowerCase() } });
    const replay = await create(sent[index] ?? {}, `key-${index}`);
    expect([replay.headers.get("idempotency-replayed"), replay.data]).toEqual(["true", data]);
  }
  const stored = await beside`
    select from commissions where organization_id = ${program.organization.organization_id}`;
  expect(stored).toHaveLength(49);
  expect((await eventsOf("referral.converted")).length - before).toBe(6);
});

it("stores amounts exactly, up to the largest", async () => {
  for (const amount of [999_999_999_999.99, 0.01, 90_071_992_547.41]) {
    const { data } = await create({ revenue_amount: amount, commission_amount: amount });
    const [row] = await beside`select revenue_minor::text as minor from commissions where id = ${data.id}`;
    expect([data.revenue_amount, row?.minor]).toEqual([
      amount,
      `${amount.toFixed(2).replace(".", "")}`.replace(/^0+/, ""),
    ]);
  }
});

it("fails only the invalid ones, and reports a conversion only with a created commission", async () => {
  const [fresh = ""] = await referralIds(1);
  const answers = await Promise.all([
    create({ referral_id: fresh, processor_payment_id: "pi_1" }, "at-fault"),
    ...Array.from({ length: 5 }, () => create({ processor_payment_id: "pi_same" })),
    create({ referral_id: randomUUID() }),
    ...Array.from({ length: 9 }, () => create({ referral_id: fresh })),
  ]);
  const codes = answers.map(({ error }) => error?.code ?? "ok");
  expect(codes[0]).toBe("commission_exists");
  expect(codes.slice(1, 6).sort()).toEqual([...Array(4).fill("commission_exists"), "ok"]);
  expect(codes.slice(6)).toEqual(["not_found", ...Array(9).fill("ok")]);
  const conversions = (await eventsOf("referral.converted")).filter(
    ({ body }) => JSON.parse(body).data.id === fresh,
  );
  expect(conversions).toHaveLength(1);
  // The failed request's key is free.
  expect((await create({ referral_id: fresh }, "at-fault")).error).toBeNull();
});

it("gives a key to one of several concurrent requests: equal ones get its response, others are rejected", async () => {
  const key = randomUUID();
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => create({ revenue_amount: 5 }, key)),
    ...Array.from({ length: 6 }, () => create({ revenue_amount: 6 }, key)),
  ]);
  const made = answers.filter(({ error }) => error === null);
  expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
  expect(new Set(made.map(({ data }) => data.revenue_amount)).size).toBe(1);
  expect(made.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
  for (const { error } of answers) expect(error?.code ?? "idempotency_conflict").toBe("idempotency_conflict");
});

it("continues with other organizations and requests while one's commissions wait for a lock", async () => {
  const other = await createProgram(service);
  const [fresh = ""] = await referralIds(1);
  const held = await holdTransaction(beside);
  await held.sql`select from referrals where id in ${held.sql([fresh, program.referral.id])} for update`;
  // One in sixteen is rejected, so the others of its batch are retried alone.
  const stuck = Array.from({ length: 96 }, (_, index) =>
    create(index % 8 === 0 ? { processor_payment_id: "pi_1" } : { referral_id: fresh }),
  );
  await awaitWaiting(beside, 2);
  const answers = await Promise.all(Array.from({ length: 60 }, () => create({}, undefined, other)));
  expect(answers.filter(({ error }) => error !== null)).toEqual([]);
  const [row] = await beside`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  expect(row?.waiting).toBeLessThanOrEqual(6);
  await held.commit();
  const codes = new Set((await Promise.all(stuck)).map(({ error }) => error?.code ?? "ok"));
  expect([...codes].sort()).toEqual(["commission_exists", "ok"]);
});

it("reports a connection that broke midway, and does nothing twice", async () => {
  const [fresh = ""] = await referralIds(1);
  const held = await holdTransaction(beside);
  await held.sql`select from referrals where id = ${fresh} for update`;
  const inputs = Array.from({ length: 8 }, (_, index) => ({ referral_id: fresh, revenue_amount: index + 1 }));
  const answers = inputs.map((input, index) => create(input, `cut-${index}`));
  await awaitWaiting(beside);
  await beside`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid in (select pid from pg_locks where not granted)`;
  await held.commit();
  const codes = (await Promise.all(answers)).map(({ error }) => error?.code ?? "ok");
  expect(codes).toContain("unavailable");
  await Promise.all(inputs.map((input, index) => create(input, `cut-${index}`)));
  const rows = await beside`select revenue_minor from commissions where referral_id = ${fresh}`;
  expect(rows.map(({ revenue_minor }) => Number(revenue_minor)).sort()).toEqual(
    inputs.map((_, index) => (index + 1) * 100),
  );
});

// Postgres cancels the first transaction that detects the deadlock, a second after it began to wait; a slow
// machine can reverse the order.
it("succeeds after a deadlock, alone as well", { retry: 2 }, async () => {
  const [fresh = ""] = await referralIds(1);
  const processor_payment_id = randomUUID();
  const held = await holdTransaction(beside);
  await held.sql`select from referrals where id = ${fresh} for update`;
  const request = create({ referral_id: fresh, processor_payment_id });
  await awaitWaiting(beside);
  await held.sql`
    update commissions set processor_payment_id = ${processor_payment_id} where id = ${program.commission.id}`;
  await held.rollBack();
  expect((await request).error).toBeNull();
});
