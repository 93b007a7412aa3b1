import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { call, type Input, type Outcome } from "../operations.ts";
import { CAMPAIGN, type Program } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** Counts the result codes, `ok` for a success. */
function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { error } of outcomes) {
    const code = error?.code ?? "ok";
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

async function eventCount(type: string): Promise<number> {
  const { organization_id } = organization;
  const rows = await service.database`
    select from events where organization_id = ${organization_id} and type = ${type}`;
  return rows.length;
}

describe("the default campaign", () => {
  async function defaults(): Promise<number> {
    const { data } = await organization.trpc.campaigns.list.query({ limit: 100 });
    return data.filter(({ is_default }) => is_default).length;
  }

  it("is unique after 20 concurrent creates", async () => {
    const input = { ...CAMPAIGN, is_default: true };
    const outcomes = await times(20, () => call("rest", organization, { name: "campaigns.create", input }));
    expect(tally(outcomes)).toEqual({ ok: 20 });
    expect(await defaults()).toBe(1);
  });

  it("is unique after 20 concurrent updates, creates and renames", async () => {
    const campaigns = await times(10, () => organization.trpc.campaigns.create.mutate(CAMPAIGN));
    for (let round = 0; round < 3; round++) {
      const outcomes = await times(40, (index) => {
        const id = campaigns[index % campaigns.length]?.id;
        if (index % 4 === 3) {
          const input = { id, name: `Renamed ${index}` };
          return call("rest", organization, { name: "campaigns.update", input });
        }
        return index % 9 === 8
          ? call("rest", organization, { name: "campaigns.create", input: { ...CAMPAIGN, is_default: true } })
          : call("rest", organization, { name: "campaigns.update", input: { id, is_default: true } });
      });
      expect(tally(outcomes)).toEqual({ ok: 40 });
      expect(await defaults()).toBe(1);
    }
  });
});

describe("a referral's first commission", () => {
  it("is unique under 30 concurrent creates, each with its event", async () => {
    const { affiliate } = program;
    const [converted, created] = [
      await eventCount("referral.converted"),
      await eventCount("commission.created"),
    ];
    for (let round = 1; round <= 3; round++) {
      const referral = await organization.trpc.referrals.create.mutate({
        affiliate_id: affiliate.id,
        email: `round-${round}@example.com`,
      });
      const input = { referral_id: referral.id, revenue_amount: 10, commission_amount: 1 };
      const outcomes = await times(30, (index) =>
        call(index % 2 === 0 ? "rest" : "trpc", organization, { name: "commissions.create", input }),
      );
      expect(tally(outcomes)).toEqual({ ok: 30 });
      expect(await eventCount("referral.converted")).toBe(converted + round);
      expect(await eventCount("commission.created")).toBe(created + 30 * round);
    }
  });

  it("passes to the next commission when the first is rolled back", async () => {
    const { affiliate } = program;
    const { id: referral_id } = await organization.trpc.referrals.create.mutate({
      affiliate_id: affiliate.id,
      email: "new@example.com",
    });
    const held = await holdTransaction(service.database);
    await held.sql`update referrals set converted_at = now() where id = ${referral_id}`;
    const converted = await eventCount("referral.converted");
    const input = { referral_id, revenue_amount: 10, commission_amount: 1 };
    const second = call("rest", organization, { name: "commissions.create", input });
    await awaitWaiting(service.database);
    await held.rollBack();
    expect((await second).error).toBeNull();
    expect(await eventCount("referral.converted")).toBe(converted + 1);
  });
});

describe("unique values", () => {
  it("go to one of 20 affiliates with the same email, case-insensitively", async () => {
    const outcomes = await times(20, (index) => {
      const email = index % 2 === 0 ? "same@example.com" : "SAME@example.com";
      return call("rest", organization, { name: "affiliates.create", input: { email } });
    });
    expect(tally(outcomes)).toEqual({ ok: 1, affiliate_exists: 19 });
    const { id } = outcomes.find(({ error }) => error === null)?.data ?? {};
    for (const { error } of outcomes) {
      if (error !== null) expect(error.details).toEqual({ affiliate_id: id });
    }
    expect(await eventCount("affiliate.created")).toBe(2);
  });

  it("go to one of 20 referrals with the same email or customer", async () => {
    const { id: affiliate_id } = program.affiliate;
    const shared = [
      () => ({ email: "same@example.com" }),
      (index: number) => ({ email: `${index}@example.com`, processor_customer_id: "cus_same" }),
    ];
    for (const values of shared) {
      const outcomes = await times(20, (index) => {
        const input = { affiliate_id, ...values(index) };
        return call("rest", organization, { name: "referrals.create", input });
      });
      expect(tally(outcomes)).toEqual({ ok: 1, referral_exists: 19 });
    }
    expect(await eventCount("referral.created")).toBe(3);
  });

  it("go to one of 20 commissions with the same payment", async () => {
    const input = {
      referral_id: program.referral.id,
      revenue_amount: 10,
      commission_amount: 1,
      processor_payment_id: "pi_same",
    };
    const outcomes = await times(20, () => call("rest", organization, { name: "commissions.create", input }));
    expect(tally(outcomes)).toEqual({ ok: 1, commission_exists: 19 });
    expect(await eventCount("commission.created")).toBe(2);
  });

  it("go to one of 20 affiliates with the same explicit code; 20 with the same name get distinct ones", async () => {
    const asking = await times(20, (index) => {
      const input = { email: `asks-${index}@example.com`, ref_code: index % 2 === 0 ? "wanted" : "WANTED" };
      return call("rest", organization, { name: "affiliates.create", input });
    });
    expect(tally(asking)).toEqual({ ok: 1, code_taken: 19 });
    const named = await times(20, (index) => {
      const input = { email: `sam-${index}@example.com`, first_name: "Sam" };
      return call("rest", organization, { name: "affiliates.create", input });
    });
    expect(tally(named)).toEqual({ ok: 20 });
    expect(new Set(named.map(({ data }) => data.links[0].code.toLowerCase())).size).toBe(20);
  });
});

describe("concurrent updates of one row", () => {
  it("keep every update's fields", async () => {
    const values = [
      { first_name: "First" },
      { last_name: "Last" },
      { email: "new@example.com" },
      { payout_email: "money@example.com" },
      { details: "Details" },
      { banned: true },
      { new_paid_referral_notifications: false },
      { ref_code: "new-code" },
    ];
    const { id } = program.affiliate;
    const outcomes = await Promise.all(
      values.map((change) =>
        call("rest", organization, { name: "affiliates.update", input: { id, ...change } }),
      ),
    );
    expect(tally(outcomes)).toEqual({ ok: values.length });
    const together: Input = Object.assign({}, ...values);
    const { ref_code, ...fields } = together;
    const after = await organization.trpc.affiliates.get.query({ id });
    expect(after).toMatchObject({ ...fields, links: [{ code: ref_code }] });
  });

  it.each([
    {
      resource: "campaigns" as const,
      values: { name: "New", commission_amount: 12, cookie_duration: 7, hide_emails: true },
    },
    {
      resource: "referrals" as const,
      values: { email: "new@example.com", processor_customer_id: "cus_new", subscription_status: "active" },
    },
    {
      resource: "commissions" as const,
      values: { revenue_amount: 7, commission_amount: 3, payout_status: "voided" },
    },
  ])("keep every field of $resource", async ({ resource, values }) => {
    const row = { campaigns: program.campaign, referrals: program.referral, commissions: program.commission };
    const { id } = row[resource];
    const name = `${resource}.update`;
    const outcomes = await Promise.all(
      Object.entries(values).map(([field, value]) =>
        call("rest", organization, { name, input: { id, [field]: value } }),
      ),
    );
    expect(tally(outcomes)).toEqual({ ok: outcomes.length });
    const { data } = await call("rest", organization, { name: `${resource}.get`, input: { id } });
    expect(data).toMatchObject(values);
  });

  it("approve an affiliate once", async () => {
    const { id } = program.affiliate;
    await organization.trpc.affiliates.update.mutate({ id, approved: false });
    const input = { id, approved: true };
    const outcomes = await times(20, () => call("rest", organization, { name: "affiliates.update", input }));
    expect(tally(outcomes)).toEqual({ ok: 20 });
    expect(await eventCount("affiliate.approved")).toBe(1);
  });
});

// Retried if this process is so slow that Postgres looked for a deadlock before there was one.
it("succeeds after a deadlock", { retry: 2 }, async () => {
  const { affiliate } = program;
  const other = await organization.trpc.affiliates.create.mutate({ email: "other@example.com" });
  const held = await holdTransaction(service.database);
  // The other transaction changes that affiliate's email without committing; this request asks for the email
  // and waits.
  await held.sql`update affiliates set email = 'moved@example.com' where id = ${other.id}`;
  const input = { id: affiliate.id, email: "other@example.com" };
  const request = call("rest", organization, { name: "affiliates.update", input });
  await awaitWaiting(service.database);
  // Now each waits for the other. Postgres cancels the first waiter, which is the request.
  await held.sql`select from affiliates where id = ${affiliate.id} for update`.finally(held.commit);
  const { error, data } = await request;
  expect(error).toBeNull();
  expect(data.email).toBe("other@example.com");
});
