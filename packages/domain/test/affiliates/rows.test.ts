import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { newId } from "../../src/ids.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const list = async (query: Partial<Parameters<typeof listAffiliateRows>[1]> = {}) =>
  await listAffiliateRows(context, { limit: 50, ...query });

const idsOf = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ id }) => id);

/** Affiliates of the partner's campaign, the last one first. */
async function add(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.unshift(await addAffiliate(context, { campaign_id: partner.campaign_id }));
  }
  return ids;
}

async function earn(affiliate_id: string, email: string): Promise<void> {
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const amounts = { revenue_amount: 100, commission_amount: 10 };
  await createCommission(context, { referral_id: referral.id, ...amounts });
}

describe("the list of affiliates", () => {
  it("goes down and up again by pages", async () => {
    const ids = [...(await add(4)), partner.affiliate_id];
    const first = await list({ limit: 2 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = await list({ limit: 2, after: first.older ?? "" });
    expect(idsOf(next)).toEqual(ids.slice(2, 4));
    const back = await list({ limit: 2, before: next.newer ?? "" });
    expect(idsOf(back)).toEqual(ids.slice(0, 2));
    expect(back.newer).toBeNull();
    await expect(list({ after: "x" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("shows the figures of each, with its amounts by currency", async () => {
    const { affiliate_id } = partner;
    await earn(affiliate_id, "kim@customers.test");
    await createReferral(context, {
      affiliate_id,
      email: "lee@customers.test",
      subscription_status: "signed_up",
    });
    const { database, organization } = context;
    await database`
      insert into balances (organization_id, affiliate_id, currency, earned_minor, lost_minor, unpaid_minor)
      values (${organization.id}, ${affiliate_id}, 'JPY', 1200, 200, 1000)`;
    expect((await list()).data).toMatchObject([
      {
        id: affiliate_id,
        state: "active",
        campaign: { id: partner.campaign_id },
        clicks: 0,
        last_click_day: null,
        referrals: 2,
        converted: 1,
        balances: [
          { currency: "JPY", earned: 1000, due: 1000, unpaid: 1000 },
          { currency: "USD", earned: 10, due: 0, unpaid: 10 },
        ],
      },
    ]);
  });

  it("leaves out referrals that were replaced", async () => {
    await earn(partner.affiliate_id, "kim@customers.test");
    const { database, organization } = context;
    await database`update referrals set replaced_at = now() where organization_id = ${organization.id}`;
    expect((await list()).data[0]).toMatchObject({ referrals: 0, converted: 0 });
  });

  it("finds by state, campaign and time", async () => {
    const [banned = "", waiting = ""] = await add(2);
    await updateAffiliate(context, { id: banned, banned: true });
    await updateAffiliate(context, { id: waiting, approved: false });
    expect(idsOf(await list({ state: "active" }))).toEqual([partner.affiliate_id]);
    expect(idsOf(await list({ state: "waiting" }))).toEqual([waiting]);
    expect(idsOf(await list({ state: "banned" }))).toEqual([banned]);
    await updateAffiliate(context, { id: waiting, banned: true });
    expect(idsOf(await list({ state: "waiting" }))).toEqual([]);
    const other = await addPartner(context, { name: "Others" });
    expect(idsOf(await list({ campaign_id: other.campaign_id }))).toEqual([other.affiliate_id]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(idsOf(await list({ created_from: soon }))).toEqual([]);
    expect(idsOf(await list({ created_until: soon, state: "active" }))).toHaveLength(2);
    expect(idsOf(await list({ created_until: "2020-01-01T00:00:00Z" }))).toEqual([]);
    expect(idsOf(await list({ created_until: "2020-01-01T00:00:00Z", text: "partner" }))).toEqual([]);
    await expect(list({ campaign_id: newId(new Date()) })).rejects.toMatchObject({ code: "not_found" });
  });

  it("finds by a part of an email, a name or a code, in any case, and by an id", async () => {
    const jane = await addAffiliate(context, {
      campaign_id: partner.campaign_id,
      email: "Jane.D@Example.com",
      first_name: "Änne Maria",
      last_name: "O'Neil",
      ref_code: "Summer-26",
    });
    for (const text of [
      "jane.d@",
      "JANE",
      "änne",
      "ÄNNE MARIA o'n",
      "o'neil",
      "summer",
      " SUMMER-26 ",
      "maria",
      "e.d@ex",
      "MER-2",
    ]) {
      expect(idsOf(await list({ text })), text).toEqual([jane]);
    }
    for (const text of ["%", "_", "jane_d", "maria  o"]) {
      expect(idsOf(await list({ text })), text).toEqual([]);
    }
    for (const text of [jane, jane.slice(0, 30), `…${jane.slice(-8)}`]) {
      expect(idsOf(await list({ text })), text).toEqual([jane]);
    }
    expect(idsOf(await list({ text: "jane", state: "banned" }))).toEqual([]);
    const stranger = await makeContext(context.database);
    expect((await listAffiliateRows(stranger, { limit: 50, text: "jane" })).data).toEqual([]);
  });

  it("is ordered by a figure, both ways, and then leaves out affiliates without it", async () => {
    const { database, organization } = context;
    const ids = await add(4);
    const [first = "", second = "", third = "", fourth = ""] = ids;
    for (const [id, gross, lost, unpaid] of [
      [first, 100, 0, -50],
      [second, 300, 0, 0],
      [third, 500, 200, 20],
      [fourth, 900, 900, 0],
    ] as const) {
      await database`
        insert into balances (organization_id, affiliate_id, currency, earned_minor, lost_minor, unpaid_minor, paid_minor)
        values (${organization.id}, ${id}, 'USD', ${gross}, ${lost}, ${unpaid}, ${gross - lost - unpaid})`;
    }
    expect(idsOf(await list({ sort: "earned" }))).toEqual([second, third, first]);
    const page = await list({ sort: "earned", limit: 1 });
    expect(idsOf(page)).toEqual([second]);
    const next = await list({ sort: "earned", limit: 1, after: page.older ?? "" });
    expect(idsOf(next)).toEqual([third]);
    expect(idsOf(await list({ sort: "earned", limit: 1, before: next.newer ?? "" }))).toEqual([second]);
    expect(idsOf(await list({ owed: true }))).toEqual([third, first]);
    expect(idsOf(await list({ owed: true, sort: "earned", text: "partner" }))).toEqual([third, first]);
    expect(idsOf(await list({ sort: "unpaid", campaign_id: partner.campaign_id }))).toEqual([third, first]);
    for (const after of ["x", `${"9".repeat(30)}:${first}`, first]) {
      await expect(list({ sort: "earned", after })).rejects.toMatchObject({ code: "invalid_request" });
    }
    await database`
      insert into daily_totals (organization_id, generation, currency, day, affiliate_id, clicks, signups, conversions,
        revenue_minor, commission_minor, lost_minor)
      values (${organization.id}, 1, 'XXX', '2026-11-20', ${fourth}, 5, 0, 0, 0, 0, 0),
        (${organization.id}, 1, 'XXX', '2026-11-21', ${fourth}, 2, 0, 0, 0, 0, 0),
        (${organization.id}, 1, 'XXX', '2026-11-22', ${first}, 0, 1, 0, 0, 0, 0),
        (${organization.id}, 1, 'XXX', '2026-11-21', ${first}, 6, 0, 0, 0, 0, 0),
        (${organization.id}, 2, 'XXX', '2026-11-21', ${second}, 9, 0, 0, 0, 0, 0)`;
    expect(idsOf(await list({ sort: "clicks" }))).toEqual([fourth, first]);
    const lastDays = async () =>
      Object.fromEntries((await list()).data.map(({ id, last_click_day }) => [id, last_click_day]));
    expect(await lastDays()).toMatchObject({ [first]: "2026-11-21", [second]: null, [fourth]: "2026-11-21" });
    await database`update daily_totals set clicks = 3 where affiliate_id = ${first} and day = '2026-11-22'`;
    expect(await lastDays()).toMatchObject({ [first]: "2026-11-22" });
    await database`update daily_totals set clicks = 0 where affiliate_id = ${first} and day = '2026-11-22'`;
    await database`update daily_totals set clicks = 1 where clicks = 5`;
    expect(idsOf(await list({ sort: "clicks" }))).toEqual([first, fourth]);
    await database`update daily_totals set clicks = 0 where affiliate_id = ${first}`;
    expect(idsOf(await list({ sort: "clicks" }))).toEqual([fourth]);
    await database`update total_seals set generation = 2 where organization_id = ${organization.id}`;
    expect(idsOf(await list({ sort: "clicks" }))).toEqual([second]);
    expect(await lastDays()).toMatchObject({ [second]: "2026-11-21", [fourth]: null });
  });

  it("continues where a request with several conditions stopped looking", async () => {
    const { database, organization } = context;
    const [newest = ""] = await add(1);
    await database`update affiliates set email = 'zed@example.com' where id = ${newest}`;
    // More than the newest that are searched first, and more than are looked at then; only the oldest are banned.
    await database`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization.id}, first_id_of(timestamptz '2020-01-01' + number * interval '1 minute'),
        ${partner.campaign_id}, 'many' || number || '@example.com', '', '', true, number <= 3, true, now()
      from generate_series(1, 2500) as number`;
    const found: string[] = [];
    let page = await list({ text: "many", state: "banned" });
    for (let pages = 1; ; pages++) {
      found.push(...idsOf(page));
      if (page.older === null) break;
      expect(pages).toBeLessThan(4);
      page = await list({ text: "many", state: "banned", after: page.older });
    }
    expect(found).toHaveLength(3);
    expect(idsOf(await list({ text: "zed", state: "active" }))).toEqual([newest]);
    expect((await list({ text: "many", limit: 100 })).data).toHaveLength(100);
  });

  it("shows and finds declined applications, until they are approved or banned", async () => {
    const [id = ""] = await add(1);
    const decline = async () => {
      await updateAffiliate(context, { id, approved: false, banned: false });
      await context.database`update affiliates set declined_at = now(), decline_reason = 'no' where id = ${id}`;
    };
    await decline();
    expect(idsOf(await list({ state: "waiting" }))).toEqual([]);
    expect((await list({ state: "declined" })).data).toMatchObject([{ id, state: "declined" }]);
    for (const change of [{ approved: true }, { banned: true }]) {
      await decline();
      await updateAffiliate(context, { id, ...change });
      expect(idsOf(await list({ state: "declined" }))).toEqual([]);
    }
  });

  it("takes as many statements for many rows as for one", async () => {
    await earn(partner.affiliate_id, "kim@customers.test");
    const query = { text: "partner", campaign_id: partner.campaign_id, state: "active" } as const;
    const one = await statementsOf(context.database, () => list(query));
    const ids = await add(20);
    await earn(ids[0] ?? "", "lee@customers.test");
    const many = await statementsOf(context.database, () => list(query));
    expect(many.length).toBe(one.length);
    expect(many.length).toBeLessThanOrEqual(5);
    for (const cheaper of [{}, { text: "partner" }, { sort: "earned" }] as const) {
      expect((await statementsOf(context.database, () => list(cheaper))).length).toBeLessThanOrEqual(4);
    }
  });
});
