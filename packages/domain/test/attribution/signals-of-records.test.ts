/* Signals of fraud that are found in records of the affiliate: its networks. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { insertAffiliateNetworks } from "@findersfee/database/tracking/networks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { payOut, report } from "./program.ts";
import { payment, second } from "./reported.ts";
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
