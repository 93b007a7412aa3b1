/* Tiers: when affiliates reach them, the earnings of payments in them, and bonuses. */
import { addDays, startOf } from "@findersfee/contract/reports/periods";
import { eventBodySchemas } from "@findersfee/contract/webhooks/events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAffiliates } from "../../src/affiliates/list.ts";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import { moveAffiliates } from "../../src/affiliates/move.ts";
import { setAffiliateRules } from "../../src/affiliates/rules.ts";
import { getCampaign } from "../../src/campaigns/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listAdjustments } from "../../src/ledger/adjustments/list.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { sealTotals } from "../../src/reports/totals/seal.ts";
import { getAffiliateTiers } from "../../src/tiers/get.ts";
import { addAffiliate, addPartner, click, commissions, report } from "../attribution/program.ts";
import { checkout, payment } from "../attribution/reported.ts";
import { percent, rule } from "../attribution/rules.ts";
import { addEndpoint } from "../subscriber.ts";
import {
  bring,
  evaluate,
  makeTierContext,
  measuredUntil,
  seal,
  tiersOf,
  yesterday,
} from "../tier-program.ts";
import { ownOrganization } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let day: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeTierContext(test.database);
  day = await yesterday(context);
});

async function namesOf(affiliate_id: string): Promise<(string | null)[]> {
  const { changes } = await getAffiliateTiers(context, affiliate_id);
  return changes.map(({ name }) => name).reverse();
}

async function bonusesOf(affiliate_id: string): Promise<string[]> {
  const { data } = await listAdjustments(context, { affiliate_id, limit: 100, cursor: "" });
  return data.map(({ amount, currency, reason }) => `${amount} ${currency} ${reason}`).reverse();
}

/** The tiers of the events, each with the one before, as `before > after`. */
async function eventsOf(affiliate_id: string): Promise<string[]> {
  const rows = await test.database<{ body: string }[]>`
    select body from events
    where organization_id = ${context.organization.id} and type = 'affiliate.tier_changed'
      and body::json #>> '{data,id}' = ${affiliate_id}
    order by position, id`;
  return rows.map(({ body }) => {
    const parsed = eventBodySchemas["affiliate.tier_changed"].parse(JSON.parse(body));
    expect(JSON.stringify(parsed)).toBe(body);
    const { data } = parsed;
    return `${data.former_tier?.name} > ${data.tier.name}`;
  });
}

async function expectSoundLedger(): Promise<void> {
  const found = await verifyLedger(test.database, context.organization.id);
  expect(found.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

const GOLD = { name: "Gold", from: 2, commission: percent(50), bonus: 100 };
const SILVER = { name: "Silver", from: 1, commission: percent(40) };

/** A payment of 100.00 at a time, by a new customer of an affiliate. */
async function pay(affiliate_id: string, name: string, at: Date): Promise<void> {
  const customer = { customer_id: `cus_${name}`, email: `${name}@customers.test` };
  const click_id = await click(context, { affiliate_id, at: new Date(at.getTime() - 60_000) });
  await report(
    context,
    checkout({
      subject: `cs_${name}`,
      ...customer,
      click_ids: [click_id],
      at: new Date(at.getTime() - 30_000),
    }),
    payment({ subject: `in_${name}`, ...customer, at, references: [`pi_${name}`] }),
  );
}

const amountOf = async (name: string) =>
  (await commissions(context)).find((row) => row.processor_payment_id === `in_${name}`)?.commission_minor;

describe("the settings", () => {
  it("are returned as they were set, beside the rules", async () => {
    const id = crypto.randomUUID();
    const tiers = tiersOf({ measure: "revenue", period: "month" }, SILVER, { ...GOLD, id, from: 99.5 });
    const { campaign_id } = await addPartner(context, {
      tiers,
      leaderboard: "initials",
      rules: [rule({ tiers: [id] }, percent(60))],
    });
    const campaign = await getCampaign(context, campaign_id);
    expect(campaign.tiers).toEqual({
      ...tiers,
      steps: [
        { ...SILVER, bonus: null, id: expect.any(String) },
        { ...GOLD, id, from: 99.5 },
      ],
    });
    expect(campaign.leaderboard).toBe("initials");
    expect(campaign.rules).toEqual([{ id: expect.any(String), ...rule({ tiers: [id] }, percent(60)) }]);
    const unchanged = await updateCampaign(context, { id: campaign_id, tiers: campaign.tiers });
    expect(unchanged).toEqual(campaign);
    const without = await updateCampaign(context, { id: campaign_id, tiers: null, rules: [] });
    expect(without).toEqual({ ...campaign, tiers: null, rules: [] });
  });

  it("refuse what contradicts itself", async () => {
    const step = { ...SILVER, id: crypto.randomUUID(), bonus: 0.001 };
    await expect(
      addPartner(context, {
        tiers: tiersOf({}, { ...step, from: 1.5 }, { ...step, from: 2 }),
        rules: [{ ...rule({ tiers: [crypto.randomUUID()] }, percent(1)), id: step.id }],
      }),
    ).rejects.toMatchObject({
      issues: [
        { path: "tiers.steps[0].from" },
        { path: "tiers.steps[0].bonus" },
        { path: "tiers.steps[1].id" },
        { path: "tiers.steps[1].name" },
        { path: "tiers.steps[1].bonus" },
        { path: "rules[0].id" },
        { path: "rules[0].conditions.tiers" },
      ],
    });
  });
});

describe("an evaluation", () => {
  it("gives the highest tier that was reached, once, and waits for the next day", async () => {
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers: tiersOf({}, SILVER, GOLD) });
    const other = await addAffiliate(context, { campaign_id });
    await bring(context, { affiliate_id, day, count: 2 });
    await bring(context, { affiliate_id: other, day: addDays(day, -400) });
    await seal(context);
    expect(await evaluate(context, 1)).toEqual({ changed: 2, failed: 0, has_more: false });
    expect(await namesOf(affiliate_id)).toEqual(["Gold"]);
    expect(await namesOf(other)).toEqual(["Silver"]);
    expect(await getAffiliateTiers(context, affiliate_id)).toMatchObject({
      progress: { measure: "customers", period: "all_time", number: 2 },
      changes: [{ campaign_id, number: 2, measured_on: day }],
    });
    // They were there before the bonus was offered.
    expect(await bonusesOf(affiliate_id)).toEqual([]);
    expect(await evaluate(context)).toEqual({ changed: 0, failed: 0, has_more: false });
    const [{ is_later }] = await test.database<[{ is_later: boolean }]>`
      select due_at > now() as is_later from tier_evaluations where organization_id = ${context.organization.id}`;
    expect(is_later).toBe(true);
  });

  it("sends the affiliate with its tier, to endpoints of the campaign", async () => {
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers: tiersOf({}, SILVER, GOLD) });
    const { campaign_id: elsewhere } = await addPartner(context);
    const endpoint = await addEndpoint(context, { campaign_ids: [campaign_id] });
    await addEndpoint(context, { campaign_ids: [elsewhere] });
    await bring(context, { affiliate_id, day: addDays(day, -3) });
    await bring(context, { affiliate_id, day: addDays(day, -1) });
    await seal(context);
    await measuredUntil(context, { day: addDays(day, -3) });
    await evaluate(context);
    expect(await eventsOf(affiliate_id)).toEqual(["undefined > Silver", "Silver > Gold"]);
    const { changes } = await getAffiliateTiers(context, affiliate_id);
    const sent = await test.database<{ endpoint_id: string; body: string }[]>`
      select delivery.endpoint_id, event.body from deliveries delivery
      join events event on event.organization_id = delivery.organization_id and event.id = delivery.event_id
      where delivery.organization_id = ${context.organization.id} and event.type = 'affiliate.tier_changed'
      order by event.position, event.id`;
    expect(sent.map(({ endpoint_id }) => endpoint_id)).toEqual([endpoint.id, endpoint.id]);
    const [first, second] = sent.map(({ body }) => JSON.parse(body).data);
    expect(second).toMatchObject({ id: affiliate_id, campaign: { id: campaign_id } });
    // Like other events, without fields for the organization alone.
    expect(second).not.toHaveProperty("note");
    expect([second.tier, first.tier]).toEqual(changes);
    expect(second.former_tier).toEqual({ id: first.tier.id, name: "Silver" });
  });

  it("is what lists of affiliates filter by: the last tier, in the affiliate's campaign", async () => {
    const fields = { tiers: tiersOf({}, SILVER, { ...GOLD, bonus: null }) };
    const { affiliate_id, campaign_id } = await addPartner(context, fields);
    const other = await addAffiliate(context, { campaign_id });
    const { campaign_id: elsewhere } = await addPartner(context);
    const steps = (await getCampaign(context, campaign_id)).tiers?.steps ?? [];
    const [silver = "", gold = ""] = steps.map(({ id }) => id);
    await bring(context, { affiliate_id: other, day });
    await bring(context, { affiliate_id, day: addDays(day, -3) });
    await bring(context, { affiliate_id, day: addDays(day, -1) });
    await seal(context);
    await measuredUntil(context, { day: addDays(day, -3) });
    await evaluate(context);
    expect(await namesOf(affiliate_id)).toEqual(["Silver", "Gold"]);
    expect(await listed(silver)).toEqual([other]);
    expect(await listed(gold)).toEqual([affiliate_id]);
    await moveAffiliates(context, { ids: [affiliate_id], campaign_id: elsewhere });
    expect(await listed(gold)).toEqual([]);

    async function listed(tier_id: string): Promise<string[]> {
      const rows = await listAffiliateRows(context, { tier_id, limit: 10 });
      const { data } = await listAffiliates(context, { tier_id, limit: 10, cursor: "" });
      expect(data.map(({ id }) => id)).toEqual(rows.data.map(({ id }) => id));
      return data.map(({ id }) => id);
    }
  });

  it("waits until the day is sealed", async () => {
    const { affiliate_id } = await addPartner(context, { tiers: tiersOf({}, SILVER) });
    for (const ago of [-2, 0]) await bring(context, { affiliate_id, day: addDays(day, ago) });
    await test.database`
      update total_seals set is_outdated = true, due_at = now() where organization_id = ${context.organization.id}`;
    await evaluateNow({ changed: 0 });
    // A rebuild of several turns.
    const owner = await ownOrganization(test.database, context.organization.id);
    expect(await sealTotals(test.database, context.organization.id, { owner, rows: 1 })).toBe("more");
    await evaluateNow({ changed: 0 });
    await seal(context);
    await evaluateNow({ changed: 1 });

    async function evaluateNow(expected: { changed: number }) {
      await test.database`
        update tier_evaluations set due_at = now() where organization_id = ${context.organization.id}`;
      expect(await evaluate(context)).toMatchObject(expected);
    }
  });

  it("does not complete a day that became due at another time between two affiliates", async () => {
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers: tiersOf({}, SILVER) });
    const affiliates = [affiliate_id, await addAffiliate(context, { campaign_id })];
    for (const one of affiliates) await bring(context, { affiliate_id: one, day });
    await seal(context);
    await measuredUntil(context, { day: addDays(day, -1) });
    const { id } = context.organization;
    await test.database.unsafe(`
      create function postpone_tiers() returns trigger language plpgsql as $$
      begin
        update tier_evaluations set due_at = now() + interval '1 hour' where organization_id = new.organization_id;
        return null;
      end $$;
      create trigger postponed after insert on affiliate_tiers for each row execute function postpone_tiers()`);
    expect(await evaluate(context)).toMatchObject({ changed: 1 });
    await test.database.unsafe("drop trigger postponed on affiliate_tiers; drop function postpone_tiers");
    await test.database`update tier_evaluations set due_at = now() where organization_id = ${id}`;
    expect(await evaluate(context)).toMatchObject({ changed: 1 });
    for (const one of affiliates) expect(await namesOf(one)).toEqual(["Silver"]);
  });

  it("measures a month through its last day, and begins again", async () => {
    const first = startOf(day, "month");
    const last = addDays(first, -1);
    const { affiliate_id } = await addPartner(context, {
      tiers: tiersOf({ period: "month" }, { ...GOLD, bonus: 25.5 }),
    });
    await bring(context, { affiliate_id, day: last, count: 2 });
    await seal(context);
    await measuredUntil(context, { day: addDays(last, -1) });
    await evaluate(context);
    const [year, month] = last.split("-");
    expect(await namesOf(affiliate_id)).toEqual(["Gold", null]);
    expect(await eventsOf(affiliate_id)).toEqual(["undefined > Gold", "Gold > null"]);
    expect(await bonusesOf(affiliate_id)).toEqual([`25.5 USD Bonus: Gold (${month}/${year})`]);
    // A worker that measures the days again pays nothing again.
    await measuredUntil(context, { day: addDays(last, -1) });
    await evaluate(context);
    expect(await bonusesOf(affiliate_id)).toHaveLength(1);
    await expectSoundLedger();
  });

  it("counts 90 days, and amounts in the organization's currency alone", async () => {
    const tiers = tiersOf({ measure: "revenue", period: "last_90_days" }, { name: "Gold", from: 40 });
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers });
    const [other, former] = [
      await addAffiliate(context, { campaign_id }),
      await addAffiliate(context, { campaign_id }),
    ];
    await bring(context, { affiliate_id, day: addDays(day, -89), count: 2 });
    await bring(context, { affiliate_id: former, day: addDays(day, -90), count: 2 });
    await bring(context, { affiliate_id: other, day, count: 1 });
    await bring(context, { affiliate_id: other, day, count: 9, currency: "EUR" });
    await seal(context);
    await evaluate(context);
    expect(await namesOf(affiliate_id)).toEqual(["Gold"]);
    expect(await namesOf(former)).toEqual([]);
    expect(await namesOf(other)).toEqual([]);
    expect((await getAffiliateTiers(context, other)).progress).toMatchObject({ number: 20 });
  });

  it("gives a bonus for what is reached after it was offered, and each step its own", async () => {
    const { affiliate_id, campaign_id } = await addPartner(context, {
      tiers: tiersOf({}, { ...SILVER, bonus: 10 }, GOLD, { name: "Target", from: 3, bonus: 1000 }),
    });
    const early = await addAffiliate(context, { campaign_id });
    await bring(context, { affiliate_id: early, day: addDays(day, -3), count: 2 });
    await bring(context, { affiliate_id: early, day, count: 1 });
    await bring(context, { affiliate_id, day, count: 2 });
    await seal(context);
    await measuredUntil(context, { day: addDays(day, -1), bonuses_from: addDays(day, -2) });
    await evaluate(context);
    expect(await bonusesOf(affiliate_id)).toEqual(["10 USD Bonus: Silver", "100 USD Bonus: Gold"]);
    expect(await bonusesOf(early)).toEqual(["1000 USD Bonus: Target"]);
    await expectSoundLedger();
  });

  it("leaves out banned affiliates, and follows one that moves", async () => {
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers: tiersOf({}, SILVER) });
    const banned = await addAffiliate(context, { campaign_id });
    await bring(context, { affiliate_id, day });
    await bring(context, { affiliate_id: banned, day });
    await test.database`update affiliates set banned = true where id = ${banned}`;
    await seal(context);
    await evaluate(context);
    expect(await namesOf(banned)).toEqual([]);
    const { campaign_id: next } = await addPartner(context, {
      tiers: tiersOf({}, { name: "Start", from: 1 }),
    });
    await moveAffiliates(context, { ids: [affiliate_id], campaign_id: next });
    await seal(context);
    await evaluate(context);
    expect(await namesOf(affiliate_id)).toEqual(["Silver", "Start"]);
    // The former tier is of another campaign.
    expect(await eventsOf(affiliate_id)).toEqual(["undefined > Silver", "undefined > Start"]);
    expect(await eventsOf(banned)).toEqual([]);
  });

  it("survives each call that fails", async () => {
    for (const kind of LOST_ANSWERS) {
      await failEachCall(test.url, kind, async (database) => {
        context = await makeTierContext(test.database);
        day = await yesterday(context);
        const { affiliate_id } = await addPartner(context, { tiers: tiersOf({ period: "month" }, GOLD) });
        await bring(context, { affiliate_id, day, count: 2 });
        await seal(context);
        await measuredUntil(context, { day: addDays(day, -1), bonuses_from: startOf(day, "month") });
        await evaluate({ ...context, database }).catch(() => {});
        await test.database`
          update tier_evaluations set due_at = now() where organization_id = ${context.organization.id} and failures > 0`;
        await evaluate(context);
        expect(await namesOf(affiliate_id)).toEqual(["Gold"]);
        expect(await eventsOf(affiliate_id)).toEqual(["undefined > Gold"]);
        expect(await bonusesOf(affiliate_id)).toHaveLength(1);
        await expectSoundLedger();
      });
    }
  });
});

describe("a payment", () => {
  it("earns what the tier of its time gives, as it was known when the payment was first decided", async () => {
    const tiers = tiersOf({}, SILVER, { name: "Target", from: 2, bonus: 5 });
    const { affiliate_id, campaign_id } = await addPartner(context, { tiers });
    await bring(context, { affiliate_id, day });
    await seal(context);
    await pay(affiliate_id, "before", new Date(Date.now() - 3_600_000));
    await evaluate(context);
    const after = new Date();
    await pay(affiliate_id, "after", after);
    await pay(affiliate_id, "late", new Date(Date.now() - 3_600_000));
    expect(await amountOf("before")).toBe(3_000n);
    expect(await amountOf("after")).toBe(4_000n);
    expect(await amountOf("late")).toBe(3_000n);
    await bring(context, { affiliate_id, day: addDays(day, -1) });
    await seal(context);
    await test.database`update tier_evaluations set due_at = now(), is_changed = true where organization_id = ${context.organization.id}`;
    await evaluate(context);
    expect(await namesOf(affiliate_id)).toEqual(["Silver", "Target"]);
    // A target without a commission of its own leaves the former tier's commission.
    await pay(affiliate_id, "target", new Date());
    expect(await amountOf("target")).toBe(4_000n);
    await updateCampaign(context, { id: campaign_id, tiers: null });
    await pay(affiliate_id, "without", new Date());
    expect(await amountOf("without")).toBe(3_000n);
    await pay(affiliate_id, "after", after);
    expect(await amountOf("after")).toBe(4_000n);
    await expectSoundLedger();
  });

  it("meets conditions of the campaign's and the affiliate's own rules", async () => {
    const id = crypto.randomUUID();
    const { affiliate_id } = await addPartner(context, {
      tiers: tiersOf({}, { name: "Gold", from: 1, id }),
      rules: [rule({ tiers: [id] }, percent(60))],
    });
    await bring(context, { affiliate_id, day });
    await seal(context);
    await pay(affiliate_id, "before", new Date(Date.now() - 60_000));
    await evaluate(context);
    await pay(affiliate_id, "after", new Date());
    await setAffiliateRules(context, {
      affiliate_ids: [affiliate_id],
      note: null,
      rules: [rule({ tiers: [id] }, percent(70))],
    });
    await pay(affiliate_id, "own", new Date());
    expect([await amountOf("before"), await amountOf("after"), await amountOf("own")]).toEqual([
      3_000n,
      6_000n,
      7_000n,
    ]);
  });
});
