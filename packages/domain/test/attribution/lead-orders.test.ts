/* Leads earn the same in any order of the reports and of people's decisions. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, apply, click, type Partner, sourceOf } from "./program.ts";
import { type RecordedAct, recordedActs } from "./recorded-acts.ts";
import { checkout, customer, payment, second, signUp, subscription } from "./reported.ts";

const LEADS = [
  { kind: "signup", amount: 2, daily_limit: null },
  { kind: "trial", amount: 5, daily_limit: null },
];
const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };
/** A decision about the only customer from the beginning, for the paying partner. */
const ACT: Omit<RecordedAct, "type"> = {
  customer: 0,
  partner: 0,
  day: 0,
  seconds: 0,
  named_by: "both",
  payments: [0],
  ended_after: null,
  is_undone: false,
};

let test: TestDatabase;
let context: CreationContext;
let paying: Partner;
/** Its campaign pays for no leads. */
let unpaying: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  paying = await addPartner(context, { lead_commissions: LEADS });
  unpaying = await addPartner(context, {});
});

function messageOf(fact: PaymentFact, index: number): IncomingFact {
  return { processor: sourceOf(fact), message_id: `evt_${index}`, fact };
}

function decisionAbout(type: RecordedAct["type"], facts: readonly PaymentFact[]): IncomingFact[] {
  const affiliates = [paying.affiliate_id, unpaying.affiliate_id];
  return recordedActs([{ ...ACT, type }], { facts, affiliates, processor: "stripe" });
}

/** The commissions of leads that are not void. */
async function earned(): Promise<string[]> {
  const { database, organization } = context;
  const rows = await database<{ lead: string; affiliate_id: string; commission_minor: bigint }[]>`
    select lead, affiliate_id, commission_minor from commissions
    where organization_id = ${organization.id} and lead is not null and not voided order by lead`;
  const found = (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
  expect(found).toEqual([]);
  return rows.map(({ lead, affiliate_id, commission_minor }) => {
    return `${lead} ${commission_minor} ${affiliate_id === paying.affiliate_id ? "paying" : "unpaying"}`;
  });
}

describe.each(["in time", "reversed"])("with messages %s", (order) => {
  async function reportEach(messages: readonly IncomingFact[]) {
    for (const message of order === "in time" ? messages : messages.toReversed())
      await apply(context, [message]);
  }

  /** Two checkouts of the customer, each after a click of an affiliate. */
  async function checkoutsOf(partners: { older: Partner; newer: Partner }): Promise<PaymentFact[]> {
    const { older, newer } = partners;
    const clicks = {
      older: await click(context, { affiliate_id: older.affiliate_id, at: second(1) }),
      newer: await click(context, { affiliate_id: newer.affiliate_id, at: second(20) }),
    };
    return [
      checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [clicks.older], at: second(10) }),
      checkout({ subject: "cs_2", ...CUSTOMER, click_ids: [clicks.newer], at: second(30) }),
    ];
  }

  it("has the sign-up at the older of two checkouts, and its holding period from then on", async () => {
    await reportEach((await checkoutsOf({ older: paying, newer: paying })).map(messageOf));
    const rows = await context.database`
      select lead.occurred_at, commission.referral_date, commission.payable_at - commission.referral_date as held
      from leads lead join commissions commission on commission.id = lead.commission_id
        and commission.organization_id = lead.organization_id
      where lead.organization_id = ${context.organization.id}`;
    expect([...rows]).toMatchObject([{ occurred_at: second(10), referral_date: second(10) }]);
    expect(await earned()).toEqual(["signup 200 paying"]);
  });

  it("pays a sign-up to the affiliate of the older checkout, if the other's campaign pays for none", async () => {
    await reportEach((await checkoutsOf({ older: paying, newer: unpaying })).map(messageOf));
    expect(await earned()).toEqual(["signup 200 paying"]);
  });

  it("pays no sign-up to the affiliate of the newer checkout", async () => {
    await reportEach((await checkoutsOf({ older: unpaying, newer: paying })).map(messageOf));
    expect(await earned()).toEqual([]);
  });

  it("pays no sign-up after a move, if the campaign of the affiliate who brought the customer pays for none", async () => {
    const [first] = await checkoutsOf({ older: unpaying, newer: unpaying });
    const facts = [customer({ subject: "cus_1", ...CUSTOMER, at: second(0) }), first as PaymentFact];
    await reportEach([...facts.map(messageOf), ...decisionAbout("move", facts)]);
    expect(await earned()).toEqual([]);
  });

  it("pays no sign-up of the older checkout's affiliate after a move, though the newer one's campaign pays", async () => {
    const facts = [
      customer({ subject: "cus_1", ...CUSTOMER, at: second(0) }),
      ...(await checkoutsOf({ older: unpaying, newer: paying })),
    ];
    await reportEach([...facts.map(messageOf), ...decisionAbout("move", facts)]);
    expect(await earned()).toEqual([]);
  });

  it("pays no sign-up of a customer who had paid before, and whose payment a person credits", async () => {
    const click_id = await click(context, { affiliate_id: paying.affiliate_id, at: second(20) });
    const facts = [
      customer({ subject: "cus_1", ...CUSTOMER, at: second(0) }),
      payment({ subject: "in_1", ...CUSTOMER, at: second(10) }),
      signUp({ click_id, email: CUSTOMER.email, at: second(30) }),
    ];
    await reportEach([...facts.map(messageOf), ...decisionAbout("credit", facts)]);
    expect(await earned()).toEqual([]);
  });

  it("pays no trial that began before the referral", async () => {
    const click_id = await click(context, { affiliate_id: paying.affiliate_id, at: second(15) });
    const trial = { subject: "sub_1", customer_id: "cus_1", status: "trialing" } as const;
    const facts = [
      subscription({ ...trial, at: second(10) }),
      checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(20) }),
      subscription({ ...trial, at: second(30), rank: 1 }),
    ];
    await reportEach(facts.map(messageOf));
    expect(await earned()).toEqual(["signup 200 paying"]);
  });
});
