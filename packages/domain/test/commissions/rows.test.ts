import { listCommissionRows as listRows } from "@findersfee/database/commissions/list-rows";
import { isRare } from "@findersfee/database/commissions/search";
import { transaction } from "@findersfee/database/postgres/connect";
import { withoutTriggers } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import {
  commissionFilter,
  findTextMatches,
  listCommissionRows,
  readCommissionRows,
} from "../../src/commissions/list-rows.ts";
import { setCommissionStatuses } from "../../src/commissions/set-status.ts";
import { getCommissionStory } from "../../src/commissions/story.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, addPartner, type Partner, payOut, report } from "../attribution/program.ts";
import { checkout, payment, refund, second } from "../attribution/reported.ts";
import { addEndpoint, makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const list = async (query: Partial<Parameters<typeof listCommissionRows>[1]> = {}) =>
  await listCommissionRows(context, { limit: 50, ...query });

const idsOf = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ id }) => id);

/** A commission of a payment that was reported, after a click. */
async function earn(): Promise<string> {
  const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
  await report(
    context,
    checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", ...customer, at: second(20), paid_minor: 11_900n }),
  );
  return (await list({ text: "in_1" })).data[0]?.id ?? "";
}

/** Manual commissions of one customer, the first one is the oldest. */
async function create(count: number, affiliate_id = partner.affiliate_id, email = "kim@customers.test") {
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const amounts = { revenue_amount: 100, commission_amount: 10 };
    const { id } = await createCommission(context, { referral_id: referral.id, ...amounts });
    ids.push(id);
  }
  return ids;
}

describe("the list of commissions", () => {
  it("goes down and up again by pages", async () => {
    const ids = (await create(5)).reverse();
    const first = await list({ limit: 2 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = await list({ limit: 2, after: first.older ?? "" });
    expect(idsOf(next)).toEqual(ids.slice(2, 4));
    const back = await list({ limit: 2, before: next.newer ?? "" });
    expect(idsOf(back)).toEqual(ids.slice(0, 2));
    expect(back.newer).toBeNull();
    await expect(list({ after: "x" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(list({ after: ids[0], before: ids[1] })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("has names, the rate, and the date from which it is paid", async () => {
    await earn();
    expect((await list()).data[0]).toMatchObject({
      affiliate: { id: partner.affiliate_id },
      customer: { email: "buyer@customers.test" },
      revenue_amount: 100,
      commission_amount: 30,
      state: "due",
      payable_at: second(20 + 15 * 86_400).toISOString(),
      processor_payment_id: "in_1",
      reversal_of: null,
      steps: [{ rule: "campaign", amount: 30, type: "percentage" }],
    });
  });

  it("distinguishes held and due commissions, and both from those in payouts", async () => {
    const due = await earn();
    const [held = ""] = await create(1);
    const [voided = ""] = await create(1, partner.affiliate_id, "lee@customers.test");
    await setCommissionStatuses(context, { ids: [voided], payout_status: "voided" });
    expect(idsOf(await list({ state: "held" }))).toEqual([held]);
    expect(idsOf(await list({ state: "due" }))).toEqual([due]);
    expect(idsOf(await list({ state: "voided" }))).toEqual([voided]);
    expect(idsOf(await list({ state: "paid" }))).toEqual([]);
    await payOut(context);
    expect(idsOf(await list({ state: "paid" }))).toEqual([held, due]);
    expect((await list({ state: "paid" })).data[0]?.payout?.period).toMatch(/^\d{4}-\d\d$/);
  });

  it("finds by campaign, affiliate, email and payment", async () => {
    const other = await addPartner(context, { name: "Others" });
    const earned = await earn();
    const [manual = ""] = await create(1, other.affiliate_id);
    expect(idsOf(await list({ campaign_id: other.campaign_id }))).toEqual([manual]);
    expect(idsOf(await list({ affiliate_id: partner.affiliate_id }))).toEqual([earned]);
    expect(idsOf(await list({ text: "KIM@" }))).toEqual([manual]);
    expect(idsOf(await list({ text: "in_" }))).toEqual([earned]);
    expect(idsOf(await list({ text: "partner" }))).toEqual([manual, earned]);
    expect(idsOf(await list({ text: "partner", campaign_id: other.campaign_id }))).toEqual([manual]);
    expect(idsOf(await list({ text: "%" }))).toEqual([]);
    const jane = await addAffiliate(context, {
      campaign_id: other.campaign_id,
      first_name: "Jane",
      last_name: "Doe",
      ref_code: "summer-26",
    });
    const [hers = ""] = await create(1, jane, "lee@customers.example");
    for (const text of ["Jane Doe", "ane d", "MMER-2", "customers.example"]) {
      expect(idsOf(await list({ text })), text).toEqual([hers]);
    }
    expect(idsOf(await list({ text: "customers.test" }))).toEqual([manual, earned]);
    expect(idsOf(await list({ reversal: true }))).toEqual([]);
    await expect(list({ campaign_id: click_id })).rejects.toMatchObject({ code: "not_found" });
    const stranger = await makeContext(context.database);
    expect((await listCommissionRows(stranger, { limit: 50, text: "in_" })).data).toEqual([]);
  });

  it("finds the same by a frequent text as by a rare one", async () => {
    const other = await addPartner(context, { name: "Others" });
    await earn();
    await create(2, other.affiliate_id);
    await create(2, partner.affiliate_id, "KIMberley@customers.test");
    const { database, organization } = context;
    const range = { after: null, before: null, limit: 50 };
    for (const prefix of ["KIM", "imber", "partner", "in_1", "nobody"]) {
      const found = async (most: number, searched?: number) => {
        const matches = await findTextMatches(database, organization.id, {
          text: prefix,
          most,
          most_payments: most,
        });
        const filter = { text: { prefix, matches } };
        const rows = await listRows(database, organization.id, { filter, range, searched });
        return { is_rare: isRare(filter.text), ids: rows.map(({ id }) => id) };
      };
      const rare = await found(10);
      expect(rare.is_rare).toBe(true);
      expect(await found(0)).toEqual({ is_rare: prefix === "nobody", ids: rare.ids });
      expect(await found(0, 50)).toEqual({ is_rare: prefix === "nobody", ids: rare.ids });
    }
  });

  it("finds a frequent payment id behind others without reading all commissions", async () => {
    const { database, organization } = context;
    const referral = await createReferral(context, {
      affiliate_id: partner.affiliate_id,
      email: "kim@customers.test",
      subscription_status: "active",
    });
    await withoutTriggers(
      database,
      (sql) => sql`
        insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency,
          referral_date, payable_at, processor_payment_id, cause, created_at)
        select ${organization.id}, first_id_of(timestamptz '2020-01-01' + number * interval '1 minute'),
          ${partner.affiliate_id}, ${referral.id}, 100, 10, 'USD',
          timestamptz '2020-01-01' + number * interval '1 minute', now(),
          case when number <= 1100 then 'pi_old' else 'pi_new' end || number, 'test', now()
        from generate_series(1, 8000) as number`,
    );
    await database`vacuum (analyze) commissions`;
    const first = await list({ text: "pi_old" });
    expect(first.data.map((row) => row.processor_payment_id)).toEqual(
      Array.from({ length: 50 }, (_, index) => `pi_old${1100 - index}`),
    );
    const next = await list({ text: "pi_old", after: first.older ?? "" });
    expect(next.data[0]?.processor_payment_id).toBe("pi_old1050");
    const back = await list({ text: "pi_old", before: next.newer ?? "" });
    expect(idsOf(back)).toEqual(idsOf(first));
    expect(idsOf(await list({ text: "pi_old", state: "voided" }))).toEqual([]);
    const read = await transaction(database, async (sql) => {
      const count = async () => {
        const [row] = await sql<[{ scanned: number; fetched: number }]>`
          select seq_tup_read::int as scanned, idx_tup_fetch::int as fetched
          from pg_stat_xact_user_tables where relname = 'commissions'`;
        return row;
      };
      const before = await count();
      const filter = await commissionFilter(sql, organization.id, {
        filters: { text: "pi_old" },
        now: new Date(),
      });
      await readCommissionRows(sql, organization.id, {
        filter,
        range: { after: null, before: null, limit: 51 },
      });
      const after = await count();
      return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
    });
    expect(read.scanned).toBe(0);
    // Of 8,000: the first 1,001 with the text, 2,000 that are searched, and 1,100 with it.
    expect(read.fetched).toBeLessThan(4500);
  });

  it("takes as many statements for many rows as for one", async () => {
    await create(1);
    const query = { text: "kim", state: "held" } as const;
    const one = await statementsOf(context.database, () => list(query));
    await create(30, partner.affiliate_id, "kimberley@customers.test");
    const many = await statementsOf(context.database, () => list(query));
    expect(many.length).toBe(one.length);
    expect(many.length).toBeLessThanOrEqual(5);
  });
});

describe("voiding many", () => {
  it("voids and restores, and counts what changed", async () => {
    const ids = await create(3);
    const voided = { ids, payout_status: "voided" } as const;
    expect(await setCommissionStatuses(context, voided)).toEqual({ changed: 3 });
    expect(await setCommissionStatuses(context, voided)).toEqual({ changed: 0 });
    expect(idsOf(await list({ state: "voided" }))).toHaveLength(3);
    expect(await setCommissionStatuses(context, { ids, payout_status: "not_paid" })).toEqual({ changed: 3 });
  });

  it("changes none if one is locked, and names it", async () => {
    const paid = await earn();
    await payOut(context);
    const [free = ""] = await create(1);
    await expect(
      setCommissionStatuses(context, { ids: [free, paid], payout_status: "voided" }),
    ).rejects.toMatchObject({ code: "commission_locked", details: { commission_id: paid } });
    expect(idsOf(await list({ state: "voided" }))).toEqual([]);
    const stranger = await makeContext(context.database);
    await expect(
      setCommissionStatuses(stranger, { ids: [free], payout_status: "voided" }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the story of a commission", () => {
  it("goes from the click to the ledger, and adds up", async () => {
    await addEndpoint(context);
    const id = await earn();
    await report(
      context,
      refund({ subject: "re_1", amount_minor: 1_190n, references: ["in_1"], at: second(30) }),
    );
    await updateCommission(context, { id, commission_amount: 20 });
    const statements = await statementsOf(context.database, () => getCommissionStory(context, id));
    expect(statements.length).toBeLessThanOrEqual(13);
    const story = await getCommissionStory(context, id);
    expect(story).toMatchObject({
      commission: { id, revenue_amount: 90, commission_amount: 20, state: "due" },
      affiliate: { id: partner.affiliate_id, campaign: { name: "Partners" } },
      customer: { email: "buyer@customers.test" },
      payout: null,
      decision: { outcome: "commission", commission_amount: 30, paid_amount: 119 },
      candidates: [{ source: "click", result: "won", affiliate: { id: partner.affiliate_id } }],
      ledger: [
        { kind: "earned", unpaid: 30 },
        { kind: "reduced", unpaid: -3 },
        { kind: "reduced", unpaid: -7, cause: "operator" },
      ],
      changes: [{ action: "updated", before: { commission_amount: 27 }, after: { commission_amount: 20 } }],
      event: { deliveries: [{ state: "pending" }] },
      net_amount: 20,
      remaining_amount: 20,
      adds_up: true,
    });
  });

  it("of a paid commission names its payout and what reversed it", async () => {
    const id = await earn();
    await payOut(context);
    await report(
      context,
      refund({ subject: "re_1", amount_minor: 11_900n, references: ["in_1"], at: second(30) }),
    );
    const story = await getCommissionStory(context, id);
    expect(story).toMatchObject({
      commission: { state: "paid", commission_amount: 30 },
      payout: { status: "paid" },
      related: [{ commission_amount: -30, payout_status: "not_paid" }],
      net_amount: 30,
      remaining_amount: 0,
      adds_up: true,
    });
    const [reversal] = (await list({ reversal: true })).data;
    expect(reversal).toMatchObject({ commission_amount: -30, reversal_of: id, state: "due" });
    expect(await getCommissionStory(context, reversal?.id ?? "")).toMatchObject({
      decision: { processor_payment_id: "in_1" },
      related: [{ id }],
      net_amount: -30,
      remaining_amount: -30,
      adds_up: true,
    });
  });

  it("of a manual commission begins with the request", async () => {
    const [id = ""] = await create(1);
    expect(await getCommissionStory(context, id)).toMatchObject({
      decision: null,
      candidates: [],
      ledger: [{ kind: "earned", cause: "operator" }],
      adds_up: true,
    });
    const stranger = await makeContext(context.database);
    await expect(getCommissionStory(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
