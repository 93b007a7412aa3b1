/* Commissions for recruits: a percentage of each commission of an affiliate that another one recruited. */
import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import { banAffiliates } from "../../src/ban-affiliates.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { approveDueReviews } from "../../src/commissions/approve-due.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { getCommission } from "../../src/commissions/get.ts";
import { listRecruiterLosses } from "../../src/commissions/recruiter-losses.ts";
import { approveCommission, rejectCommission } from "../../src/commissions/review.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { writeCommissions } from "../../src/ledger/write-commissions.ts";
import { addAffiliate, addPartner, click, eventTypes, payOut, report } from "../attribution/program.ts";
import { checkout, payment, refund, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";
import { ownOrganization } from "../work.ts";

let test: TestDatabase;
let context: CreationContext;
let campaign_id: string;
/** The recruiter. */
let jane: string;
/** The recruit. */
let joe: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(() => prepareProgram());

async function prepareProgram(fields: Parameters<typeof addPartner>[1] = {}): Promise<void> {
  context = await makeContext(test.database);
  const recruiting = { percent: 10, months: 12 };
  ({ campaign_id, affiliate_id: jane } = await addPartner(context, { recruiting, ...fields }));
  joe = await addAffiliate(context, { campaign_id, recruited_by: jane });
}

/** Each commission, behind it those for it. */
async function commissions(): Promise<string[]> {
  const { database, organization } = context;
  const rows = await database<{ line: boolean; owner: string; minor: bigint; status: string }[]>`
    select recruit_commission_id is not null as line, affiliate_id as owner, commission_minor as minor,
      payout_status as status
    from commission_states where organization_id = ${organization.id}
    order by coalesce(recruit_commission_id, reversal_of, id), recruit_commission_id is not null, id`;
  const nameOf = (id: string) => (id === jane ? "jane" : id === joe ? "joe" : "other");
  return rows.map(({ line, owner, minor, status }) => {
    return `${nameOf(owner)} ${minor}${line ? " for a recruit" : ""} ${status}`;
  });
}

async function faults(): Promise<object[]> {
  const { database, organization } = context;
  return (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
}

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

/** A customer's payment of 100.00. The affiliate gets 30.00. */
async function sell(affiliate_id = joe): Promise<void> {
  const click_id = await click(context, { affiliate_id, at: second(1) });
  await report(
    context,
    checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"] }),
  );
}

async function refunded(subject: string, amount_minor: bigint): Promise<void> {
  await report(context, refund({ subject, amount_minor, at: second(30), references: ["pi_1"] }));
}

async function createdCommission(fields: object = {}, affiliate_id = joe) {
  const email = `${crypto.randomUUID()}@customers.test`;
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  return await createCommission(context, {
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
    ...fields,
  });
}

/** The id of the only commission for a recruit that corrects none. */
async function lineId(): Promise<string> {
  const [row] = await context.database<{ id: string }[]>`
    select id from commissions
    where organization_id = ${context.organization.id} and recruit_commission_id is not null and reversal_of is null`;
  return row?.id ?? "";
}

it("gives the recruiter a percentage of a payment's commission, with an event, until refunds take it back", async () => {
  await sell();
  expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit not_paid"]);
  expect(await eventTypes(context)).toEqual([
    "referral.created",
    "commission.created",
    "referral.converted",
    "commission.created",
  ]);
  await refunded("re_1", 3_333n);
  expect(await commissions()).toEqual(["joe 2000 not_paid", "jane 200 for a recruit not_paid"]);
  await refunded("re_2", 6_667n);
  // A void commission of a payment shows its amount without refunds.
  expect(await commissions()).toEqual(["joe 3000 voided", "jane 200 for a recruit voided"]);
  expect(await faults()).toEqual([]);
});

it("nets what was paid, of either", async () => {
  await sell();
  await payOut(context);
  await refunded("re_1", 5_000n);
  expect(await commissions()).toEqual([
    "joe 3000 paid",
    "joe -1500 not_paid",
    "jane 300 for a recruit paid",
    "jane -150 for a recruit not_paid",
  ]);
  await payOut(context, "pending");
  await refunded("re_2", 5_000n);
  expect((await commissions()).filter((line) => line.startsWith("jane"))).toEqual([
    "jane 300 for a recruit paid",
    "jane -150 for a recruit not_paid",
    "jane -150 for a recruit not_paid",
  ]);
  expect(await faults()).toEqual([]);
});

it("counts for commissions by hand and their corrections, and rounds each commission once", async () => {
  const { id } = await createdCommission({ commission_amount: 0.04 });
  expect(await commissions()).toEqual(["joe 4 not_paid"]);
  await updateCommission(context, { id, commission_amount: 0.05 });
  expect(await commissions()).toEqual(["joe 5 not_paid", "jane 1 for a recruit not_paid"]);
  await updateCommission(context, { id, commission_amount: 12.35 });
  expect(await commissions()).toEqual(["joe 1235 not_paid", "jane 124 for a recruit not_paid"]);
  await updateCommission(context, { id, payout_status: "voided" });
  expect(await commissions()).toEqual(["joe 1235 voided", "jane 124 for a recruit voided"]);
  await updateCommission(context, { id, payout_status: "not_paid" });
  expect(await commissions()).toEqual(["joe 1235 not_paid", "jane 124 for a recruit not_paid"]);
  expect(await faults()).toEqual([]);
});

it("ends with its months, by the date of the payment", async () => {
  const [{ until }] = await context.database<[{ until: Date }]>`
    select recruited_until as until from affiliates where id = ${joe}`;
  const before = new Date(until.getTime() - 1).toISOString();
  await createdCommission({ referral_date: before });
  const { id } = await createdCommission({ referral_date: until.toISOString() });
  expect(await commissions()).toEqual([
    "joe 3000 not_paid",
    "jane 300 for a recruit not_paid",
    "joe 3000 not_paid",
  ]);
  await updateCommission(context, { id, referral_date: before });
  expect((await commissions()).at(-1)).toBe("jane 300 for a recruit not_paid");
  expect(await faults()).toEqual([]);
});

it("keeps the terms of the day on which the recruit joined", async () => {
  await updateCampaign(context, { id: campaign_id, recruiting: null });
  await createdCommission();
  expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit not_paid"]);
  await expect(addAffiliate(context, { campaign_id, recruited_by: jane })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "recruited_by", message: "The campaign pays nothing for recruits." }],
  });
});

it("refuses recruiters who are banned, not approved, of another campaign or organization", async () => {
  const banned = await addAffiliate(context, { campaign_id });
  await updateAffiliate(context, { id: banned, banned: true });
  const waiting = await addAffiliate(context, { campaign_id, approved: false });
  const { affiliate_id: other } = await addPartner(context, { recruiting: { percent: 10, months: 1 } });
  for (const [recruited_by, code] of [
    [banned, "invalid_request"],
    [waiting, "invalid_request"],
    [other, "invalid_request"],
    [campaign_id, "not_found"],
  ] as const) {
    await expect(
      createAffiliate(context, { email: "new@partners.test", campaign_id, recruited_by }),
    ).rejects.toMatchObject({ code });
  }
});

it("has one level", async () => {
  const kim = await addAffiliate(context, { campaign_id, recruited_by: joe });
  await createdCommission({}, kim);
  expect(await commissions()).toEqual(["other 3000 not_paid", "joe 300 for a recruit not_paid"]);
  const line = await lineId();
  await expect(context.database`
    update commissions set recruit_commission_id = ${line}
    where organization_id = ${context.organization.id} and recruit_commission_id is null and revenue_minor = 0
  `).resolves.toHaveLength(0);
  await expect(context.database`
    insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency,
      referral_date, payable_at, cause, created_at, recruit_commission_id)
    select organization_id, gen_random_uuid(), affiliate_id, referral_id, 0, 30, currency, now(), now(), 'test', now(), id
    from commissions where id = ${line}`).rejects.toMatchObject({ code: "FF009" });
  await expect(
    context.database`update affiliates set recruited_by = null where id = ${joe}`,
  ).rejects.toThrow();
});

it("gives nothing to a recruiter who is banned when the recruit earns, also later", async () => {
  await createdCommission();
  await updateAffiliate(context, { id: jane, banned: true });
  const { id } = await createdCommission();
  expect(await commissions()).toEqual([
    "joe 3000 not_paid",
    "jane 300 for a recruit not_paid",
    "joe 3000 not_paid",
  ]);
  await updateAffiliate(context, { id: jane, banned: false });
  await updateCommission(context, { id, commission_amount: 20 });
  expect((await commissions()).at(-1)).toBe("joe 2000 not_paid");
  await createdCommission();
  expect((await commissions()).at(-1)).toBe("jane 300 for a recruit not_paid");
  expect(await faults()).toEqual([]);
});

it("lets people void it, after which it stays so, and change nothing else of it", async () => {
  const { id: root } = await createdCommission();
  const id = await lineId();
  expect(await getCommission(context, id)).toMatchObject({
    recruit_commission_id: root,
    revenue_amount: 0,
    commission_amount: 3,
  });
  for (const fields of [{ commission_amount: 7 }, { referral_date: "2026-01-01T00:00:00.000Z" }]) {
    await expect(updateCommission(context, { id, ...fields })).rejects.toMatchObject({
      code: "commission_locked",
      details: { recruit_commission_id: root },
    });
  }
  expect(await updateCommission(context, { id, payout_status: "voided" })).toMatchObject({
    payout_status: "voided",
  });
  await updateCommission(context, { id: root, commission_amount: 20 });
  expect(await commissions()).toEqual(["joe 2000 not_paid", "jane 300 for a recruit voided"]);
  await updateCommission(context, { id, payout_status: "not_paid" });
  expect(await commissions()).toEqual(["joe 2000 not_paid", "jane 200 for a recruit not_paid"]);
  expect(await faults()).toEqual([]);
});

it("refuses to restore it while the recruiter gets nothing of the recruit's commission", async () => {
  const { id: root } = await createdCommission();
  const id = await lineId();
  const restore = () => updateCommission(context, { id, payout_status: "not_paid" });
  const refusal = { code: "commission_locked", details: { recruit_commission_id: root } };
  await updateCommission(context, { id: root, payout_status: "voided" });
  await expect(restore()).rejects.toMatchObject(refusal);
  await updateCommission(context, { id: root, payout_status: "not_paid" });
  expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit not_paid"]);

  const banned = await addAffiliate(context, { campaign_id });
  const kim = await addAffiliate(context, { campaign_id, recruited_by: banned });
  await updateAffiliate(context, { id: banned, banned: true });
  const [{ referral_id }] = await context.database<[{ referral_id: string }]>`
    select referral_id from commissions where id = ${root}`;
  const reason = { reason: "agreed on the phone", dry_run: false };
  await moveCustomer(context, { ...reason, referral_id, affiliate_id: kim, unpaid_commissions: true });
  expect(await commissions()).toEqual(["other 3000 not_paid", "jane 300 for a recruit voided"]);
  await updateAffiliate(context, { id: banned, banned: false });
  await expect(restore()).rejects.toMatchObject(refusal);
  expect(await commissions()).toEqual(["other 3000 not_paid", "jane 300 for a recruit voided"]);
  expect(await faults()).toEqual([]);
});

it("voids what a banned recruiter is not paid, and lets a settled one be erased", async () => {
  await createdCommission();
  await banAffiliates(context, { ids: [jane], reason: "fraud", due: "void" });
  expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit voided"]);
  await eraseAffiliate(context, jane);
  await createdCommission();
  expect(await commissions()).toHaveLength(3);
  expect(await faults()).toEqual([]);
});

describe("of commissions in review", () => {
  beforeEach(() => prepareProgram({ review: "all", review_approve_after_days: 1 }));

  async function states(): Promise<string[]> {
    const rows = await context.database<{ state: string; is_due: boolean | null; voided: boolean }[]>`
      select review_state as state, voided, due_at < 'infinity' as is_due from commissions
      left join unpaid_commissions unpaid using (organization_id)
      where organization_id = ${context.organization.id} and (unpaid.commission_id = id or voided)
      group by id, review_state, voided, due_at, recruit_commission_id order by recruit_commission_id is not null`;
    return rows.map(({ state, is_due, voided }) => (voided ? `${state} voided` : `${state} ${is_due}`));
  }

  it("waits for the decision about the recruit's", async () => {
    const { id } = await createdCommission();
    expect(await states()).toEqual(["pending false", "pending false"]);
    await expect(approveCommission(context, { id: await lineId() })).rejects.toMatchObject({
      code: "commission_locked",
    });
    await approveCommission(context, { id });
    expect(await states()).toEqual(["approved true", "none true"]);
    expect(await faults()).toEqual([]);
  });

  it("is voided and restored with it", async () => {
    const { id } = await createdCommission();
    const losses = async (ids: string[], of = context) => await listRecruiterLosses(of, { ids });
    expect(await losses([id])).toMatchObject([
      { affiliate: { id: jane }, currency: "USD", commission_amount: 3 },
    ]);
    expect(await losses([await lineId()])).toEqual([]);
    const other = await makeContext(test.database);
    await expect(losses([id], other)).rejects.toMatchObject({ code: "not_found" });
    await rejectCommission(context, { id, reason: "fraud" });
    expect(await commissions()).toEqual(["joe 3000 voided", "jane 300 for a recruit voided"]);
    expect(await losses([id])).toEqual([]);
    await approveCommission(context, { id });
    expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit not_paid"]);
    expect(await faults()).toEqual([]);
  });

  it("is approved by itself with it", async () => {
    await createdCommission();
    const { database, organization } = context;
    await database`update commission_reviews set due_at = now() where organization_id = ${organization.id}`;
    const owner = await ownOrganization(database, organization.id);
    expect(
      await approveDueReviews(database, organization.id, { owner, signal: new AbortController().signal }),
    ).toMatchObject({ approved: 1, failed: 0 });
    expect(await states()).toEqual(["approved true", "none true"]);
  });
});

it("follows a customer who is moved to an affiliate with another recruiter, or none", async () => {
  const kim = await addAffiliate(context, { campaign_id, recruited_by: joe });
  const max = await addAffiliate(context, { campaign_id });
  await sell();
  const [referral] = await context.database<{ id: string }[]>`
    select id from referrals where organization_id = ${context.organization.id}`;
  const moveTo = (affiliate_id: string) =>
    moveCustomer(context, {
      ...{ referral_id: referral?.id ?? "", affiliate_id, unpaid_commissions: true },
      ...{ reason: "agreed", dry_run: false },
    });
  await moveTo(kim);
  expect(await commissions()).toEqual(["other 3000 not_paid", "joe 300 for a recruit not_paid"]);
  await moveTo(max);
  expect(await commissions()).toEqual(["other 3000 not_paid", "joe 300 for a recruit voided"]);
  await moveTo(joe);
  expect(await commissions()).toEqual(["joe 3000 not_paid", "jane 300 for a recruit not_paid"]);
  expect(await faults()).toEqual([]);
});

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it("has the percentage of what was stored", async () => {
    const results = { made: 0, failed: 0 };
    await failEachCall(
      test.url,
      kind,
      async (database) => {
        await prepareProgram();
        await sell();
        await payOut(context);
        const before = await commissions();
        const faulty = { ...context, database };
        const failed = await report(
          faulty,
          refund({ subject: "re_1", amount_minor: 5_000n, at: second(30), references: ["pi_1"] }),
        ).then(
          () => false,
          () => true,
        );
        const after = await commissions();
        const is_made = after.length > before.length;
        if (!is_made) expect(after).toEqual(before);
        expect(is_made || failed).toBe(true);
        results[is_made ? "made" : "failed"] += 1;
        expect(await faults()).toEqual([]);
        await refunded("re_1", 5_000n);
        expect(await commissions()).toEqual([
          "joe 3000 paid",
          "joe -1500 not_paid",
          "jane 300 for a recruit paid",
          "jane -150 for a recruit not_paid",
        ]);
        expect(await faults()).toEqual([]);
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(results.made).toBeGreaterThan(0);
    expect(results.failed).toBeGreaterThan(0);
  });
});

it("waits while the recruit's commission waits because of late evidence of fraud", async () => {
  await sell();
  const { database, organization } = context;
  const [root] = await database<{ id: string }[]>`
    select id from commissions where organization_id = ${organization.id} and recruit_commission_id is null`;
  const states = async () => {
    const rows = await database<{ state: string }[]>`
      select review_state as state from commissions where organization_id = ${organization.id} order by id`;
    return rows.map(({ state }) => state);
  };
  const change = async (reasons: string[]) => {
    const evidence = {
      commission_id: root?.id ?? "",
      replaced: ["signal"],
      reasons,
      since: new Date(),
      approves_at: null,
    };
    await transaction(database, (sql) =>
      writeCommissions(sql, organization.id, {
        ...{ changed: [], added: [] },
        reviews: [{ ...evidence, cause: "test" }],
      }),
    );
  };
  await change(["above_amount"]);
  expect(await states()).toEqual(["pending", "pending"]);
  expect(await faults()).toEqual([]);
  await change([]);
  expect(await faults()).toEqual([]);
});
