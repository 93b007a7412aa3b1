import { beforeEach, describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { call, errorOf, refusedFields, surfaces } from "../operations.ts";
import { type Program, unknownId } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";
import { click, createTrackedProgram } from "../tracking-program.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

const LEADS = [
  { kind: "signup", amount: 2.5, daily_limit: null },
  { kind: "demo_booked", amount: 20, daily_limit: 5 },
];

beforeEach(async () => {
  const { id } = program.campaign;
  await organization.trpc.campaigns.update.mutate({ id, lead_commissions: LEADS });
});

const name = "conversions.create";

describe("a campaign", () => {
  it.each(surfaces)("has commissions for leads, over %s", async (surface) => {
    const { id } = program.campaign;
    const { data } = await call(surface, organization, { name: "campaigns.get", input: { id } });
    expect(data).toMatchObject({ lead_commissions: LEADS });
  });

  it.each([
    ["lead_commissions[0].kind", { kind: "Demo booked", amount: 5 }],
    ["lead_commissions[0].kind", { kind: "", amount: 5 }],
    ["lead_commissions[0].amount", { kind: "demo", amount: 0 }],
    ["lead_commissions[0].amount", { kind: "demo", amount: 0.001 }],
    ["lead_commissions[0].daily_limit", { kind: "demo", amount: 5, daily_limit: 0 }],
  ])("refuses %s of %j", async (field, entry) => {
    const input = { id: program.campaign.id, lead_commissions: [entry] };
    expect(await refusedFields(organization, "campaigns.update", input)).toEqual([field]);
  });

  it("refuses a kind twice", async () => {
    const entry = { kind: "demo", amount: 5 };
    const input = { id: program.campaign.id, lead_commissions: [entry, entry] };
    expect(await refusedFields(organization, "campaigns.update", input)).toEqual([
      "lead_commissions[1].kind",
    ]);
  });
});

describe.each(surfaces)("over %s, a conversion", (surface) => {
  it("earns once", async () => {
    const { referral, affiliate } = program;
    const input = { kind: "demo_booked", referral_id: referral.id, reference: "booking-1" };
    const { data: created } = await call(surface, organization, { name, input });
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: "demo_booked",
      reference: "booking-1",
      occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      referral_id: referral.id,
      affiliate_id: affiliate.id,
      outcome: "commission",
      commission_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const again = { kind: "demo_booked", email: referral.email.toUpperCase() };
    expect((await call(surface, organization, { name, input: again })).data).toEqual(created);
    const { commission_id: id } = created as { commission_id: string };
    const commission = await call(surface, organization, { name: "commissions.get", input: { id } });
    expect(commission.data).toMatchObject({
      lead: "demo_booked",
      revenue_amount: 0,
      commission_amount: 20,
      currency: "USD",
      processor_payment_id: null,
    });
    // As it is read, it is also written, without a change.
    const { data } = await call(surface, organization, {
      name: "commissions.update",
      input: commission.data as never,
    });
    expect(data).toEqual(commission.data);
  });

  it("is unknown without a referral", async () => {
    for (const customer of [
      { email: "nobody@customers.test" },
      { processor_customer_id: "cus_nobody" },
      { referral_id: unknownId() },
      { click_id: unknownId() },
    ]) {
      const input = { kind: "demo_booked", ...customer };
      const { error } = await call(surface, organization, { name, input });
      expect(error).toMatchObject({
        code: "not_found",
        message: expect.stringContaining("report the sign-up first"),
      });
    }
  });
});

it.each([
  ["kind", { kind: "signup", email: "a@customers.test" }],
  ["kind", { kind: "Demo", email: "a@customers.test" }],
  ["referral_id", { kind: "demo_booked" }],
  ["email", { kind: "demo_booked", email: "a" }],
  ["occurred_at", { kind: "demo_booked", email: "a@customers.test", occurred_at: "2999-01-01T00:00:00Z" }],
])("is refused for its %s", async (field, input) => {
  expect(await refusedFields(organization, name, input)).toEqual([field]);
});

it("finds neither customers nor clicks of other organizations", async () => {
  const other = await createTrackedProgram(service);
  const { click_id } = (await click(other)).body.data;
  const email = "new@customers.test";
  const { id: referral_id } = await other.organization.trpc.referrals.create.mutate({
    affiliate_id: other.affiliate.id,
    email,
  });
  for (const customer of [{ referral_id }, { email }, { click_id }, { click_id, email }]) {
    const input = { kind: "demo_booked", ...customer };
    expect(await errorOf(organization, name, input)).toMatchObject({ code: "not_found" });
  }
});

it("corrects a lead's commission, but gives it no payment and no revenue", async () => {
  const { referral } = program;
  const made = await organization.trpc.conversions.create.mutate({
    kind: "demo_booked",
    referral_id: referral.id,
  });
  const id = made.commission_id ?? "";
  expect(await refusedFields(organization, "commissions.update", { id, revenue_amount: 5 })).toEqual([
    "revenue_amount",
  ]);
  expect(
    await refusedFields(organization, "commissions.update", { id, processor_payment_id: "pi_1" }),
  ).toEqual(["processor_payment_id"]);
  const { commission } = program;
  expect(
    await refusedFields(organization, "commissions.update", { id: commission.id, revenue_amount: 0 }),
  ).toEqual(["revenue_amount"]);
  const corrected = await organization.trpc.commissions.update.mutate({ id, commission_amount: 12 });
  expect(corrected).toMatchObject({ commission_amount: 12, revenue_amount: 0 });
});
