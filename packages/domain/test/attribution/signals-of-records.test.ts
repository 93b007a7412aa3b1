/* Signals of fraud that are found in records of the affiliate: its networks and its cards. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { insertAffiliateNetworks } from "@findersfee/database/tracking/networks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { payOut, report } from "./program.ts";
import { charge, payment, second } from "./reported.ts";
import {
  CLICKED,
  decisionOf,
  expectSoundLedger,
  newProgram,
  type Program,
  reviewOf,
  sell,
} from "./signal-program.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** A later state of the payment of `sell`. */
async function reportAgain({ context }: Program): Promise<void> {
  const changed = { customer_id: "cus_1", rank: 1, revenue_minor: 9_000n };
  await report(context, payment({ subject: "in_1", ...changed, at: second(20) }));
}

describe("a shared network", () => {
  const NETWORK = "0a".repeat(16);
  const OTHER = "0b".repeat(16);
  const [DAY] = CLICKED.toISOString().split("T");

  async function visitPortal({ context, affiliate_id }: Program, network_hash: string, at = CLICKED) {
    const { id: organization_id } = context.organization;
    await insertAffiliateNetworks(test.database, [{ organization_id, affiliate_id, network_hash }], at);
  }

  it("is one that the affiliate used on the click's day", async () => {
    const program = await newProgram(test.database, { shared_network: "hold" });
    await visitPortal(program, OTHER);
    await visitPortal(program, NETWORK);
    const decision = await sell(program, { network_hash: NETWORK });
    expect(decision.explanation.signals).toMatchObject([
      {
        signal: "shared_network",
        evidence: `The click came from a network that the affiliate used on ${DAY}, too.`,
        facts: { day: DAY },
      },
    ]);
    expect(await reviewOf(program.context, decision)).toEqual({
      state: "pending",
      reasons: ["signal:shared_network"],
    });
    await expectSoundLedger(program.context);
  });

  it.each([
    ["of another affiliate", { network: NETWORK, days: 0, own: false }],
    ["on another day", { network: NETWORK, days: 1, own: true }],
    ["with another address", { network: OTHER, days: 0, own: true }],
  ])("is none %s", async (_name, { network, days, own }) => {
    const program = await newProgram(test.database, { shared_network: "hold" });
    const affiliate = own ? program : { ...(await newProgram(test.database, {})), context: program.context };
    await visitPortal(affiliate, network, new Date(CLICKED.getTime() + days * DAY_MILLISECONDS));
    expect((await sell(program, { network_hash: NETWORK })).explanation.signals).toBeUndefined();
  });

  it("stays as it was when the payment was first decided, and goes with the affiliate", async () => {
    const program = await newProgram(test.database, { shared_network: "flag" });
    const { context, affiliate_id } = program;
    await visitPortal(program, NETWORK);
    const found = await sell(program, { network_hash: NETWORK });
    await payOut(context);
    await eraseAffiliate(context, affiliate_id);
    const left = await test.database`select from affiliate_networks where affiliate_id = ${affiliate_id}`;
    expect(left).toHaveLength(0);
    await reportAgain(program);
    expect((await decisionOf(context)).explanation.signals).toEqual(found.explanation.signals);
  });
});

describe("a shared card", () => {
  const [DAY] = second(5).toISOString().split("T");

  /** A payment of a customer by a card, as an invoice and its charge. */
  async function pay({ context }: Program, email: string, card: string, name = email): Promise<void> {
    const paid = { customer_id: `cus_${name}`, email, at: second(5) };
    await report(
      context,
      payment({ subject: `in_${name}`, ...paid, references: [`pi_${name}`] }),
      charge({ subject: `ch_${name}`, ...paid, payment_id: `pi_${name}`, references: [`pi_${name}`], card }),
    );
  }

  const paidBy = (card: string) =>
    charge({
      subject: "ch_1",
      customer_id: "cus_1",
      email: "buyer@customers.test",
      payment_id: "pi_1",
      references: ["in_1", "pi_1"],
      at: second(20),
      card,
    });

  it.each([
    ["its email", { email: "Seller@own.test" }, "seller@own.test"],
    [
      "the email that it is paid at",
      { email: "seller@own.test", payout_email: "Purse@own.test" },
      "purse@own.test",
    ],
  ])("is one with which the affiliate paid as a customer with %s", async (_name, affiliate, customer) => {
    const program = await newProgram(test.database, { shared_card: "hold" }, { affiliate });
    await pay(program, customer, "card_a");
    await pay(program, customer, "card_b", "again");
    await sell(program);
    // The charge is reported after the payment.
    await report(program.context, paidBy("card_b"));
    const decision = await decisionOf(program.context, "in_1");
    expect(decision.explanation.signals).toMatchObject([
      {
        signal: "shared_card",
        evidence: `The customer paid with a card that the affiliate paid with first on ${DAY}.`,
        facts: { day: DAY },
      },
    ]);
    expect(await reviewOf(program.context, decision)).toEqual({
      state: "pending",
      reasons: ["signal:shared_card"],
    });
    await expectSoundLedger(program.context);
  });

  it("is none of another customer, and stays as it was when the payment was first decided", async () => {
    const affiliate = { email: "seller@own.test" };
    const program = await newProgram(test.database, { shared_card: "hold" }, { affiliate });
    await pay(program, "other@customers.test", "card_b");
    await sell(program);
    await report(program.context, paidBy("card_b"));
    expect((await decisionOf(program.context, "in_1")).explanation.signals).toBeUndefined();
    await pay(program, affiliate.email, "card_b");
    await reportAgain(program);
    expect((await decisionOf(program.context, "in_1")).explanation.signals).toBeUndefined();
  });
});
