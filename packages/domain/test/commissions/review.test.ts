/*
 * The review of commissions before they are paid: the waiting commissions, and the effects of approving and
 * rejecting.
 */
import { transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { moveCustomer } from "../../src/attribution/overrides/make.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { approveDueReviews } from "../../src/commissions/approve-due.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { getCommission } from "../../src/commissions/get.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import { approveCommission, decideReviews, rejectCommission } from "../../src/commissions/review.ts";
import { getCommissionStory } from "../../src/commissions/story.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { listPayouts } from "../../src/payouts/list.ts";
import { previewPayoutRun } from "../../src/payouts/runs/preview.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { listAttention } from "../../src/reports/attention.ts";
import {
  addAffiliate,
  addPartner,
  type CampaignFields,
  click,
  report,
  payOut as settleAll,
} from "../attribution/program.ts";
import { checkout, dispute, payment, refund, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";
import { ownOrganization, workPayoutRuns } from "../work.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface Program {
  context: CreationContext;
  campaign_id: string;
  affiliate_id: string;
}

async function newProgram(fields: Partial<CampaignFields>): Promise<Program> {
  const context = await makeContext(test.database);
  return { context, ...(await addPartner(context, fields)) };
}

const LONG_AGO = "2026-01-01T00:00:00.000Z";

/** A commission that is due, unless it waits for a review. */
async function earn({ context, affiliate_id }: Program, commission_amount = 30): Promise<string> {
  const email = `${crypto.randomUUID()}@customers.test`;
  const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
  const commission = await createCommission(context, {
    referral_id: referral.id,
    revenue_amount: 1_000,
    commission_amount,
    referral_date: LONG_AGO,
  });
  expect(await getCommission(context, commission.id)).toEqual(commission);
  return commission.id;
}

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const paid = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"], ...fields });

/** A customer's payment of 100.00, which earns a commission of 30.00. */
async function earnByPayment({ context, affiliate_id }: Program): Promise<string> {
  const click_id = await click(context, { affiliate_id, at: second(1) });
  await report(
    context,
    checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
    paid(),
  );
  const { data } = await listCommissions(context, { limit: 1, cursor: "" });
  return data[0]?.id ?? "";
}

async function stateOf({ context }: Program, id: string): Promise<string> {
  const { review_state, payout_status } = await getCommission(context, id);
  return `${review_state} ${payout_status}`;
}

async function expectSoundLedger({ organization }: CreationContext): Promise<void> {
  const rules = await verifyLedger(test.database, organization.id);
  expect(rules.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

async function balance({ context, affiliate_id }: Program) {
  const [row] = await listBalances(context, affiliate_id);
  return row && { held: row.held, due: row.due, lost: row.lost, paid: row.paid, in_payout: row.in_payout };
}

/** Pays all amounts that are due; returns them. */
async function payOut({ context }: Program): Promise<number[]> {
  const { data: before } = await listPayouts(context, { limit: 100, cursor: "" });
  const [runs] = await context.database<[{ count: number }]>`
    select count(*)::int as count from payout_runs where organization_id = ${context.organization.id}`;
  await startPayoutRun(context, { method: "manual", number: runs.count + 1 });
  await workPayoutRuns(context.database, new AbortController().signal);
  const { data } = await listPayouts(context, { limit: 100, cursor: "" });
  return data.slice(0, data.length - before.length).map(({ amount }) => amount);
}

describe("a campaign that reviews all", () => {
  let program: Program;

  beforeEach(async () => {
    program = await newProgram({ review: "all" });
  });

  it("pays a commission only after its approval", async () => {
    const id = await earn(program);
    const { context } = program;
    expect(await getCommission(context, id)).toMatchObject({
      review_state: "pending",
      payout_status: "not_paid",
      review: { reasons: ["campaign_reviews_all"], approves_at: null, decided_by: null, reason: null },
    });
    expect(await balance(program)).toMatchObject({ held: 30, due: 0 });
    expect((await previewPayoutRun(context, { limit: 10 })).data).toMatchObject([
      { outcome: "held", amount: 0, held_amount: 30, held_until: null },
    ]);
    expect(await listAttention(context)).toMatchObject({
      due_affiliates: 0,
      reviews: { count: 1, oldest_at: LONG_AGO },
    });
    expect(await payOut(program)).toEqual([]);
    await expectSoundLedger(context);

    expect(await approveCommission(context, { id })).toMatchObject({
      review_state: "approved",
      review: { decided_by: "operator", reason: null },
    });
    expect(await balance(program)).toMatchObject({ held: 0, due: 30 });
    expect(await listAttention(context)).toMatchObject({
      due_affiliates: 1,
      reviews: { count: 0, oldest_at: null },
    });
    expect(await payOut(program)).toEqual([30]);
    expect(await stateOf(program, id)).toBe("approved pending");
    await expectSoundLedger(context);
  });

  it("voids a rejected commission, and restores it when it is approved", async () => {
    const id = await earn(program);
    const { context } = program;
    expect(await rejectCommission(context, { id, reason: " Own purchase " })).toMatchObject({
      review_state: "rejected",
      payout_status: "voided",
      review: { reason: "Own purchase", decided_by: "operator" },
    });
    expect(await balance(program)).toMatchObject({ held: 0, due: 0, lost: 30 });
    await expectSoundLedger(context);
    await expect(updateCommission(context, { id, payout_status: "not_paid" })).rejects.toMatchObject({
      code: "commission_locked",
    });
    await approveCommission(context, { id, reason: "A mistake" });
    expect(await stateOf(program, id)).toBe("approved not_paid");
    expect(await balance(program)).toMatchObject({ held: 0, due: 30, lost: 0 });
    const { changes, ledger } = await getCommissionStory(context, id);
    expect(ledger.map(({ kind }) => kind)).toEqual(["earned", "voided", "restored"]);
    expect(changes.map(({ after }) => after)).toMatchObject([
      { review_state: "rejected", payout_status: "voided", reason: "Own purchase" },
      { review_state: "approved", payout_status: "not_paid", reason: "A mistake" },
    ]);
    await expectSoundLedger(context);
  });

  it("decides each commission once, and only those that wait", async () => {
    const { context } = program;
    const id = await earn(program);
    await approveCommission(context, { id });
    expect((await getCommissionStory(context, id)).changes).toHaveLength(1);
    await approveCommission(context, { id });
    expect((await getCommissionStory(context, id)).changes).toHaveLength(1);
    await expect(rejectCommission(context, { id, reason: "Late" })).rejects.toMatchObject({
      code: "commission_locked",
    });
    await updateCampaign(context, { id: program.campaign_id, review: "none" });
    const unreviewed = await earn(program);
    await expect(approveCommission(context, { id: unreviewed })).rejects.toMatchObject({
      code: "commission_locked",
    });
    await expect(approveCommission(context, { id: crypto.randomUUID() })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("keeps what was decided at creation when the setting changes", async () => {
    const { context, campaign_id } = program;
    const before = await earn(program);
    await updateCampaign(context, { id: campaign_id, review: "none" });
    const between = await earn(program);
    await updateCampaign(context, { id: campaign_id, review: "all", review_approve_after_days: 1 });
    expect(await stateOf(program, before)).toBe("pending not_paid");
    expect((await getCommission(context, before)).review?.approves_at).toBeNull();
    expect(await stateOf(program, between)).toBe("none not_paid");
  });

  it("decides several at once, all or none", async () => {
    const { context } = program;
    const ids = [await earn(program), await earn(program), await earn(program)];
    await expect(
      decideReviews(context, { ids: [...ids, crypto.randomUUID()], state: "approved", reason: null }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await stateOf(program, ids[0] ?? "")).toBe("pending not_paid");
    const [first, ...others] = ids;
    expect(await decideReviews(context, { ids: others, state: "rejected", reason: "Test" })).toEqual({
      changed: 2,
    });
    expect(await decideReviews(context, { ids, state: "approved", reason: null })).toEqual({ changed: 3 });
    expect(await stateOf(program, first ?? "")).toBe("approved not_paid");
    await expectSoundLedger(context);
  });

  it("lists commissions by the state of their review", async () => {
    const { context } = program;
    const [approved, rejected, pending] = [await earn(program), await earn(program), await earn(program)];
    await approveCommission(context, { id: approved });
    await rejectCommission(context, { id: rejected, reason: "Test" });
    const idsIn = async (review_state: "none" | "pending" | "approved" | "rejected") =>
      (await listCommissions(context, { limit: 10, cursor: "", review_state })).data.map(({ id }) => id);
    expect(await idsIn("approved")).toEqual([approved]);
    expect(await idsIn("rejected")).toEqual([rejected]);
    expect(await idsIn("pending")).toEqual([pending]);
    expect(await idsIn("none")).toEqual([]);
    const { data } = await listCommissions(context, {
      limit: 10,
      cursor: "",
      review_state: "pending",
      payout_status: "not_paid",
    });
    expect(data.map(({ id }) => id)).toEqual([pending]);
    const rowsIn = async (state: "in_review" | "held" | "due" | "voided") =>
      (await listCommissionRows(context, { limit: 10, state })).data.map(({ id, state }) => [id, state]);
    expect(await rowsIn("in_review")).toEqual([[pending, "in_review"]]);
    expect(await rowsIn("held")).toEqual([]);
    expect(await rowsIn("due")).toEqual([[approved, "due"]]);
    expect(await rowsIn("voided")).toEqual([[rejected, "voided"]]);
  });

  it("changes the amount of a pending commission, which stays out of runs", async () => {
    const { context } = program;
    const id = await earn(program);
    await updateCommission(context, { id, commission_amount: 20, referral_date: "2026-02-01T00:00:00.000Z" });
    expect(await balance(program)).toMatchObject({ held: 20, due: 0 });
    await expectSoundLedger(context);
    await updateCommission(context, { id, payout_status: "voided" });
    expect(await stateOf(program, id)).toBe("pending voided");
    expect(await listAttention(context)).toMatchObject({ reviews: { count: 0 } });
    await updateCommission(context, { id, payout_status: "not_paid" });
    expect(await balance(program)).toMatchObject({ held: 20, due: 0 });
    await approveCommission(context, { id });
    expect(await balance(program)).toMatchObject({ held: 0, due: 20 });
    await expectSoundLedger(context);
  });
});

describe("a campaign that reviews the first", () => {
  it("holds an affiliate's commissions until one has passed", async () => {
    const program = await newProgram({ review: "first" });
    const { context } = program;
    const [first, second] = [await earn(program), await earn(program)];
    expect([await stateOf(program, first), await stateOf(program, second)]).toEqual([
      "pending not_paid",
      "pending not_paid",
    ]);
    await rejectCommission(context, { id: first, reason: "Test" });
    expect(await stateOf(program, await earn(program))).toBe("pending not_paid");
    await approveCommission(context, { id: second });
    expect(await stateOf(program, await earn(program))).toBe("none not_paid");
  });

  it("holds all of two that are created at once", async () => {
    const program = await newProgram({ review: "first" });
    const ids = await Promise.all([earn(program), earn(program)]);
    expect(await Promise.all(ids.map((id) => stateOf(program, id)))).toEqual([
      "pending not_paid",
      "pending not_paid",
    ]);
  });
});

describe("a campaign with an amount", () => {
  it("holds those above it", async () => {
    const program = await newProgram({ review_above_amount: 50 });
    expect(await stateOf(program, await earn(program, 50))).toBe("none not_paid");
    const above = await earn(program, 50.01);
    expect((await getCommission(program.context, above)).review?.reasons).toEqual(["above_amount"]);
  });
});

describe("a payment's commission", () => {
  let program: Program;
  let id: string;

  beforeEach(async () => {
    program = await newProgram({ review: "all" });
    id = await earnByPayment(program);
  });

  const refunded = (amount_minor: bigint, at: number) =>
    report(
      program.context,
      refund({ subject: `re_${at}`, amount_minor, at: second(at), references: ["pi_1"] }),
    );
  const again = () => report(program.context, paid());

  it("waits, and its event says so", async () => {
    expect(await stateOf(program, id)).toBe("pending not_paid");
    const [event] = await test.database<{ data: object }[]>`
      select body::json -> 'data' as data from events
      where organization_id = ${program.context.organization.id} and type = 'commission.created'`;
    const { review_state, review } = await getCommission(program.context, id);
    expect(event?.data).toMatchObject({ review_state, review });
  });

  it("is reduced by a refund while it waits, and voided by a full one", async () => {
    await refunded(5_000n, 30);
    expect(await balance(program)).toMatchObject({ held: 15, due: 0 });
    await refunded(5_000n, 40);
    expect(await stateOf(program, id)).toBe("pending voided");
    expect((await listCommissionRows(program.context, { limit: 10, state: "in_review" })).data).toEqual([]);
    await expectSoundLedger(program.context);
    await approveCommission(program.context, { id });
    expect(await stateOf(program, id)).toBe("approved voided");
    expect(await balance(program)).toMatchObject({ held: 0, due: 0 });
    await expectSoundLedger(program.context);
  });

  it("stays rejected after reports, refunds and a dispute that was won", async () => {
    const { context } = program;
    await rejectCommission(context, { id, reason: "Test" });
    await again();
    await refunded(2_000n, 30);
    await report(
      context,
      dispute({
        subject: "dp_1",
        amount_minor: 10_000n,
        at: second(40),
        since: second(40),
        references: ["pi_1"],
      }),
    );
    await report(
      context,
      dispute({
        subject: "dp_1",
        amount_minor: 10_000n,
        at: second(50),
        since: second(40),
        until: second(50),
        references: ["pi_1"],
      }),
    );
    expect(await stateOf(program, id)).toBe("rejected voided");
    expect(await balance(program)).toMatchObject({ held: 0, due: 0 });
    await expect(updateCommission(context, { id, stays_voided: false })).rejects.toMatchObject({
      code: "commission_locked",
    });
    await expectSoundLedger(context);
    await approveCommission(context, { id });
    expect(await stateOf(program, id)).toBe("approved not_paid");
    expect((await getCommission(context, id)).commission_amount).toBe(24);
    await expectSoundLedger(context);
  });

  it("that was rejected after a full refund stays void when its dispute is won", async () => {
    const { context } = program;
    await report(
      context,
      dispute({
        subject: "dp_1",
        amount_minor: 10_000n,
        at: second(40),
        since: second(40),
        references: ["pi_1"],
      }),
    );
    expect(await stateOf(program, id)).toBe("pending voided");
    await rejectCommission(context, { id, reason: "Test" });
    await report(
      context,
      dispute({
        subject: "dp_1",
        amount_minor: 10_000n,
        at: second(50),
        since: second(40),
        until: second(50),
        references: ["pi_1"],
      }),
    );
    expect(await stateOf(program, id)).toBe("rejected voided");
    await expectSoundLedger(context);
  });

  it("that was refunded while it was rejected earns nothing after its approval", async () => {
    await rejectCommission(program.context, { id, reason: "Test" });
    await refunded(10_000n, 30);
    await approveCommission(program.context, { id });
    expect(await stateOf(program, id)).toBe("approved voided");
    await expectSoundLedger(program.context);
  });

  it("that was approved and paid is reversed by a refund, without another review", async () => {
    const { context } = program;
    await approveCommission(context, { id });
    await settleAll(context);
    await refunded(5_000n, 30);
    expect(await stateOf(program, id)).toBe("approved paid");
    const { data } = await listCommissions(context, { limit: 10, cursor: "" });
    expect(data.map(({ commission_amount, review_state }) => [commission_amount, review_state])).toEqual([
      [-15, "none"],
      [30, "approved"],
    ]);
    await expectSoundLedger(context);
  });

  it("moves to another affiliate with the state of its review", async () => {
    const { context, campaign_id } = program;
    const other = await addAffiliate(context, { campaign_id });
    const { referral } = await getCommission(context, id);
    const move = { referral_id: referral.id, affiliate_id: other, reason: "Test", dry_run: false };
    await moveCustomer(context, { ...move, unpaid_commissions: true });
    expect(await getCommission(context, id)).toMatchObject({
      review_state: "pending",
      affiliate: { id: other },
    });
    await expectSoundLedger(context);
    await approveCommission(context, { id });
    await expectSoundLedger(context);
  });
});

describe("while a run pays", () => {
  it("an approval waits for no run, and the run takes it or not, as a whole", async () => {
    const program = await newProgram({ review: "all" });
    const { context } = program;
    const ids = await Promise.all(Array.from({ length: 6 }, () => earn(program)));
    const [first = "", ...others] = ids;
    await approveCommission(context, { id: first });
    await startPayoutRun(context, { method: "manual" });
    await Promise.all([
      workPayoutRuns(context.database, new AbortController().signal),
      ...others.map((id) => approveCommission(context, { id })),
    ]);
    const states = await Promise.all(ids.map((id) => stateOf(program, id)));
    expect(states[0]).toBe("approved pending");
    for (const state of states) expect(["approved pending", "approved not_paid"]).toContain(state);
    const paid = states.filter((state) => state === "approved pending").length;
    expect(await balance(program)).toMatchObject({ in_payout: 30 * paid, due: 30 * (6 - paid), held: 0 });
    await expectSoundLedger(context);
  });

  it("a rejection never takes back what the run has paid", async () => {
    const program = await newProgram({ review: "all" });
    const { context } = program;
    const ids = [await earn(program), await earn(program)];
    await approveCommission(context, { id: ids[0] ?? "" });
    await startPayoutRun(context, { method: "manual" });
    await Promise.all([
      workPayoutRuns(context.database, new AbortController().signal),
      rejectCommission(context, { id: ids[1] ?? "", reason: "Test" }),
    ]);
    expect(await Promise.all(ids.map((id) => stateOf(program, id)))).toEqual([
      "approved pending",
      "rejected voided",
    ]);
    await expectSoundLedger(context);
  });
});

describe("in any order of reports", () => {
  it("a rejected commission is void, and an approved one has what remains", async () => {
    const reports = [
      paid(),
      refund({ subject: "re_1", amount_minor: 2_000n, at: second(30), references: ["pi_1"] }),
      dispute({
        subject: "dp_1",
        amount_minor: 8_000n,
        at: second(50),
        since: second(40),
        until: second(50),
        references: ["pi_1"],
      }),
    ];
    for (const state of ["approved", "rejected"] as const) {
      for (const order of [
        [0, 1, 2],
        [0, 2, 1],
        [2, 0, 1],
        [1, 2, 0],
      ]) {
        const program = await newProgram({ review: "all" });
        const { context, affiliate_id } = program;
        const click_id = await click(context, { affiliate_id, at: second(1) });
        await report(
          context,
          checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) }),
        );
        for (const number of order) {
          await report(context, ...reports.slice(number, number + 1));
          const { data } = await listCommissions(context, { limit: 1, cursor: "" });
          const id = data[0]?.id;
          if (id !== undefined) await decideReviews(context, { ids: [id], state, reason: "Test" });
        }
        const { data } = await listCommissions(context, { limit: 10, cursor: "" });
        expect(data, order.join()).toMatchObject([
          { review_state: state, payout_status: state === "approved" ? "not_paid" : "voided" },
        ]);
        expect(await balance(program)).toMatchObject({ held: 0, due: state === "approved" ? 24 : 0 });
        await expectSoundLedger(context);
      }
    }
  });
});

describe("approval after some days", () => {
  let program: Program;

  beforeEach(async () => {
    program = await newProgram({ review: "all", review_approve_after_days: 3 });
  });

  async function work(): Promise<object> {
    const { database, organization } = program.context;
    const owner = await ownOrganization(database, organization.id);
    return await approveDueReviews(database, organization.id, {
      owner,
      signal: new AbortController().signal,
    });
  }

  const passDays = async () => {
    await test.database`
      update commission_reviews set due_at = now() - interval '1 second'
      where organization_id = ${program.context.organization.id} and due_at is not null`;
  };

  it("approves what is due, once", async () => {
    const ids = [await earn(program), await earn(program)];
    expect(await work()).toEqual({ approved: 0, failed: 0, has_more: false });
    await rejectCommission(program.context, { id: ids[1] ?? "", reason: "Test" });
    await passDays();
    expect(await work()).toEqual({ approved: 1, failed: 0, has_more: false });
    expect(await work()).toEqual({ approved: 0, failed: 0, has_more: false });
    expect(await stateOf(program, ids[0] ?? "")).toBe("approved not_paid");
    expect(await stateOf(program, ids[1] ?? "")).toBe("rejected voided");
    expect((await getCommission(program.context, ids[0] ?? "")).review).toMatchObject({
      decided_by: "automatic approval",
      approves_at: null,
    });
    expect(await balance(program)).toMatchObject({ due: 30 });
    await expectSoundLedger(program.context);
  });

  it("locks payments before the commission of a lead, as reports do", async () => {
    const { context, campaign_id, affiliate_id } = program;
    const lead_commissions = [{ kind: "signup", amount: 40, daily_limit: null }];
    await updateCampaign(context, { id: campaign_id, lead_commissions });
    const email = `${crypto.randomUUID()}@customers.test`;
    await createReferral(context, { affiliate_id, email, subscription_status: "active" });
    const { data } = await listCommissions(context, { limit: 1, cursor: "" });
    const id = data[0]?.id ?? "";
    await passDays();
    let approval: Promise<object> | undefined;
    await transaction(test.database, async (sql) => {
      await lockPayments(sql, context.organization.id);
      approval = work();
      await eventually(async () => {
        const waiting = await test.database`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(waiting).toHaveLength(1);
      });
      await sql`select from commissions where id = ${id} for no key update nowait`;
    });
    expect(await approval).toEqual({ approved: 1, failed: 0, has_more: false });
    expect(await stateOf(program, id)).toBe("approved not_paid");
  });

  it("does nothing without the organization's shard", async () => {
    const id = await earn(program);
    await passDays();
    const { database, organization } = program.context;
    const former = await ownOrganization(database, organization.id);
    await ownOrganization(database, organization.id);
    await approveDueReviews(database, organization.id, {
      owner: former,
      signal: new AbortController().signal,
    });
    expect(await stateOf(program, id)).toBe("pending not_paid");
  });
});

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  const CHANGES: [string, (context: CreationContext, id: string) => Promise<unknown>, string][] = [
    ["an approval", (context, id) => approveCommission(context, { id }), "approved not_paid"],
    ["a rejection", (context, id) => rejectCommission(context, { id, reason: "Test" }), "rejected voided"],
    [
      "the approval of a worker",
      async (context, id) => {
        const { database, organization } = context;
        await test.database`update commission_reviews set due_at = now() where commission_id = ${id} and decided_at is null`;
        const owner = await ownOrganization(test.database, organization.id);
        await approveDueReviews(database, organization.id, { owner, signal: new AbortController().signal });
      },
      "approved not_paid",
    ],
  ];

  it.each(CHANGES)("%s is made or not, and a repetition makes it", async (_name, change, done) => {
    await failEachCall(test.url, kind, async (database) => {
      const program = await newProgram({ review: "all" });
      const id = await earnByPayment(program);
      await change({ ...program.context, database }, id).catch(() => {});
      expect(["pending not_paid", done]).toContain(await stateOf(program, id));
      await expectSoundLedger(program.context);
      await change(program.context, id);
      expect(await stateOf(program, id)).toBe(done);
      expect((await getCommissionStory(program.context, id)).changes).toHaveLength(1);
      await expectSoundLedger(program.context);
    });
  });

  it("a rejected one is approved or not", async () => {
    await failEachCall(test.url, kind, async (database) => {
      const program = await newProgram({ review: "all" });
      const id = await earnByPayment(program);
      await rejectCommission(program.context, { id, reason: "Test" });
      await approveCommission({ ...program.context, database }, { id }).catch(() => {});
      expect(["rejected voided", "approved not_paid"]).toContain(await stateOf(program, id));
      await expectSoundLedger(program.context);
      await approveCommission(program.context, { id });
      expect(await stateOf(program, id)).toBe("approved not_paid");
      await expectSoundLedger(program.context);
    });
  });
});
