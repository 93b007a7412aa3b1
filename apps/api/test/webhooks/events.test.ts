import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { type EventType, eventBodySchemas, eventTypes } from "@findersfee/contract/webhooks/events";
import { refuseCommits } from "@findersfee/database/testing/held-transaction";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, call, errorOf, surfaces } from "../operations.ts";
import { addCommission, addEndpoint, CAMPAIGN, type Program, storedRows } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

/** The stored bodies of a type, in insertion order. */
async function bodies(type: EventType): Promise<string[]> {
  const { organization_id } = organization;
  const rows = await service.database<{ body: string }[]>`
    select body from events where organization_id = ${organization_id} and type = ${type}
    order by position, id`;
  return rows.map(({ body }) => body);
}

function reducedAffiliate() {
  const { id, email, first_name, last_name } = program.affiliate;
  return { id, email, first_name, last_name };
}

function reducedCampaign() {
  const { id, name, commission_type, commission_amount } = program.campaign;
  return { id, name, commission_type, commission_amount };
}

/** The affiliate of an event, without the fields that only the organization sees. */
function eventAffiliate({
  note: _note,
  left_at: _left_at,
  tags: _tags,
  recruited_by: _recruited_by,
  campaign: _campaign,
  ...fields
}: Affiliate): object {
  return { ...fields, campaign: reducedCampaign() };
}

/** An event's text, with keys in the order of the specification. */
function body(type: EventType, data: object): string {
  return JSON.stringify({ type, data });
}

describe("bodies", () => {
  it("contain the affiliate with its reduced campaign", async () => {
    const data = eventAffiliate(program.affiliate);
    expect(await bodies("affiliate.created")).toEqual([body("affiliate.created", data)]);
    expect(await bodies("affiliate.approved")).toEqual([]);
  });

  it("contain the referral with its reduced affiliate", async () => {
    const { affiliate: _affiliate, ...fields } = program.referral;
    const data = { ...fields, affiliate: reducedAffiliate() };
    expect(await bodies("referral.created")).toEqual([body("referral.created", data)]);
    expect(await bodies("referral.converted")).toEqual([body("referral.converted", data)]);
  });

  it("contain the commission with its reduced affiliate and its referral", async () => {
    const { affiliate: _affiliate, ...fields } = program.commission;
    const data = { ...fields, affiliate: reducedAffiliate() };
    expect(Object.keys(data.referral)).not.toContain("affiliate");
    expect(data.payout).toBeNull();
    expect(await bodies("commission.created")).toEqual([body("commission.created", data)]);
  });

  it("match the contract exactly", async () => {
    const { id } = program.affiliate;
    await organization.trpc.affiliates.update.mutate({ id, approved: false });
    await organization.trpc.affiliates.update.mutate({ id, approved: true });
    // That of a changed tier: packages/domain/test/tiers/tiers.test.ts.
    for (const type of eventTypes.filter((one) => one !== "affiliate.tier_changed")) {
      const [text = ""] = await bodies(type);
      expect(JSON.stringify(eventBodySchemas[type].parse(JSON.parse(text)))).toBe(text);
    }
  });

  it("keep the state at the time of the event, and every character", async () => {
    const details = '"Quotes" \u2028 \u{1f600} </script> \\u0041 \t';
    const input = { email: "odd@example.com", details };
    const { id } = await organization.trpc.affiliates.create.mutate(input);
    const [, before] = await bodies("affiliate.created");
    await organization.trpc.affiliates.update.mutate({ id, details: "Changed", email: "new@example.com" });
    await organization.trpc.campaigns.update.mutate({ id: program.campaign.id, name: "Changed" });
    const [, after] = await bodies("affiliate.created");
    expect(after).toBe(before);
    expect(JSON.parse(after ?? "").data).toMatchObject({ details, campaign: { name: CAMPAIGN.name } });
  });

  it("contain fixed amounts of a campaign in major units", async () => {
    const { id } = program.campaign;
    const change = { id, commission_type: "fixed", commission_amount: 12.5 } as const;
    await organization.trpc.campaigns.update.mutate(change);
    await organization.trpc.affiliates.create.mutate({ email: "fixed@example.com" });
    const [, text = ""] = await bodies("affiliate.created");
    expect(JSON.parse(text).data.campaign).toMatchObject({
      commission_type: "fixed",
      commission_amount: 12.5,
    });
  });
});

describe("affiliate.approved", () => {
  it("is sent on every change from unapproved to approved, with the current affiliate", async () => {
    const created = await organization.trpc.affiliates.create.mutate({
      email: "waits@example.com",
      approved: false,
    });
    expect(await bodies("affiliate.approved")).toEqual([]);
    for (const [approved, count] of [
      [false, 0],
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ] as const) {
      const change = { id: created.id, approved, first_name: `Approved ${approved}` };
      const updated = await organization.trpc.affiliates.update.mutate(change);
      const texts = await bodies("affiliate.approved");
      expect(texts).toHaveLength(count);
      if (approved) expect(texts.at(-1)).toBe(body("affiliate.approved", eventAffiliate(updated)));
    }
  });

  it("is not sent on other changes of an unapproved affiliate", async () => {
    const input = { email: "waits@example.com", approved: false };
    const { id } = await organization.trpc.affiliates.create.mutate(input);
    await organization.trpc.affiliates.update.mutate({ id, banned: true, details: "Waits." });
    expect(await bodies("affiliate.approved")).toEqual([]);
  });
});

it("sends referral.converted once, for the first commission, even if it is voided", async () => {
  const { commission } = program;
  await organization.trpc.commissions.update.mutate({ id: commission.id, payout_status: "voided" });
  await addCommission(program);
  await addCommission(program);
  expect(await bodies("referral.converted")).toHaveLength(1);
  expect(await bodies("commission.created")).toHaveLength(3);
});

it("sends no event for changes without one", async () => {
  const before = await storedRows(service.database);
  await answerOf(organization, "campaigns.update", { id: program.campaign.id, name: "Other" });
  await answerOf(organization, "affiliates.update", { id: program.affiliate.id, first_name: "Other" });
  await answerOf(organization, "referrals.update", {
    id: program.referral.id,
    subscription_status: "active",
  });
  await answerOf(organization, "commissions.update", { id: program.commission.id, revenue_amount: 5 });
  await organization.trpc.campaigns.create.mutate(CAMPAIGN);
  expect((await storedRows(service.database)).events).toEqual(before.events);
});

describe("deliveries", () => {
  async function deliveriesOf(endpoint_id: string): Promise<string[]> {
    const rows = await service.database<{ type: string; state: string; due: boolean }[]>`
      select event.type, delivery.state, delivery.next_attempt_at <= now() as due
      from deliveries delivery
      join events event on event.organization_id = delivery.organization_id and event.id = delivery.event_id
      where delivery.endpoint_id = ${endpoint_id} order by event.position, event.id`;
    for (const row of rows) expect(row).toMatchObject({ state: "pending", due: true });
    return rows.map(({ type }) => type);
  }

  it("exist once per event and enabled, subscribed endpoint", async () => {
    const { database } = service;
    const stranger = await service.organization();
    const all = await addEndpoint(database, organization);
    const some = await addEndpoint(database, organization, {
      event_types: ["referral.created", "referral.converted"],
    });
    const disabled = await addEndpoint(database, organization, { enabled: false });
    const foreign = await addEndpoint(database, stranger);

    const { trpc } = organization;
    const affiliate = await trpc.affiliates.create.mutate({ email: "new@example.com", approved: false });
    await trpc.affiliates.update.mutate({ id: affiliate.id, approved: true });
    const referral = await trpc.referrals.create.mutate({
      affiliate_id: affiliate.id,
      email: "n@example.com",
    });
    await addCommission({ ...program, referral });
    await addCommission({ ...program, referral });

    expect(await deliveriesOf(all)).toEqual([
      "affiliate.created",
      "affiliate.approved",
      "referral.created",
      "commission.created",
      "referral.converted",
      "commission.created",
    ]);
    expect(await deliveriesOf(some)).toEqual(["referral.created", "referral.converted"]);
    expect(await deliveriesOf(disabled)).toEqual([]);
    expect(await deliveriesOf(foreign)).toEqual([]);
  });

  it("do not exist for events before the endpoint", async () => {
    const endpoint = await addEndpoint(service.database, organization);
    expect(await deliveriesOf(endpoint)).toEqual([]);
  });
});

describe("a failed change", () => {
  it.each([["events"], ["affiliates", "referrals", "commissions"]])(
    "leaves no event and no delivery when its commit fails because of %s",
    async (...tables) => {
      const { database } = service;
      await addEndpoint(database, organization);
      const { affiliate, referral } = program;
      await database`update affiliates set approved = false where id = ${affiliate.id}`;
      const before = await storedRows(database);
      await refuseCommits(database, tables, async () => {
        for (const [name, input] of [
          ["affiliates.create", { email: "new@example.com" }],
          ["affiliates.update", { id: affiliate.id, approved: true }],
          ["referrals.create", { affiliate_id: affiliate.id, email: "new@example.com" }],
          ["commissions.create", { referral_id: referral.id, revenue_amount: 1, commission_amount: 1 }],
        ] as const) {
          for (const surface of surfaces) {
            const { error } = await call(surface, organization, { name, input });
            expect(error?.code).toBe("internal_error");
            expect(JSON.stringify(error)).not.toContain("refused");
          }
          expect(await storedRows(database)).toEqual(before);
        }
      });
    },
  );

  it("leaves no event when a rule rejects it after the first write", async () => {
    const input = { email: "new@example.com", ref_code: "jane-doe" };
    const before = await storedRows(service.database);
    expect(await errorOf(organization, "affiliates.create", input)).toMatchObject({ code: "code_taken" });
    const change = { id: program.affiliate.id, approved: true, promo_code: "X1" };
    await service.database`update affiliates set approved = false where id = ${program.affiliate.id}`;
    expect(await errorOf(organization, "affiliates.update", change)).toMatchObject({
      code: "invalid_request",
    });
    expect((await storedRows(service.database)).events).toEqual(before.events);
  });
});
