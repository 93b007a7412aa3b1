/* Claims as the organization decides on them. */

import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CreationContext, createCommission } from "../../../src/commissions/create.ts";
import type { Context } from "../../../src/context.ts";
import { acceptClaim, previewClaim } from "../../../src/customers/claims/accept.ts";
import { declineClaim } from "../../../src/customers/claims/decline.ts";
import { getClaim } from "../../../src/customers/claims/get.ts";
import { listClaims } from "../../../src/customers/claims/list.ts";
import { createReferral } from "../../../src/customers/referrals/create.ts";
import { newId } from "../../../src/ids.ts";
import { composeClaimContent } from "../../../src/mails/compose-claim.ts";
import { mailText } from "../../../src/mails/text.ts";
import {
  addAffiliate,
  addPartner,
  balanceOf,
  click,
  commissions,
  eventTypes,
  outcomes,
  type Partner,
  payOut,
  referrals,
  report,
  wrongPassed,
} from "../../attribution/program.ts";
import { checkout, payment, refund, second } from "../../attribution/reported.ts";
import { onDay, START } from "../../dates.ts";
import { makeContext } from "../../subscriber.ts";
import { claim, claimed } from "./program.ts";

const DAY = 24 * 60 * 60;
const KIM = { customer_id: "cus_kim", email: "kim@example.com" };

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let joe: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  jane = await addPartner(context, { customers: "new" });
  joe = await addPartner(context, { name: "Others" });
});

/** Kim's payments on days after the start. */
const paidOn = (...days: number[]) =>
  report(
    context,
    ...days.map((day) => payment({ subject: `in_${day}`, ...KIM, at: second((day - 1) * DAY) })),
  );

/** Accepts the shown preview. */
async function accept(
  { id, payment_decision_id }: { id: string; payment_decision_id: string },
  by: Context = context,
) {
  const { version } = await previewClaim(by, { id, payment_decision_id });
  return await acceptClaim(by, { id, payment_decision_id, version, answer: null });
}

const mails = async () =>
  await test.database`
    select about, affiliate_id from mails
    where organization_id = ${context.organization.id} and kind = 'claim_decided'`;
const entries = async (resource_id: string) =>
  await test.database`select action, before, after from audit_log_entries where resource_id = ${resource_id}`;

describe("accepting a claim", () => {
  it("makes the customer a referral from the payment on, at the campaign's rate", async () => {
    await paidOn(1, 10);
    await report(context, payment({ subject: "in_20", ...KIM, at: second(19 * DAY), revenue_minor: 5000n }));
    const made = await claimed(context, jane.affiliate_id, { paid_on: onDay(9) });
    const chosen = made.detail.payments.find(({ processor_payment_id }) => processor_payment_id === "in_10");
    const input = { id: made.id, payment_decision_id: chosen?.id ?? "" };
    const preview = await previewClaim(context, input);
    expect(preview).toMatchObject({
      commission_amount: 30,
      currency: "USD",
      payments: [
        { processor_payment_id: "in_20", before: { commission_amount: 0 }, after: { commission_amount: 15 } },
        { processor_payment_id: "in_10", after: { outcome: "commission", affiliate_id: jane.affiliate_id } },
        { processor_payment_id: "in_1", after: { outcome: "paid_before_referral", commission_amount: 0 } },
      ],
    });
    // A preview changes nothing.
    expect([await commissions(context), await referrals(context), await eventTypes(context)]).toEqual([
      [],
      [],
      [],
    ]);
    const { commission_id } = await acceptClaim(context, {
      ...input,
      version: preview.version,
      answer: " Thanks ",
    });
    expect(await commissions(context)).toMatchObject([
      { processor_payment_id: "in_10", affiliate_id: jane.affiliate_id, commission_minor: 3000n },
      { processor_payment_id: "in_20", affiliate_id: jane.affiliate_id, commission_minor: 1500n },
    ]);
    expect(await referrals(context)).toMatchObject([
      {
        email: "kim@example.com",
        affiliate_id: jane.affiliate_id,
        processor_customer_id: "cus_kim",
        converted: true,
      },
    ]);
    expect((await eventTypes(context)).sort()).toEqual([
      "commission.created",
      "commission.created",
      "referral.converted",
      "referral.created",
    ]);
    expect(await getClaim(context, made.id)).toMatchObject({
      claim: { state: "accepted", answer: "Thanks", commission_id, decided_by: "operator" },
      commission: { id: commission_id, commission_amount: 30, payout_status: "not_paid" },
      customer: { affiliate: { id: jane.affiliate_id } },
    });
    expect(await mails()).toEqual([{ about: made.id, affiliate_id: jane.affiliate_id }]);
    expect(await entries(made.id)).toMatchObject([
      { action: "updated", after: { state: "accepted", commission_id } },
    ]);
    expect(await entries(input.payment_decision_id)).toMatchObject([
      { action: "rerun", before: { outcome: "no_referral" }, after: { outcome: "commission" } },
    ]);
    expect(await wrongPassed(context)).toEqual([]);
  });

  it("counts a click that was too old, and shows it", async () => {
    // Clicks are kept for 400 days, so these times follow the clock.
    const at = new Date();
    const click_ids = [await click(context, { ...jane, at: new Date(at.getTime() - 40 * DAY * 1000) })];
    await report(
      context,
      checkout({ subject: "cs_1", ...KIM, at, click_ids }),
      payment({ subject: "in_1", ...KIM, at }),
    );
    expect(await outcomes(context)).toEqual({ in_1: "click_expired" });
    const made = await claimed(context, jane.affiliate_id, { paid_on: at.toISOString().slice(0, 10) });
    expect(made.detail.payments).toMatchObject([
      {
        outcome: "click_expired",
        is_near: true,
        obstacle: null,
        own_candidate: { result: "click_expired", age_days: 40, cookie_duration: 30 },
      },
    ]);
    await accept(made);
    expect(await outcomes(context)).toEqual({ in_1: "commission" });
  });

  it("extends a referral of the affiliate that is younger than the payment", async () => {
    await paidOn(1);
    await createReferral(context, { ...jane, email: KIM.email, subscription_status: "active" });
    expect(await outcomes(context)).toEqual({ in_1: "paid_before_referral" });
    await accept(await claimed(context, jane.affiliate_id));
    expect(await balanceOf(context)).toBe(3000n);
    expect(await referrals(context)).toHaveLength(1);
    expect((await eventTypes(context)).filter((type) => type === "referral.created")).toHaveLength(1);
    // Later reports change nothing.
    await paidOn(1, 2);
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
  });

  it("extends a referral that a checkout created", async () => {
    const any = await addPartner(context, { name: "Any", customers: "any" });
    await paidOn(1);
    const click_ids = [await click(context, { ...any, at: second(4 * DAY) })];
    await report(context, checkout({ subject: "cs_5", ...KIM, click_ids, at: second(4 * DAY + 60) }));
    await paidOn(6);
    expect(await outcomes(context)).toEqual({ in_1: "no_referral", in_6: "commission" });
    const { id, detail } = await claimed(context, any.affiliate_id);
    const first = detail.payments.find(({ processor_payment_id }) => processor_payment_id === "in_1");
    await accept({ id, payment_decision_id: first?.id ?? "" });
    expect(await outcomes(context)).toEqual({ in_1: "commission", in_6: "commission" });
    expect(await balanceOf(context)).toBe(6000n);
  });

  it("pays what a partial refund left, and later refunds reduce it", async () => {
    await paidOn(1);
    await report(
      context,
      refund({ subject: "re_1", references: ["in_1"], amount_minor: 5000n, at: second(60) }),
    );
    const made = await claimed(context, jane.affiliate_id);
    expect(await previewClaim(context, made)).toMatchObject({ commission_amount: 15 });
    await accept(made);
    await report(
      context,
      refund({ subject: "re_2", references: ["in_1"], amount_minor: 2500n, at: second(90) }),
    );
    expect(await balanceOf(context)).toBe(750n);
  });

  it("stays accepted when the commission is voided", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    await accept(made);
    await report(
      context,
      refund({ subject: "re_1", references: ["in_1"], amount_minor: 10_000n, at: second(60) }),
    );
    expect(await getClaim(context, made.id)).toMatchObject({
      claim: { state: "accepted" },
      commission: { payout_status: "voided" },
    });
  });
});

describe("a claim is not accepted", () => {
  const notPayable = (message: RegExp) => ({
    code: "claim_not_payable",
    message: expect.stringMatching(message),
  });

  it("for a payment that another affiliate earned, paid out or not, and nobody is paid twice", async () => {
    await createReferral(context, { ...joe, email: KIM.email, subscription_status: "active" });
    const now = Math.floor(Date.now() / 1000 - second(0).getTime() / 1000);
    await report(context, payment({ subject: "in_now", ...KIM, at: second(now) }));
    const paid_on = new Date().toISOString().slice(0, 10);
    const made = await claimed(context, jane.affiliate_id, { paid_on });
    expect(made.detail).toMatchObject({
      customer: { affiliate: { id: joe.affiliate_id } },
      payments: [{ obstacle: "earned_by_other", affiliate: { id: joe.affiliate_id }, commission_amount: 30 }],
    });
    await expect(accept(made)).rejects.toMatchObject(notPayable(/another affiliate/));
    await payOut(context);
    await expect(accept(made)).rejects.toMatchObject(notPayable(/another affiliate/));
    expect(await balanceOf(context)).toBe(3000n);
    expect((await getClaim(context, made.id)).claim.state).toBe("open");
  });

  it("for the customer of another affiliate, the affiliate's own commission, or a manual one", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    const referral = await createReferral(context, {
      ...joe,
      email: KIM.email,
      subscription_status: "active",
    });
    await expect(accept(made)).rejects.toMatchObject(notPayable(/permanent/));
    await createCommission(context, {
      referral_id: referral.id,
      revenue_amount: 100,
      commission_amount: 5,
      processor_payment_id: "in_1",
    });
    await report(context, payment({ subject: "in_1", ...KIM, rank: 1 }));
    expect(await outcomes(context)).toEqual({ in_1: "commission_exists" });
    await expect(accept(made)).rejects.toMatchObject(notPayable(/manually/));
    await report(context, payment({ subject: "in_lee", email: "lee@example.com" }));
    await accept(await claimed(context, joe.affiliate_id, { email: "lee@example.com" }));
    const again = await claimed(context, joe.affiliate_id, {
      email: "lee@example.com",
      paid_on: onDay(1),
    });
    await expect(accept(again)).rejects.toMatchObject(notPayable(/already earned this affiliate/));
  });

  it("if the rules leave nothing: a refund, the affiliate's own purchase, a ban", async () => {
    await report(context, payment({ subject: "in_own", email: "own@example.com" }));
    const own = await addPartner(context, { name: "Own" }, { email: "own@example.com" });
    const self = await claimed(context, own.affiliate_id, { email: "own@example.com" });
    await expect(accept(self)).rejects.toMatchObject(notPayable(/is the customer/));
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    await test.database`update affiliates set banned = true where id = ${jane.affiliate_id}`;
    await expect(accept(made)).rejects.toMatchObject(notPayable(/banned/));
    await test.database`update affiliates set banned = false where id = ${jane.affiliate_id}`;
    await report(
      context,
      refund({ subject: "re_1", references: ["in_1"], amount_minor: 10_000n, at: second(60) }),
    );
    await expect(accept(made)).rejects.toMatchObject(notPayable(/refunded/));
    expect([await commissions(context), await referrals(context)]).toEqual([[], []]);
  });

  it("if anything has changed since the preview", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    const { version } = await previewClaim(context, made);
    const input = { id: made.id, payment_decision_id: made.payment_decision_id, version, answer: null };
    await report(
      context,
      refund({ subject: "re_1", references: ["in_1"], amount_minor: 100n, at: second(60) }),
    );
    await expect(acceptClaim(context, input)).rejects.toMatchObject({ code: "claim_changed" });
    // Attributed in the meantime.
    await createReferral(context, { ...joe, email: KIM.email, subscription_status: "active" });
    await expect(acceptClaim(context, input)).rejects.toMatchObject({ code: "claim_not_payable" });
    expect(await mails()).toEqual([]);
  });

  it("for payments of other addresses and organizations, and unknown ones", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    await report(context, payment({ subject: "in_lee", email: "lee@example.com" }));
    const lee = await claimed(context, jane.affiliate_id, { email: "lee@example.com" });
    const other = await makeContext(test.database);
    for (const [who, input] of [
      [context, { ...made, payment_decision_id: lee.payment_decision_id }],
      [context, { ...made, payment_decision_id: newId(new Date()) }],
      [context, { ...made, id: newId(new Date()) }],
      [other, made],
    ] as const) {
      await expect(accept(input, who)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(getClaim(other, made.id)).rejects.toMatchObject({ code: "not_found" });
    const decline = { id: made.id, answer: "No" };
    await expect(declineClaim(other, decline)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("two people", () => {
  it("decide once", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    const { version } = await previewClaim(context, made);
    const input = { id: made.id, payment_decision_id: made.payment_decision_id, version, answer: null };
    const results = await Promise.allSettled([
      acceptClaim(context, input),
      acceptClaim(context, input),
      declineClaim(context, { id: made.id, answer: "No" }),
    ]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "claim_decided" });
    }
    expect(await mails()).toHaveLength(1);
    const { claim: decided } = await getClaim(context, made.id);
    expect(await balanceOf(context)).toBe(decided.state === "accepted" ? 3000n : 0n);
  });

  it("accept claims of two affiliates for one payment: the first wins", async () => {
    await paidOn(1);
    const both = [await claimed(context, jane.affiliate_id), await claimed(context, joe.affiliate_id)];
    const results = await Promise.allSettled(both.map((made) => accept(made)));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await balanceOf(context)).toBe(3000n);
    expect(await referrals(context)).toHaveLength(1);
  });
});

describe("declining a claim", () => {
  it("answers the affiliate, and nothing else changes", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    await declineClaim(context, { id: made.id, answer: " The click was too old. " });
    expect((await getClaim(context, made.id)).claim).toMatchObject({
      state: "declined",
      answer: "The click was too old.",
      commission_id: null,
    });
    expect(await entries(made.id)).toMatchObject([
      { before: { state: "open" }, after: { state: "declined" } },
    ]);
    expect(await mails()).toEqual([{ about: made.id, affiliate_id: jane.affiliate_id }]);
    await expect(accept(made)).rejects.toMatchObject({ code: "claim_decided" });
    await expect(declineClaim(context, { id: made.id, answer: "No" })).rejects.toMatchObject({
      code: "claim_decided",
    });
    expect(await commissions(context)).toEqual([]);
  });
});

describe("the mail", () => {
  const reader = {
    affiliate: { first_name: "Jane", banned: false },
    review: { agreed_at: new Date() },
  } as Parameters<typeof composeClaimContent>[2];
  const compose = async (about: string) => {
    const mail = {
      organization_id: context.organization.id,
      organization_name: "Acme",
      about,
      language: "en" as const,
    };
    const content = await composeClaimContent(test.database, mail, reader);
    return "dropped" in content ? content.dropped : `${content.subject}\n${mailText(content)}`;
  };

  it("has the decision, the words and the amount", async () => {
    await paidOn(1);
    const made = await claimed(context, jane.affiliate_id);
    await accept(made);
    const accepted = await compose(made.id);
    for (const text of [
      "Acme accepted the sale you reported",
      new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(START),
      "$30.00",
      "kim@example.com",
    ]) {
      expect(accepted).toContain(text);
    }
    const other = await claim(context, joe.affiliate_id);
    await declineClaim(context, { id: other.id, answer: "<b>No</b>" });
    const declined = await compose(other.id);
    expect(declined).toContain("<b>No</b>");
    expect(declined).not.toContain("Your commission");
    expect(await compose(newId(new Date()))).toBe("the claim does not exist");
  });
});

describe("the list", () => {
  it("finds by state, affiliate and address, and goes down and up", async () => {
    const first = await claim(context, jane.affiliate_id);
    const next = await claim(context, joe.affiliate_id);
    const last = await claim(context, jane.affiliate_id, { email: "lee@example.com" });
    await declineClaim(context, { id: next.id, answer: "No" });
    const list = async (query: object = {}) => await listClaims(context, { limit: 50, ...query });
    const ids = async (query: object) => (await list(query)).data.map(({ id }) => id);
    expect(await ids({})).toEqual([last.id, next.id, first.id]);
    expect(await ids({ states: ["open"] })).toEqual([last.id, first.id]);
    expect(await ids({ states: ["open", "declined", "open"] })).toEqual([last.id, next.id, first.id]);
    expect(await ids({ affiliate_id: joe.affiliate_id })).toEqual([next.id]);
    expect(await ids({ text: " KIM@example.com " })).toEqual([next.id, first.id]);
    expect(await ids({ text: "im@exam", states: ["declined"] })).toEqual([next.id]);
    expect(await ids({ text: "kim_" })).toEqual([]);
    await test.database`update affiliates set first_name = 'Joséphine' where id = ${joe.affiliate_id}`;
    expect(await ids({ text: "SÉPH" })).toEqual([next.id]);
    const page = await list({ limit: 1, states: ["open"] });
    const older = await list({ limit: 1, states: ["open"], after: page.older });
    expect(older.data.map(({ id }) => id)).toEqual([first.id]);
    expect((await list({ limit: 1, states: ["open"], before: older.newer })).data[0]?.id).toBe(last.id);
    await expect(list({ affiliate_id: newId(new Date()) })).rejects.toMatchObject({ code: "not_found" });
    expect((await listClaims(await makeContext(test.database), { limit: 50 })).data).toEqual([]);
  });
});

describe("each call", () => {
  it.each(LOST_ANSWERS)("that fails leaves a claim decided or open: %s", async (kind) => {
    let number = 0;
    await failEachCall(
      test.url,
      kind,
      async (database) => {
        number += 1;
        const email = `customer${number}@example.com`;
        await report(context, payment({ subject: `in_${number}`, email }));
        const affiliate_id = await addAffiliate(context, { campaign_id: jane.campaign_id });
        const made = await claimed(context, affiliate_id, { email });
        const { version } = await previewClaim(context, made);
        const input = { id: made.id, payment_decision_id: made.payment_decision_id, version, answer: null };
        await acceptClaim({ ...context, database }, input).catch(() => {});
        const { claim: after, payments } = await getClaim(context, made.id);
        expect(payments[0]?.outcome).toBe(after.state === "accepted" ? "commission" : "no_referral");
        await acceptClaim(context, input).catch((error: unknown) =>
          expect(error).toMatchObject({ code: "claim_decided" }),
        );
        expect((await getClaim(context, made.id)).claim.state).toBe("accepted");
        expect(await balanceOf(context)).toBe(3000n * BigInt(number));
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(number).toBeGreaterThan(15 / LONG_TESTS_EVERY);
    expect(await mails()).toHaveLength(number);
  });

  it("of reading is one of few, however many payments there are", async () => {
    await paidOn(...Array.from({ length: 20 }, (_, index) => index + 1));
    const made = await claimed(context, jane.affiliate_id);
    const { length } = await statementsOf(test.database, () => getClaim(context, made.id));
    expect(length).toBeLessThanOrEqual(9);
    expect(await statementsOf(test.database, () => listClaims(context, { limit: 50 }))).toHaveLength(1);
  });
});
