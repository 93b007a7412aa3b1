import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, call, errorOf, surfaces } from "../operations.ts";
import { addCommission, createProgram, insertPayout, type Program } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;
let program: Program;

beforeAll(async () => {
  service = await sharedTestService();
  program = await createProgram(service);
});

afterAll(() => service.close());

const LIMIT = 999_999_999_999.99;

describe.each([
  ["JPY", 0, 1, 500],
  ["USD", 2, 0.01, 19.99],
  ["KWD", 3, 0.001, 1.005],
  ["CLP", 0, 1, 1990],
  ["HUF", 2, 0.01, 1000.1],
  ["IQD", 3, 0.001, 2500.255],
])("%s", (currency, decimals, smallest, usual) => {
  it.each([smallest, usual, Math.floor(LIMIT)])("stores %d exactly, on both surfaces", async (amount) => {
    const { referral, organization } = program;
    const amounts = { revenue_amount: amount, commission_amount: amount };
    for (const surface of surfaces) {
      const input = { referral_id: referral.id, currency, ...amounts };
      const { data } = await call(surface, organization, { name: "commissions.create", input });
      expect(data).toMatchObject({ currency, ...amounts });
      expect(await answerOf(organization, "commissions.get", { id: data.id })).toEqual(data);
    }
  });

  it("rejects too many decimals, on create and update", async () => {
    const { referral, organization } = program;
    const too_fine = usual + smallest / 10;
    const issue = {
      path: "commission_amount",
      message: `An amount in ${currency} has at most ${decimals} decimals.`,
    };
    const input = { referral_id: referral.id, currency, revenue_amount: usual, commission_amount: too_fine };
    expect(await errorOf(organization, "commissions.create", input)).toMatchObject({ issues: [issue] });
    const { id } = await addCommission(program, {
      currency,
      revenue_amount: usual,
      commission_amount: usual,
    });
    const change = { id, commission_amount: too_fine };
    expect(await errorOf(organization, "commissions.update", change)).toMatchObject({ issues: [issue] });
  });

  it("shows payouts in it", async () => {
    const id = await insertPayout(service.database, program, { currency, amount_minor: 1005n });
    const { amount } = await answerOf(program.organization, "payouts.get", { id });
    expect(amount).toBe(Number((1005 / 10 ** decimals).toFixed(decimals)));
  });
});

it("defaults to the organization's currency", async () => {
  const kuwaiti = await createProgram(service, { currency: "KWD" });
  expect(kuwaiti.commission.currency).toBe("KWD");
  expect(await addCommission(kuwaiti, { commission_amount: 1.234 })).toMatchObject({
    commission_amount: 1.234,
  });
  expect(await addCommission(kuwaiti, { currency: "USD", commission_amount: 1.23 })).toMatchObject({
    currency: "USD",
  });
});

it("rejects amounts above the limit and inexact sums", async () => {
  const { referral, organization } = program;
  for (const commission_amount of [1_000_000_000_000, 0.1 + 0.2, 1e-7]) {
    const input = { referral_id: referral.id, revenue_amount: LIMIT, commission_amount };
    expect(await errorOf(organization, "commissions.create", input)).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "commission_amount" }],
    });
  }
});
