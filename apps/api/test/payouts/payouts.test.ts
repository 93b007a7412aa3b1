import { payoutMethods, payoutStatuses } from "@findersfee/contract/payouts/payouts";
import { withoutTriggers } from "@findersfee/database/testing";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, errorOf, type Input, refusedFields } from "../operations.ts";
import { insertPayout, type Program, payCommission, unknownId } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

describe("payouts.get", () => {
  it("returns a payout with its affiliate and campaign, identically on both surfaces", async () => {
    const id = await insertPayout(service.database, program, { amount_minor: 12050n, payment_count: 4 });
    expect(await answerOf(organization, "payouts.get", { id })).toEqual({
      id,
      affiliate_name: "Jane Doe",
      payout_email: "jane-money@example.com",
      amount: 120.5,
      currency: "USD",
      period: "2026-10",
      payment_count: 4,
      status: "pending",
      method: "manual",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      affiliate: program.affiliate,
    });
  });

  it.each(payoutStatuses)("shows the status %s", async (status) => {
    const id = await insertPayout(service.database, program, { status });
    expect(await answerOf(organization, "payouts.get", { id })).toMatchObject({ status });
  });

  it.each(payoutMethods)("shows the method %s", async (method) => {
    const id = await insertPayout(service.database, program, { method });
    expect(await answerOf(organization, "payouts.get", { id })).toMatchObject({ method });
  });

  it("reports an unknown payout", async () => {
    expect(await errorOf(organization, "payouts.get", { id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no payout with this id.",
    });
    expect(await refusedFields(organization, "payouts.get", { id: "1" })).toEqual(["id"]);
  });
});

it("appears in its commissions in reduced form", async () => {
  const { commission } = program;
  const payout_id = await insertPayout(service.database, program);
  await payCommission(service.database, program, { payout_id, payout_status: "paid" });
  const {
    status: _status,
    method: _method,
    affiliate: _affiliate,
    ...reduced
  } = await answerOf(organization, "payouts.get", { id: payout_id });
  const paid = { ...commission, payout_status: "paid", payout: reduced };
  expect(await answerOf(organization, "commissions.get", { id: commission.id })).toEqual(paid);
  const { data } = await answerOf(organization, "commissions.list", { payout_status: "paid" });
  expect(data).toEqual([paid]);
});

it.each(["pending", "processing", "paid"] as const)("counts its commissions while %s", async (status) => {
  const { affiliate, commission } = program;
  const payout_id = await insertPayout(service.database, program);
  await payCommission(service.database, program, { payout_id, payout_status: "pending" });
  if (status !== "pending") {
    await withoutTriggers(
      service.database,
      (sql) => sql`update payouts set status = ${status} where id = ${payout_id}`,
    );
  }
  const max = await organization.trpc.affiliates.create.mutate({ email: "max@example.com" });
  const counted = async (input: Input): Promise<number[]> => {
    const counts = ["not_paid", "pending", "paid", "voided"].map(async (payout_status) => {
      const { data, pagination } = await answerOf(organization, "commissions.list", {
        payout_status,
        ...input,
      });
      expect(data.map(({ id }: { id: string }) => id)).toEqual(data.length === 0 ? [] : [commission.id]);
      expect(pagination.total_count).toBe(data.length);
      return data.length;
    });
    return await Promise.all(counts);
  };
  const expected = status === "paid" ? [0, 0, 1, 0] : [0, 1, 0, 0];
  expect(await counted({})).toEqual(expected);
  expect(await counted({ affiliate_id: affiliate.id })).toEqual(expected);
  expect(await counted({ referral_id: commission.referral.id })).toEqual(expected);
  expect(await counted({ created_after: commission.created_at })).toEqual(expected);
  expect(await counted({ affiliate_id: max.id })).toEqual([0, 0, 0, 0]);
  expect(await counted({ created_before: commission.created_at })).toEqual([0, 0, 0, 0]);
});

describe("payouts.list", () => {
  it("lists payouts as get shows them, and applies each filter and several", async () => {
    const max = await organization.trpc.affiliates.create.mutate({ email: "max@example.com" });
    const { database } = service;
    const first = await insertPayout(database, program);
    const paid = await insertPayout(database, program, { status: "paid", period: "2026-09" });
    const theirs = await insertPayout(database, { ...program, affiliate: max }, { period: "2026-09" });
    const listed = async (input: Input): Promise<string[]> => {
      const { data, pagination } = await answerOf(organization, "payouts.list", input);
      expect(pagination.total_count).toBe(data.length);
      return data.map(({ id }: { id: string }) => id);
    };
    const { data } = await answerOf(organization, "payouts.list", { period: "2026-10" });
    expect(data).toEqual([await answerOf(organization, "payouts.get", { id: first })]);
    expect(await listed({})).toEqual([theirs, paid, first]);
    expect(await listed({ affiliate_id: program.affiliate.id })).toEqual([paid, first]);
    expect(await listed({ status: "paid" })).toEqual([paid]);
    expect(await listed({ status: "failed" })).toEqual([]);
    expect(await listed({ period: "2026-09" })).toEqual([theirs, paid]);
    expect(await listed({ period: "2026-09", status: "pending" })).toEqual([theirs]);
    expect(await listed({ affiliate_id: max.id, status: "paid" })).toEqual([]);
  });

  it.each([
    ["status", "open"],
    ["period", "2026-13"],
    ["period", "2026"],
    ["method", "manual"],
  ])("rejects %s of %j", async (field, value) => {
    expect(await refusedFields(organization, "payouts.list", { [field]: value })).toEqual([field]);
  });

  it("reports an unknown affiliate", async () => {
    expect(await errorOf(organization, "payouts.list", { affiliate_id: unknownId() })).toEqual({
      code: "not_found",
      message: "There is no affiliate with this id.",
    });
  });
});
