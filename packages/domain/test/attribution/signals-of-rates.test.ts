/* Signals of fraud that are found in numbers: clicks, sign-ups and refunds of an affiliate. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creditPayment } from "../../src/attribution/overrides/make.ts";
import { newId } from "../../src/ids.ts";
import { click, report } from "./program.ts";
import { checkout, dispute, payment, refund, second } from "./reported.ts";
import { CLICKED, decisionOf, expectSoundLedger, newProgram, type Program, sell } from "./signal-program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

describe("many clicks", () => {
  /** Clicks within these seconds, in turn from this many networks. */
  async function clickOften(
    { context, affiliate_id }: Program,
    { count, networks, from }: { count: number; networks: number; from: number },
  ): Promise<void> {
    for (let number = 0; number < count; number++) {
      const network_hash = String(number % networks).padStart(32, "0");
      await click(context, { affiliate_id, at: after(CLICKED, from + number / 10), network_hash });
    }
  }

  it("are found around the customer's click", async () => {
    const program = await newProgram(test.database, { many_clicks: "hold" });
    await clickOften(program, { count: 24, networks: 6, from: 1 });
    const { explanation } = await sell(program, { network_hash: "0".repeat(32) });
    expect(explanation.signals).toMatchObject([
      {
        signal: "many_clicks",
        evidence:
          "The affiliate's links had 25 clicks from 6 networks within a minute around the customer's.",
        facts: { clicks: "25", networks: "6" },
      },
    ]);
    await expectSoundLedger(program.context);
  });

  it.each([
    ["of more people", { count: 24, networks: 7, from: 1 }, true],
    ["at another time", { count: 24, networks: 1, from: 31 }, true],
    ["of another affiliate", { count: 24, networks: 1, from: 1 }, false],
  ])("are none %s", async (_name, clicks, own) => {
    const program = await newProgram(test.database, { many_clicks: "hold" });
    const other = own ? program : await newProgram(test.database, {});
    await clickOften({ ...other, context: program.context }, clicks);
    const { explanation } = await sell(program, { network_hash: "0".repeat(32) });
    expect(explanation.signals).toBeUndefined();
  });

  it("stay as they were when the payment was first decided", async () => {
    const program = await newProgram(test.database, { many_clicks: "hold" });
    await sell(program);
    await clickOften(program, { count: 24, networks: 1, from: 1 });
    const changed = { customer_id: "cus_1", rank: 1, revenue_minor: 9_000n };
    await report(program.context, payment({ subject: "in_1", ...changed, at: second(20) }));
    const again = await decisionOf(program.context);
    expect(again).toMatchObject({ commission_amount: 27 });
    expect(again.explanation.signals).toBeUndefined();
  });
});

describe("many sign-ups", () => {
  async function signUp({ context, affiliate_id }: Program, count: number, from: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const signup_date = after(second(10), from + number);
      await test.database`insert into referrals ${test.database({
        organization_id: context.organization.id,
        id: newId(signup_date),
        affiliate_id,
        email: `signup${number}@customers.test`,
        subscription_status: "signed_up",
        signup_date,
        created_at: signup_date,
      })}`;
    }
  }

  it.each([
    ["are found around the customer's", 20, -10, true],
    ["are fewer", 19, -10, false],
    ["are at another time", 20, 301, false],
  ])("%s", async (_name, count, from, found) => {
    const program = await newProgram(test.database, { many_signups: "flag" });
    await signUp(program, count, from);
    const { explanation } = await sell(program);
    if (!found) expect(explanation.signals).toBeUndefined();
    else {
      expect(explanation.signals).toMatchObject([
        {
          signal: "many_signups",
          evidence: "20 customers of the affiliate signed up within ten minutes around the customer.",
        },
      ]);
    }
  });

  it("are those of a customer who has signed up before", async () => {
    const program = await newProgram(test.database, { many_signups: "flag" });
    const { context, affiliate_id } = program;
    const click_id = await click(context, { affiliate_id, at: CLICKED });
    const buyer = { customer_id: "cus_1", email: "buyer@customers.test" };
    await report(context, checkout({ subject: "cs_1", ...buyer, click_ids: [click_id], at: second(10) }));
    await signUp(program, 20, 1);
    await report(context, payment({ subject: "in_1", ...buyer, at: second(90_000) }));
    const { explanation } = await decisionOf(context);
    expect(explanation.signals).toMatchObject([{ signal: "many_signups", facts: { signups: "20" } }]);
  });

  it.each(["at once", "one after the other"])(
    "are found around a checkout's payment that was before it, reported %s",
    async (how) => {
      const program = await newProgram(test.database, { many_signups: "flag" }, { customers: "any" });
      const { context, affiliate_id } = program;
      const click_ids = [await click(context, { affiliate_id, at: CLICKED })];
      const buyer = { customer_id: "cus_1", email: "buyer@customers.test" };
      await signUp(program, 20, 1_000);
      const facts = [
        payment({ subject: "in_0", ...buyer, at: second(20) }),
        payment({ subject: "in_1", ...buyer, at: second(1_010) }),
        checkout({ subject: "cs_1", ...buyer, click_ids, at: second(2_000), references: ["in_1"] }),
        payment({ subject: "in_2", ...buyer, at: second(90_000) }),
      ];
      if (how === "at once") await report(context, ...facts);
      else for (const fact of facts) await report(context, fact);
      for (const payment_id of ["in_1", "in_2"]) {
        const { explanation } = await decisionOf(context, payment_id);
        expect(explanation.signals).toMatchObject([{ signal: "many_signups", facts: { signups: "20" } }]);
      }
    },
  );

  it("are found around a credited payment, from its decision on", async () => {
    const program = await newProgram(test.database, { many_signups: "flag" }, { customers: "any" });
    const { context, affiliate_id } = program;
    const buyer = { customer_id: "cus_1", email: "buyer@customers.test" };
    await signUp(program, 20, 1_000);
    const facts = [20, 1_010, 90_000].map((at) => payment({ subject: `in_${at}`, ...buyer, at: second(at) }));
    await report(context, ...facts);
    await creditPayment(context, {
      processor_payment_id: "in_1010",
      affiliate_id,
      past_payments: false,
      reason: "agreed on the phone",
      dry_run: false,
    });
    const { explanation } = await decisionOf(context, "in_90000");
    expect(explanation.signals).toMatchObject([{ signal: "many_signups", facts: { signups: "20" } }]);
  });
});

describe("many refunds", () => {
  /** Payments of the affiliate's customers, or of nobody's; the first ones are refunded, and one of these disputed. */
  async function payBefore(
    { context, affiliate_id }: Program,
    { count, refunded, referred }: { count: number; refunded: number; referred: boolean },
  ): Promise<void> {
    for (let number = 0; number < count; number++) {
      const name = `${referred ? "referred" : "other"}_${number}`;
      const at = second(2 + number);
      const click_ids = referred ? [await click(context, { affiliate_id, at: CLICKED })] : [];
      const lost = { subject: `re_${name}`, amount_minor: 5_000n, at: second(9), references: [`pi_${name}`] };
      await report(
        context,
        payment({
          subject: `in_${name}`,
          customer_id: `cus_${name}`,
          email: `${name}@customers.test`,
          click_ids,
          at,
          references: [`pi_${name}`],
        }),
        ...(number < refunded ? [number === 0 ? dispute(lost) : refund(lost)] : []),
      );
    }
  }

  it("are far more than of others", async () => {
    const program = await newProgram(test.database, { many_refunds: "hold" });
    await payBefore(program, { count: 6, refunded: 5, referred: true });
    await payBefore(program, { count: 4, refunded: 1, referred: false });
    const { explanation } = await sell(program);
    expect(explanation.signals).toMatchObject([
      {
        signal: "many_refunds",
        evidence: "5 of the affiliate's last 6 payments were refunded or disputed, and 1 of 4 others.",
        facts: { refunded: "5", payments: "6", others_refunded: "1", others: "4" },
      },
    ]);
    await expectSoundLedger(program.context);
  });

  it.each([
    ["as others have", { count: 5, refunded: 5 }, { count: 3, refunded: 2 }],
    ["too few to count", { count: 4, refunded: 4 }, { count: 1, refunded: 0 }],
  ])("are none, %s", async (_name, own, others) => {
    const program = await newProgram(test.database, { many_refunds: "hold" });
    await payBefore(program, { ...own, referred: true });
    await payBefore(program, { ...others, referred: false });
    expect((await sell(program)).explanation.signals).toBeUndefined();
  });
});
