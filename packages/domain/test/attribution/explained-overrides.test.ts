/* Overrides in the dashboard. */
import { beforeEach, describe, expect, it } from "vitest";
import { explainPayment } from "../../src/attribution/explain.ts";
import { listPaymentRows } from "../../src/attribution/list-rows.ts";
import {
  creditPayment,
  moveCustomer,
  resumeCustomer,
  stopCustomer,
  undoOverride,
} from "../../src/attribution/overrides/make.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getTimeline } from "../../src/customers/timeline.ts";
import { signInUser } from "../identity/accounts/sign-in.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, type Partner, referrals, report } from "./program.ts";
import { checkout, payment, second } from "./reported.ts";

let context: CreationContext;
/** The same organization, with a person who decides. */
let morgan: CreationContext;
let jane: Partner;
let sam: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner: jane } = program);
});

beforeEach(async () => {
  const { user_id } = await signInUser(context.database, "Morgan Lee");
  morgan = { ...context, actor: { kind: "user", id: user_id } };
  sam = await addPartner(context, { name: "Others" }, { first_name: "Sam", last_name: "Roe" });
});

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
const because = (reason: string) => ({ reason, dry_run: false });
const DAY_MILLISECONDS = 24 * 60 * 60_000;
const soon = () => new Date(Date.now() + DAY_MILLISECONDS);

const pay = (subject: string, at: Date) => report(context, payment({ subject, ...CUSTOMER, at }));

/** The customer comes through Jane's link with a sub-id, and pays. */
async function buyFromJane(): Promise<string> {
  const at = new Date(Date.now() - DAY_MILLISECONDS);
  const click_ids = [await click(context, { affiliate_id: jane.affiliate_id, at, sub_id: "newsletter" })];
  await report(context, checkout({ subject: "cs_1", ...CUSTOMER, click_ids, at }));
  await pay("in_1", at);
  return await referralId();
}

async function referralId(): Promise<string> {
  const [row] = (await referrals(context)).filter(({ superseded }) => !superseded);
  return row?.id ?? "";
}

async function explain(payment_id: string) {
  const [row] = await context.database<{ id: string }[]>`
    select id from payment_decisions where organization_id = ${context.organization.id} and payment_id = ${payment_id}`;
  return await explainPayment(context, row?.id ?? "");
}

async function moveToSam(referral_id: string, fields = {}) {
  const { override } = await moveCustomer(morgan, {
    ...because("Agreed on the phone."),
    ...{ referral_id, affiliate_id: sam.affiliate_id, unpaid_commissions: false, ...fields },
  });
  return override?.id ?? "";
}

const decided = (timeline: Awaited<ReturnType<typeof getTimeline>>) =>
  timeline.entries.flatMap(({ override }) =>
    override === null
      ? []
      : `${override.actor_name ?? override.actor} ${override.change} ${override.type}: ${override.reason}`,
  );

describe("an explained payment", () => {
  it("names the person, the affiliate and the reason of a move, and of who undid it nobody", async () => {
    const referral_id = await buyFromJane();
    const id = await moveToSam(referral_id);
    await pay("in_2", soon());
    const { override, referred_by, reports } = await explain("in_2");
    expect(override).toMatchObject({
      id,
      type: "move",
      created_by_name: "Morgan Lee",
      reason: "Agreed on the phone.",
      affiliate: { id: sam.affiliate_id, first_name: "Sam" },
    });
    expect(referred_by).toBeNull();
    expect(reports.map(({ kind }) => kind)).not.toContain("override");
    expect(await explain("in_1")).toMatchObject({ override: null, referred_by: null });
    await undoOverride(morgan, { ...because("By mistake."), id });
    expect(await explain("in_2")).toMatchObject({ override: null, referred_by: null });
  });

  it("says who credited it, also of the customer's later payments", async () => {
    await pay("in_1", second(20));
    await pay("in_2", second(30));
    const { override } = await creditPayment(morgan, {
      ...because("A friend told him."),
      processor_payment_id: "in_1",
      affiliate_id: jane.affiliate_id,
      past_payments: false,
    });
    const referred_by = { actor_name: "Morgan Lee", at: override?.created_at, is_credit: true };
    expect(await explain("in_1")).toMatchObject({ override: { type: "credit" }, referred_by });
    expect(await explain("in_2")).toMatchObject({ override: null, referred_by });
    const { data } = await listPaymentRows(context, { limit: 10 });
    expect(data.map((row) => [row.processor_payment_id, row.override])).toEqual([
      ["in_2", null],
      ["in_1", "credit"],
    ]);
  });
});

describe("a customer's page", () => {
  it("lists what people decided, who changed it since, and why", async () => {
    const referral_id = await buyFromJane();
    const moved = await moveToSam(referral_id);
    await undoOverride(morgan, { ...because("By mistake."), id: moved });
    const { override } = await stopCustomer(morgan, { ...because("A reseller."), referral_id });
    const id = override?.id ?? "";
    const stopped = await getTimeline(context, referral_id);
    expect(stopped.overrides).toMatchObject([
      { id, type: "stop", ended_at: null, undone_at: null, affiliate: null, changes: [] },
      {
        id: moved,
        affiliate: { first_name: "Sam" },
        changes: [{ change: "undone", actor_name: "Morgan Lee", reason: "By mistake." }],
      },
    ]);
    await resumeCustomer(context, { ...because("No reseller."), id });
    await undoOverride(morgan, { ...because("Never one."), id });
    const timeline = await getTimeline(context, referral_id);
    expect(decided(timeline)).toEqual([
      "Morgan Lee made move: Agreed on the phone.",
      "Morgan Lee undone move: By mistake.",
      "Morgan Lee made stop: A reseller.",
      "operator resumed stop: No reseller.",
      "Morgan Lee undone stop: Never one.",
    ]);
    for (const { kind, message_id, processor } of timeline.entries) {
      if (kind === "override") expect([message_id, processor]).toEqual([null, null]);
    }
  });
});
