import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, call, errorOf, type Input, refusedFields, surfaces } from "../operations.ts";
import {
  addCommission,
  createProgram,
  insertPayout,
  type Program,
  payCommission,
  storedRows,
  unknownId,
} from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

describe("commissions.create", () => {
  it.each(surfaces)("creates a commission over %s with its nested resources", async (surface) => {
    const { affiliate, referral } = program;
    const input = { referral_id: referral.id, revenue_amount: 19.99, commission_amount: 6 };
    const created = await call(surface, organization, { name: "commissions.create", input });
    const { affiliate: _affiliate, ...referral_alone } = referral;
    expect(created.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      revenue_amount: 19.99,
      currency: "USD",
      commission_amount: 6,
      payout_status: "not_paid",
      referral_date: created.data.created_at,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      processor_payment_id: null,
      lead: null,
      recruit_commission_id: null,
      review_state: "none",
      review: null,
      affiliate,
      referral: referral_alone,
      payout: null,
    });
    expect(await answerOf(organization, "commissions.get", { id: created.data.id })).toEqual(created.data);
  });

  it("stores the input, with the date in UTC", async () => {
    const values = {
      revenue_amount: 0.01,
      commission_amount: 999_999_999_999.99,
      processor_payment_id: "pi_\u00e9",
    };
    const { body } = await organization.rest("POST", "/commissions", {
      referral_id: program.referral.id,
      ...values,
      currency: "EUR",
      referral_date: "2026-03-01T01:30:00+02:00",
    });
    expect(body.data).toMatchObject({
      ...values,
      currency: "EUR",
      referral_date: "2026-02-28T23:30:00.000Z",
    });
  });

  it.each([
    ["referral_id", "1"],
    ["revenue_amount", 0],
    ["revenue_amount", -5],
    ["revenue_amount", 0.001],
    ["revenue_amount", "100"],
    ["revenue_amount", 1e12],
    ["commission_amount", 0],
    ["commission_amount", 12.345],
    ["commission_amount", null],
    ["currency", "usd"],
    ["currency", "XXX"],
    ["referral_date", "2026-03-01"],
    ["referral_date", "2026-03-01T00:00:00"],
    ["referral_date", "2026-02-30T00:00:00Z"],
    ["referral_date", "1969-12-31T23:59:59Z"],
    ["referral_date", "9999-12-31T23:59:59-01:00"],
    ["processor_payment_id", " "],
    ["payout_status", "paid"],
  ])("rejects %s of %j", async (field, value) => {
    const before = await storedRows(service.database);
    const valid = { referral_id: program.referral.id, revenue_amount: 100, commission_amount: 30 };
    const input = { ...valid, [field]: value };
    expect(await refusedFields(organization, "commissions.create", input)).toEqual([field]);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("reports all missing fields, and amounts with too many decimals", async () => {
    expect(await refusedFields(organization, "commissions.create", {})).toEqual([
      "referral_id",
      "revenue_amount",
      "commission_amount",
    ]);
    const input = { referral_id: program.referral.id, revenue_amount: 1.001, commission_amount: 2.002 };
    expect(await errorOf(organization, "commissions.create", input)).toMatchObject({
      issues: [
        { path: "revenue_amount", message: "An amount in USD has at most 2 decimals." },
        { path: "commission_amount", message: "An amount in USD has at most 2 decimals." },
      ],
    });
  });

  it("reports an unknown referral", async () => {
    const input = { referral_id: unknownId(), revenue_amount: 1, commission_amount: 1 };
    expect(await errorOf(organization, "commissions.create", input)).toEqual({
      code: "not_found",
      message: "There is no referral with this id.",
    });
  });

  it("keeps payments unique, and names the existing commission", async () => {
    const before = await storedRows(service.database);
    const input = {
      referral_id: program.referral.id,
      revenue_amount: 1,
      commission_amount: 1,
      processor_payment_id: "pi_1",
    };
    expect(await errorOf(organization, "commissions.create", input)).toEqual({
      code: "commission_exists",
      message: "This payment already has a commission. A payment has only one, under any of its ids.",
      details: { commission_id: program.commission.id },
    });
    expect(await storedRows(service.database)).toEqual(before);
    const other = await createProgram(service);
    expect(other.commission.processor_payment_id).toBe("pi_1");
  });

  it("creates commissions for banned and unapproved affiliates", async () => {
    const { affiliate } = program;
    await organization.trpc.affiliates.update.mutate({ id: affiliate.id, banned: true, approved: false });
    expect((await addCommission(program)).affiliate).toMatchObject({ banned: true, approved: false });
  });
});

describe("commissions.update", () => {
  it.each([
    ["revenue_amount", 250.5],
    ["commission_amount", 0.01],
    ["referral_date", "2026-01-02T03:04:05.678Z"],
    ["processor_payment_id", "pi_2"],
    ["processor_payment_id", null],
    ["payout_status", "voided"],
  ])("changes only %s", async (field, value) => {
    const { commission } = program;
    const after = await answerOf(organization, "commissions.update", { id: commission.id, [field]: value });
    expect(after).toEqual({ ...commission, [field]: value });
    expect(await answerOf(organization, "commissions.get", { id: commission.id })).toEqual(after);
  });

  it("changes nothing for an empty input", async () => {
    const before = await storedRows(service.database);
    const { commission } = program;
    expect(await answerOf(organization, "commissions.update", { id: commission.id })).toEqual(commission);
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("voids a commission, changes it, and restores it", async () => {
    const { id } = program.commission;
    for (const values of [
      { payout_status: "voided" },
      { revenue_amount: 50 },
      { payout_status: "not_paid", commission_amount: 15 },
    ]) {
      expect(await answerOf(organization, "commissions.update", { id, ...values })).toMatchObject(values);
    }
  });

  it.each([
    ["payout_status", "paid"],
    ["payout_status", "pending"],
    ["currency", "EUR"],
    ["revenue_amount", 0],
    ["revenue_amount", 1.999],
    ["commission_amount", null],
    ["referral_id", unknownId()],
  ])("rejects %s of %j", async (field, value) => {
    const input = { id: program.commission.id, [field]: value };
    expect(await refusedFields(organization, "commissions.update", input)).toEqual([field]);
  });

  it.each(["pending", "paid"] as const)(
    "changes nothing in a commission that is %s",
    async (payout_status) => {
      const { id } = program.commission;
      const payout_id = await insertPayout(service.database, program);
      await payCommission(service.database, program, { payout_id, payout_status });
      const before = await storedRows(service.database);
      for (const values of [
        { revenue_amount: 1 },
        { commission_amount: 1 },
        { referral_date: "2026-01-01T00:00:00Z" },
        { processor_payment_id: null },
        { payout_status: "not_paid" },
        { payout_status: "voided" },
      ]) {
        expect(await errorOf(organization, "commissions.update", { id, ...values })).toEqual({
          code: "commission_locked",
          message: "The commission is in a payout and can no longer be changed.",
        });
      }
      expect(await answerOf(organization, "commissions.update", { id })).toMatchObject({ id, payout_status });
      expect(await storedRows(service.database)).toEqual(before);
    },
  );

  it("rejects another commission's payment, but accepts its own", async () => {
    const { commission } = program;
    const other = await addCommission(program);
    const input = { id: other.id, processor_payment_id: "pi_1", revenue_amount: 5 };
    expect(await errorOf(organization, "commissions.update", input)).toEqual({
      code: "commission_exists",
      message: "This payment already has a commission. A payment has only one, under any of its ids.",
      details: { commission_id: commission.id },
    });
    expect(await answerOf(organization, "commissions.get", { id: other.id })).toEqual(other);
    const own = { id: commission.id, processor_payment_id: "pi_1" };
    expect(await answerOf(organization, "commissions.update", own)).toEqual(commission);
  });

  it("reports an unknown commission", async () => {
    const expected = { code: "not_found", message: "There is no commission with this id." };
    const input = { id: unknownId(), payout_status: "voided" };
    expect(await errorOf(organization, "commissions.update", input)).toEqual(expected);
    expect(await errorOf(organization, "commissions.get", { id: unknownId() })).toEqual(expected);
    expect(await refusedFields(organization, "commissions.get", { id: "1" })).toEqual(["id"]);
  });
});

describe("commissions.list", () => {
  it("applies each filter, and several at once", async () => {
    const { commission, referral, affiliate } = program;
    const { trpc } = organization;
    const max = await trpc.affiliates.create.mutate({ email: "max@example.com" });
    const theirs = await trpc.referrals.create.mutate({ affiliate_id: max.id, email: "m@example.com" });
    await awaitMillisecond(commission.created_at);
    const voided = await addCommission(program);
    await trpc.commissions.update.mutate({ id: voided.id, payout_status: "voided" });
    const other = await addCommission({ ...program, referral: theirs });
    const listed = async (input: Input): Promise<string[]> => {
      const { data, pagination } = await answerOf(organization, "commissions.list", input);
      expect(pagination.total_count).toBe(data.length);
      return data.map(({ id }: { id: string }) => id);
    };
    expect(await listed({})).toEqual([other.id, voided.id, commission.id]);
    expect(await listed({ affiliate_id: affiliate.id })).toEqual([voided.id, commission.id]);
    expect(await listed({ referral_id: theirs.id })).toEqual([other.id]);
    expect(await listed({ affiliate_id: affiliate.id, referral_id: theirs.id })).toEqual([]);
    expect(await listed({ payout_status: "voided" })).toEqual([voided.id]);
    expect(await listed({ payout_status: "paid" })).toEqual([]);
    // From the first time, up to the second.
    expect(await listed({ created_after: voided.created_at })).toEqual([other.id, voided.id]);
    expect(await listed({ created_before: voided.created_at })).toEqual([commission.id]);
    expect(
      await listed({
        created_after: commission.created_at,
        created_before: voided.created_at,
        referral_id: referral.id,
      }),
    ).toEqual([commission.id]);
    expect(await listed({ created_after: inTokyo(voided.created_at), payout_status: "not_paid" })).toEqual([
      other.id,
    ]);
  });

  it.each([
    ["payout_status", "unpaid"],
    ["payout_status", "paid,voided"],
    ["created_after", "yesterday"],
    ["created_before", "9999-12-31T23:59:59-01:00"],
    ["currency", "USD"],
  ])("rejects %s of %j", async (field, value) => {
    expect(await refusedFields(organization, "commissions.list", { [field]: value })).toEqual([field]);
  });

  it("reports an unknown affiliate or referral", async () => {
    for (const noun of ["affiliate", "referral"]) {
      expect(await errorOf(organization, "commissions.list", { [`${noun}_id`]: unknownId() })).toEqual({
        code: "not_found",
        message: `There is no ${noun} with this id.`,
      });
    }
  });
});

/** Waits until the clock, shared with the service, has passed a row's millisecond. */
async function awaitMillisecond(created_at: string): Promise<void> {
  while (Date.now() <= Date.parse(created_at)) await new Promise((resolve) => setImmediate(resolve));
}

/** The same instant with Tokyo's offset. */
function inTokyo(timestamp: string): string {
  return new Date(Date.parse(timestamp) + 9 * 60 * 60 * 1000).toISOString().replace("Z", "+09:00");
}
