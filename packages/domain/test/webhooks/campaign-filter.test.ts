import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { insertReplay } from "@findersfee/database/webhooks/replays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { newId } from "../../src/ids.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import { enableEndpoint } from "../../src/webhooks/endpoints/enable.ts";
import { serializeEvent } from "../../src/webhooks/events/data.ts";
import { recordEvent } from "../../src/webhooks/events/record.ts";
import { addAffiliate, addPartner, click, type Partner, report } from "../attribution/program.ts";
import { checkout, payment, second } from "../attribution/reported.ts";
import { addEndpoint, makeContext, POLICY, recordEvents } from "../subscriber.ts";
import { stepReplays } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let mine: Partner;
let other: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  mine = await addPartner(context);
  other = await addPartner(context);
});

/** The types of the events that an endpoint gets, sorted. */
async function typesFor(endpoint_id: string): Promise<string[]> {
  const rows = await test.database<{ type: string }[]>`
    select event.type from deliveries delivery
    join events event on event.organization_id = delivery.organization_id and event.id = delivery.event_id
    where delivery.endpoint_id = ${endpoint_id} order by event.type`;
  return rows.map(({ type }) => type);
}

/** Has all events happen in a campaign that requests cause. */
async function makeAllEvents({ campaign_id }: Partner): Promise<void> {
  const affiliate_id = await addAffiliate(context, { campaign_id, approved: false });
  await updateAffiliate(context, { id: affiliate_id, approved: true });
  const email = `${affiliate_id}@customers.test`;
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  await createCommission(context, { referral_id: referral.id, revenue_amount: 100, commission_amount: 30 });
}

const ALL_TYPES = [
  "affiliate.approved",
  "affiliate.created",
  "commission.created",
  "referral.converted",
  "referral.created",
];

it("delivers all event types of the listed campaigns only", async () => {
  const named = await addEndpoint(context, { campaign_ids: [mine.campaign_id] });
  const unnamed = await addEndpoint(context, { campaign_ids: [other.campaign_id] });
  const both = await addEndpoint(context, { campaign_ids: [other.campaign_id, mine.campaign_id] });
  const unfiltered = await addEndpoint(context);
  await makeAllEvents(mine);
  expect(await typesFor(named.id)).toEqual(ALL_TYPES);
  expect(await typesFor(both.id)).toEqual(ALL_TYPES);
  expect(await typesFor(unfiltered.id)).toEqual(ALL_TYPES);
  expect(await typesFor(unnamed.id)).toEqual([]);
});

it("filters by type and campaign together", async () => {
  const event_types = ["referral.created"] as ["referral.created"];
  const { id } = await addEndpoint(context, { campaign_ids: [mine.campaign_id], event_types });
  await makeAllEvents(mine);
  await makeAllEvents(other);
  expect(await typesFor(id)).toEqual(["referral.created"]);
});

it("filters events of attributed payments", async () => {
  const named = await addEndpoint(context, { campaign_ids: [mine.campaign_id] });
  const unnamed = await addEndpoint(context, { campaign_ids: [other.campaign_id] });
  const click_id = await click(context, { affiliate_id: mine.affiliate_id, at: second(10) });
  const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
  await report(
    context,
    checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(100), references: ["in_1"] }),
    payment({ subject: "in_1", ...customer, at: second(101) }),
  );
  expect(await typesFor(named.id)).toEqual(["commission.created", "referral.converted", "referral.created"]);
  expect(await typesFor(unnamed.id)).toEqual([]);
});

it("does not deliver events that concern no campaign to an endpoint that filters", async () => {
  const filtering = await addEndpoint(context, { campaign_ids: [mine.campaign_id] });
  const unfiltered = await addEndpoint(context);
  await recordEvents(context, 1);
  // An affiliate with the same id in another organization is another affiliate.
  const stranger = await makeContext(test.database);
  const foreign = await addPartner(stranger);
  const data = { affiliate: { id: foreign.affiliate_id } } as never;
  const event = serializeEvent("referral.created", data, new Date());
  await recordEvent(test.database, context.organization.id, event);
  expect(await typesFor(filtering.id)).toEqual([]);
  expect(await typesFor(unfiltered.id)).toEqual(["affiliate.created", "referral.created"]);
});

it("replays missed events by the same rule", async () => {
  const filtering = await addEndpoint(context, { campaign_ids: [mine.campaign_id] });
  const unfiltered = await addEndpoint(context);
  for (const { id } of [filtering, unfiltered]) await disableEndpoint(context, id);
  await makeAllEvents(mine);
  await makeAllEvents(other);
  for (const { id } of [filtering, unfiltered])
    await enableEndpoint(context, { id, replay_missed: true }, POLICY);
  while ((await stepReplays(test.database, context.organization.id)) === "stepped") {}
  // A replay begins a moment earlier, so the partners' own affiliate.created may be in it.
  const replayed = async (id: string) => (await typesFor(id)).filter((type) => type !== "affiliate.created");
  const [, , ...others] = ALL_TYPES;
  expect(await replayed(filtering.id)).toEqual(["affiliate.approved", ...others]);
  expect(await replayed(unfiltered.id)).toEqual(
    ["affiliate.approved", ...others].flatMap((type) => [type, type]),
  );
});

it("reads no body if no endpoint filters", async () => {
  // A body that is no JSON: reading it would fail.
  const unfiltered = await addEndpoint(context);
  const event = {
    id: newId(new Date()),
    type: "affiliate.created",
    body: "not JSON",
    created_at: new Date(),
  };
  await recordEvent(test.database, context.organization.id, event);
  expect(await typesFor(unfiltered.id)).toEqual(["affiliate.created"]);
  await transaction(test.database, async (sql) => {
    await sql`delete from pending_deliveries where endpoint_id = ${unfiltered.id}`;
    await insertReplay(sql, context.organization.id, {
      id: newId(new Date()),
      endpoint_id: unfiltered.id,
      kind: "missed",
      events_from: new Date(Date.now() - 60_000),
      events_to: new Date(Date.now() + 60_000),
      created_at: new Date(),
    });
  });
  while ((await stepReplays(test.database, context.organization.id)) === "stepped") {}
  expect(await typesFor(unfiltered.id)).toContain("affiliate.created");
});
