import { listPaymentRows as listRows } from "@findersfee/database/attribution/list-payment-rows";
import { isRare } from "@findersfee/database/attribution/search";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { explainPayment } from "../../src/attribution/explain.ts";
import {
  countPayments,
  findTextMatches,
  listPaymentRows,
  matchPayments,
} from "../../src/attribution/list-rows.ts";
import { listRefusedPayments } from "../../src/attribution/refused.ts";
import { previewRerun, rerunPayments } from "../../src/attribution/rerun.ts";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { makeContext } from "../subscriber.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, commissions, type Partner, report, wrongPassed } from "./program.ts";
import { checkout, payment, refund, second } from "./reported.ts";

const DAY = 86_400;

let context: Context;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram(
  (program) => {
    ({ context, partner, click_id } = program);
  },
  { approval_needed: true },
);

const list = async (query: Partial<Parameters<typeof listPaymentRows>[1]> = {}) =>
  await listPaymentRows(context, { limit: 50, ...query });

/** Payments without a referral, one second apart; the first one is the earliest. */
async function buy(...subjects: string[]): Promise<void> {
  for (const [index, subject] of subjects.entries()) {
    const customer = { customer_id: `cus_${subject}`, email: `${subject}@customers.test` };
    await report(context, payment({ subject, ...customer, at: second(100 + index) }));
  }
}

const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map((row) => row.processor_payment_id);

describe("the list of payments", () => {
  it("goes down and up again by pages", async () => {
    await buy("in_1", "in_2", "in_3", "in_4", "in_5");
    const first = await list({ limit: 2 });
    expect(idsOf(first)).toEqual(["in_5", "in_4"]);
    expect(first.newer).toBeNull();
    const second = await list({ limit: 2, after: first.older ?? "" });
    expect(idsOf(second)).toEqual(["in_3", "in_2"]);
    const last = await list({ limit: 2, after: second.older ?? "" });
    expect(idsOf(last)).toEqual(["in_1"]);
    expect(last.older).toBeNull();
    const back = await list({ limit: 2, before: last.newer ?? "" });
    expect(idsOf(back)).toEqual(["in_3", "in_2"]);
    const top = await list({ limit: 2, before: back.newer ?? "" });
    expect(idsOf(top)).toEqual(["in_5", "in_4"]);
    expect(top.newer).toBeNull();
    expect(top.older).not.toBeNull();
  });

  it("finds the same by a frequent text as by a rare one", async () => {
    await buy("in_1", "in_2", "other");
    const { database, organization } = context;
    const range = { after: null, before: null, limit: 50 };
    for (const prefix of ["in_", "IN_", "cus_in_1", "other@", "nobody"]) {
      for (const outcomes of [undefined, ["no_referral"]]) {
        const found = async (most: number, searched?: number) => {
          const matches = await findTextMatches(database, organization.id, prefix, most);
          const filter = { text: { prefix, matches }, outcomes };
          const rows = await listRows(database, organization.id, { filter, range, searched });
          return { is_rare: isRare(filter.text), ids: rows.map(({ id }) => id) };
        };
        const rare = await found(10);
        expect(rare.is_rare).toBe(true);
        const frequent = { is_rare: prefix === "nobody", ids: rare.ids };
        expect(await found(0)).toEqual(frequent);
        expect(await found(0, 50)).toEqual(frequent);
      }
    }
  });

  it("finds payments by the beginning of an email, a customer's id or a payment's id", async () => {
    await buy("in_1", "in_2", "other");
    expect(idsOf(await list({ text: "IN_1@CUST" }))).toEqual(["in_1"]);
    expect(idsOf(await list({ text: "cus_oth" }))).toEqual(["other"]);
    expect(idsOf(await list({ text: "in_" }))).toEqual(["in_2", "in_1"]);
    expect(idsOf(await list({ text: "n_1" }))).toEqual([]);
    const { data } = await list({ text: "in_" });
    expect(await matchPayments(context, { text: "in_" })).toEqual({
      data: data.map(({ id, outcome }) => ({ id, state: outcome })),
      has_more: false,
    });
    expect(idsOf(await list({ text: "in%" }))).toEqual([]);
  });

  it("finds payments by any part of their affiliate's texts, and of the email of a referral", async () => {
    const { affiliate_id } = partner;
    const customer = { customer_id: "cus_1", email: "Lee@BigCo.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...customer, at: second(20) }),
    );
    await updateAffiliate(context, { id: affiliate_id, approved: true });
    await rerunPayments(
      context,
      (await list()).data.map(({ id }) => id),
    );
    await buy("other");
    const { database } = context;
    await database`update affiliates set first_name = 'Änne', last_name = 'Doe' where id = ${affiliate_id}`;
    for (const text of ["igco.TEST", "änne d", "e doe"]) {
      expect(idsOf(await list({ text })), text).toEqual(["in_1"]);
      expect(idsOf(await list({ text, outcomes: ["no_referral"] })), text).toEqual([]);
    }
  });

  it("finds payments by outcomes, period, processor and affiliate", async () => {
    await buy("in_1");
    await report(
      context,
      checkout({
        subject: "cs_2",
        customer_id: "cus_2",
        email: "b@c.test",
        click_ids: [click_id],
        at: second(10),
      }),
      payment({ subject: "in_2", customer_id: "cus_2", email: "b@c.test", at: second(200) }),
    );
    expect(idsOf(await list({ outcomes: ["affiliate_unapproved", "click_expired"] }))).toEqual(["in_2"]);
    expect(idsOf(await list({ outcomes: ["no_referral", "affiliate_unapproved"] }))).toEqual([
      "in_2",
      "in_1",
    ]);
    expect(idsOf(await list({ paid_from: second(150).toISOString() }))).toEqual(["in_2"]);
    expect(idsOf(await list({ paid_until: second(150).toISOString() }))).toEqual(["in_1"]);
    expect(idsOf(await list({ processor: "generic" }))).toEqual([]);
    expect(idsOf(await list({ affiliate_id: partner.affiliate_id }))).toEqual(["in_2"]);
    await expect(list({ affiliate_id: click_id })).rejects.toMatchObject({ code: "not_found" });
    expect(await countPayments(context, {})).toEqual(
      expect.arrayContaining([
        { outcome: "no_referral", count: 1 },
        { outcome: "affiliate_unapproved", count: 1 },
      ]),
    );
    expect(await countPayments(context, { paid_from: second(300).toISOString() })).toEqual([]);
  });

  it("finds payments of an affiliate that others won, by pages", async () => {
    const approve = (affiliate_id: string) => updateAffiliate(context, { id: affiliate_id, approved: true });
    await approve(partner.affiliate_id);
    const rival = await addPartner(context, { name: "Rivals", approval_needed: true });
    const click_ids = [click_id, await click(context, { ...rival, at: second(5) })];
    const customer = { customer_id: "cus_1", email: "b@c.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids, at: second(10) }),
      payment({ subject: "in_1", ...customer, at: second(20) }),
    );
    await buy("other");
    const of = ({ affiliate_id }: Partner, query = {}) => list({ affiliate_id, ...query });
    expect(idsOf(await of(partner))).toEqual(["in_1"]);
    const [lost] = (await of(rival)).data;
    expect(lost).toMatchObject({ processor_payment_id: "in_1", affiliate: { id: partner.affiliate_id } });
    expect(idsOf(await of(rival, { outcomes: ["commission"], processor: "stripe" }))).toEqual(["in_1"]);
    expect(idsOf(await of(rival, { outcomes: ["no_referral"] }))).toEqual([]);
    await report(context, payment({ subject: "in_2", ...customer, at: second(200) }));
    const first = await of(rival, { limit: 1 });
    expect(idsOf(first)).toEqual(["in_2"]);
    const second_page = await of(rival, { limit: 1, after: first.older ?? "" });
    expect(idsOf(second_page)).toEqual(["in_1"]);
    expect(idsOf(await of(rival, { limit: 1, before: second_page.newer ?? "" }))).toEqual(["in_2"]);
    expect(await wrongPassed(context)).toEqual([]);
  });

  it("names the candidate that was passed over, with the age of its click", async () => {
    await updateAffiliate(context, { id: partner.affiliate_id, approved: true });
    const at = second(31 * DAY + 10);
    await report(
      context,
      checkout({ subject: "cs_1", customer_id: "cus_1", email: "b@c.test", click_ids: [click_id], at }),
      payment({ subject: "in_1", customer_id: "cus_1", email: "b@c.test", at }),
    );
    const [row] = (await list()).data;
    expect(row).toMatchObject({
      outcome: "click_expired",
      customer_email: "b@c.test",
      affiliate: null,
      passed: {
        source: "click",
        result: "click_expired",
        age_days: 31,
        cookie_duration: 30,
        affiliate: { id: partner.affiliate_id, approved: true, banned: false },
      },
    });
  });

  it("takes as many statements for many rows as for one", async () => {
    await buy("in_1");
    const for_one = await statementsOf(context.database, () => list({ text: "in_" }));
    await buy(...Array.from({ length: 20 }, (_, index) => `in_x${index}`));
    const many = await statementsOf(context.database, () => list({ text: "in_" }));
    expect(many.length).toBe(for_one.length);
    expect(many.length).toBeLessThanOrEqual(6);
  });

  it("shows nothing of other organizations", async () => {
    await buy("in_1");
    const other = await makeContext(context.database);
    expect((await listPaymentRows(other, { limit: 50 })).data).toEqual([]);
    expect((await listPaymentRows(other, { limit: 50, text: "in_1" })).data).toEqual([]);
    expect(await matchPayments(other, {})).toEqual({ data: [], has_more: false });
    const [row] = (await list()).data;
    await expect(explainPayment(other, row?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    await expect(rerunPayments(other, [row?.id ?? ""])).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an explanation", () => {
  it("has the names, the click and the reports", async () => {
    const other_click = await click(context, { affiliate_id: partner.affiliate_id, at: second(5) });
    await report(
      context,
      checkout({
        subject: "cs_1",
        customer_id: "cus_1",
        email: "b@c.test",
        click_ids: [click_id, other_click],
        at: second(10),
      }),
      payment({ subject: "in_1", customer_id: "cus_1", email: "b@c.test", at: second(20) }),
      refund({ subject: "re_1", amount_minor: 1_000n, references: ["in_1"], at: second(30) }),
      payment({ subject: "in_2", customer_id: "cus_1", email: "b@c.test", at: second(40) }),
    );
    const id = (await list()).data.find((row) => row.processor_payment_id === "in_1")?.id ?? "";
    const statements = await statementsOf(context.database, () => explainPayment(context, id));
    expect(statements.length).toBeLessThanOrEqual(8);
    expect(await explainPayment(context, id)).toMatchObject({
      decision: { id, outcome: "affiliate_unapproved" },
      customer: { emails: ["b@c.test"], processor_ids: ["cus_1"] },
      candidates: [
        { source: "click", reference: other_click, result: "affiliate_unapproved", age_days: 0 },
        { source: "click", reference: click_id, result: "affiliate_unapproved" },
      ],
      commission: null,
      reports: [
        { kind: "checkout", subject: "cs_1" },
        { kind: "payment", subject: "in_1" },
        { kind: "refund", subject: "re_1" },
      ],
    });
  });
});

describe("deciding again", () => {
  it("shows the change first, and makes it then", async () => {
    await report(
      context,
      checkout({
        subject: "cs_1",
        customer_id: "cus_1",
        email: "b@c.test",
        click_ids: [click_id],
        at: second(10),
      }),
      payment({ subject: "in_1", customer_id: "cus_1", email: "b@c.test", at: second(20) }),
    );
    await updateAffiliate(context, { id: partner.affiliate_id, approved: true });
    const ids = (await list()).data.map((row) => row.id);
    const expected = [
      {
        id: ids[0],
        changed: true,
        before: { outcome: "affiliate_unapproved", commission_amount: 0 },
        after: { outcome: "commission", commission_amount: 30, affiliate_id: partner.affiliate_id },
      },
    ];
    expect(await previewRerun(context, ids)).toMatchObject(expected);
    expect((await list()).data[0]?.outcome).toBe("affiliate_unapproved");
    expect(await commissions(context)).toEqual([]);
    const log = { resource: "payment_decision", limit: 10 } as const;
    expect((await listAuditEntries(context, log)).data).toEqual([]);
    expect(await rerunPayments(context, ids)).toMatchObject(expected);
    expect(await commissions(context)).toMatchObject([{ commission_minor: 3000n }]);
    expect((await listAuditEntries(context, log)).data).toMatchObject([
      { action: "rerun", actor: "operator" },
    ]);
    expect(await previewRerun(context, ids)).toMatchObject([{ changed: false }]);
  });

  it("finds payments that earned nothing before an approval, by clicks and by referrals", async () => {
    const { affiliate_id } = partner;
    const rival = await addPartner(context, { name: "Rivals", approval_needed: true });
    const by_click = { customer_id: "cus_1", email: "b@c.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...by_click, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...by_click, at: second(20) }),
    );
    await createReferral(context, { affiliate_id, email: "d@e.test", subscription_status: "active" });
    const late = { at: new Date(Date.now() + 1_000), paid_at: new Date(Date.now() + 1_000) };
    await report(context, payment({ subject: "in_2", customer_id: "cus_2", email: "d@e.test", ...late }));
    await buy("other");
    const refused = async (outcome: "affiliate_unapproved" | "affiliate_banned") =>
      await listRefusedPayments(context, { affiliate_ids: [affiliate_id, rival.affiliate_id], outcome });
    await updateAffiliate(context, { id: affiliate_id, approved: true });
    // The checkout was decided on before the approval, and later payments follow it.
    await report(context, payment({ subject: "in_3", ...by_click, at: second(40) }));
    expect(idsOf(await list({ outcomes: ["affiliate_unapproved"] }))).toEqual(["in_2", "in_3", "in_1"]);
    const { count, ids } = await refused("affiliate_unapproved");
    expect(count).toBe(3);
    const rows = (await list()).data;
    expect(ids.map((id) => rows.find((row) => row.id === id)?.processor_payment_id)).toEqual([
      "in_2",
      "in_3",
      "in_1",
    ]);
    expect(await refused("affiliate_banned")).toEqual({ count: 0, ids: [] });
    const stranger = await makeContext(context.database);
    await expect(
      listRefusedPayments(stranger, { affiliate_ids: [affiliate_id], outcome: "affiliate_unapproved" }),
    ).rejects.toMatchObject({ code: "not_found" });
    await rerunPayments(context, ids);
    expect(await commissions(context)).toHaveLength(3);
    expect(await refused("affiliate_unapproved")).toEqual({ count: 0, ids: [] });
    // From now on the customer is the affiliate's.
    await report(context, payment({ subject: "in_4", ...by_click, at: second(50) }));
    expect(await commissions(context)).toHaveLength(4);
    await updateAffiliate(context, { id: affiliate_id, banned: true });
    await report(context, payment({ subject: "in_5", ...by_click, at: second(60) }));
    expect(await refused("affiliate_banned")).toMatchObject({ count: 1 });
  });

  it("does all or none", async () => {
    await buy("in_1");
    const ids = (await list()).data.map((row) => row.id);
    await expect(rerunPayments(context, [...ids, click_id])).rejects.toMatchObject({ code: "not_found" });
  });
});
