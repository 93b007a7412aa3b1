import { beforeEach, describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { call, errorOf, refusedFields, surfaces } from "../operations.ts";
import { type Program, unknownId } from "../program.ts";
import type { TestClient } from "../test-service.ts";
import { awayFromTheHour } from "../tracking-program.ts";

let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ program, organization } = made);
});

/**
 * Two referrals of two affiliates, each with a sign-up and a demo. An affiliate's second demo of a day meets
 * the limit.
 */
beforeEach(async () => {
  await awayFromTheHour();
  const { trpc } = organization;
  await trpc.campaigns.update.mutate({
    id: program.campaign.id,
    lead_commissions: [
      { kind: "signup", amount: 2.5 },
      { kind: "demo_booked", amount: 20, daily_limit: 1 },
    ],
  });
  await addCustomer(program.affiliate.id, "first@customers.test");
  await addCustomer(program.affiliate.id, "second@customers.test");
});

async function addCustomer(affiliate_id: string, email: string): Promise<string> {
  const { id } = await organization.trpc.referrals.create.mutate({ affiliate_id, email });
  await organization.trpc.conversions.create.mutate({
    kind: "demo_booked",
    referral_id: id,
    reference: `booking of ${email}`,
  });
  return id;
}

async function list(input: object) {
  const { data } = await organization.trpc.leads.list.query(input);
  return data.map(({ kind, outcome }) => `${kind} ${outcome}`);
}

describe.each(surfaces)("over %s, leads", (surface) => {
  it("are listed with their outcome, those recorded last first", async () => {
    const { data, status } = await call(surface, organization, { name: "leads.list", input: { limit: 3 } });
    expect(status).toBe(200);
    const lead = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      referral_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      affiliate_id: program.affiliate.id,
    };
    const paid = { outcome: "commission", commission_id: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(data).toMatchObject({
      data: [
        {
          ...lead,
          kind: "demo_booked",
          reference: "booking of second@customers.test",
          outcome: "daily_limit_reached",
          commission_id: null,
        },
        { ...lead, kind: "signup", reference: null, ...paid },
        { ...lead, kind: "demo_booked", reference: "booking of first@customers.test", ...paid },
      ],
      pagination: { has_more: true, total_count: 4 },
    });
  });

  it("are read one by one, with the commission that they earned", async () => {
    const { data } = await organization.trpc.leads.list.query({ kind: "signup", limit: 1 });
    const [lead] = data;
    const input = { id: lead?.id ?? "" };
    expect((await call(surface, organization, { name: "leads.get", input })).data).toEqual(lead);
    const commission = await organization.trpc.commissions.get.query({ id: lead?.commission_id ?? "" });
    expect(commission).toMatchObject({ lead: "signup", commission_amount: 2.5 });
  });
});

it("are filtered by kind, outcome, affiliate and referral", async () => {
  const { trpc } = organization;
  const { id: other } = await trpc.affiliates.create.mutate({
    campaign_id: program.campaign.id,
    email: "other@example.com",
  });
  const referral_id = await addCustomer(other, "third@customers.test");
  expect(await list({ kind: "signup" })).toEqual(Array(3).fill("signup commission"));
  expect(await list({ outcome: "daily_limit_reached" })).toEqual(["demo_booked daily_limit_reached"]);
  expect(await list({ affiliate_id: other })).toEqual(["demo_booked commission", "signup commission"]);
  expect(await list({ referral_id, kind: "signup" })).toEqual(["signup commission"]);
  expect(await list({ affiliate_id: other, outcome: "daily_limit_reached" })).toEqual([]);
  expect(await list({ kind: "webinar" })).toEqual([]);
});

it("show what they earn now", async () => {
  const [lead] = (await organization.trpc.leads.list.query({ kind: "signup", limit: 1 })).data;
  await organization.trpc.referrals.stop.mutate({ referral_id: lead?.referral_id ?? "", reason: "Test" });
  const { outcome, commission_id } = await organization.trpc.leads.get.query({ id: lead?.id ?? "" });
  // The stop begins now, after the sign-up.
  expect({ outcome, commission_id }).toEqual({ outcome: "commission", commission_id: lead?.commission_id });
  await organization.trpc.commissions.update.mutate({ id: commission_id ?? "", payout_status: "voided" });
  expect(await organization.trpc.leads.get.query({ id: lead?.id ?? "" })).toEqual(lead);
});

it("of unknown ids are not found", async () => {
  expect(await errorOf(organization, "leads.get", { id: unknownId() })).toMatchObject({
    code: "not_found",
    message: expect.stringContaining("lead"),
  });
  for (const field of ["affiliate_id", "referral_id"]) {
    expect(await errorOf(organization, "leads.list", { [field]: unknownId() })).toMatchObject({
      code: "not_found",
    });
  }
});

it.each([
  ["kind", "Demo booked"],
  ["outcome", "paid"],
  ["affiliate_id", "jane"],
])("refuses %s of %j", async (field, value) => {
  expect(await refusedFields(organization, "leads.list", { [field]: value })).toEqual([field]);
});
