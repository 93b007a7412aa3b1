/* A report that changes the signals of a payment, and so the review of its commission, is one transaction, whichever call fails. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addAffiliate, click, report } from "./program.ts";
import { checkout, payment, second } from "./reported.ts";
import { CLICKED, expectSoundLedger, newProgram, type Program } from "./signal-program.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const SHARED = "buyer@acme.test";
const OTHER = "buyer@other.test";

/** The customer's email, by the last of these reports. */
const named = (email: string, rank: number) =>
  checkout({ subject: "cs_2", customer_id: "cus_1", email, at: second(20), rank });

/** A commission of a recruit, who shares a company's domain with nobody yet. */
async function sellOfRecruit(email: string): Promise<Program> {
  const fields = { affiliate: { email: "recruiter@acme.test" }, recruiting: { percent: 10, months: 12 } };
  const program = await newProgram(test.database, { shared_domain: "hold" }, fields);
  const { context, campaign_id, affiliate_id: recruited_by } = program;
  const affiliate_id = await addAffiliate(context, { campaign_id, recruited_by, email: "seller@acme.test" });
  const click_id = await click(context, { affiliate_id, at: CLICKED });
  await report(
    context,
    checkout({ subject: "cs_1", customer_id: "cus_1", email: OTHER, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", customer_id: "cus_1", at: second(30) }),
  );
  await report(context, named(email, 0));
  return { ...program, affiliate_id };
}

/** The rows that the change writes, without ids and times. */
async function stateOf({ context: { organization } }: Program): Promise<object> {
  const commissions = await test.database`
    select commission.review_state, commission.commission_minor::text, review.reasons, review.decided_at,
      unpaid.due_at = 'infinity' as is_held, commission.recruit_commission_id is null as is_own
    from commissions commission
    left join commission_reviews review
      on review.organization_id = commission.organization_id and review.commission_id = commission.id
    left join unpaid_commissions unpaid
      on unpaid.organization_id = commission.organization_id and unpaid.commission_id = commission.id
    where commission.organization_id = ${organization.id} order by commission.commission_minor`;
  const decisions = await test.database`
    select outcome, explanation -> 'signals' as signals from payment_decisions
    where organization_id = ${organization.id}`;
  const emails = await test.database`
    select data ->> 'email' as email from payment_facts
    where organization_id = ${organization.id} and subject = 'cs_2'`;
  return { commissions: [...commissions], decisions: [...decisions], emails: [...emails] };
}

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it.each([
    ["holds a commission and the one for the recruit", OTHER, SHARED],
    ["lets both go", SHARED, OTHER],
  ])("%s, or changes nothing", async (_name, from, to) => {
    const whole = await sellOfRecruit(from);
    const before = await stateOf(whole);
    await report(whole.context, named(to, 1));
    const done = await stateOf(whole);
    const states = to === SHARED ? ["pending", "pending"] : ["none", "none"];
    expect(done).toMatchObject({ commissions: states.map((review_state) => ({ review_state })) });
    expect(before).not.toEqual(done);
    const results = { made: 0, failed: 0 };
    await failEachCall(
      test.url,
      kind,
      async (database) => {
        const program = await sellOfRecruit(from);
        const has_failed = await report({ ...program.context, database }, named(to, 1)).then(
          () => false,
          () => true,
        );
        const after = await stateOf(program);
        const is_made = JSON.stringify(after) === JSON.stringify(done);
        if (!is_made) expect(after).toEqual(before);
        expect(is_made || has_failed).toBe(true);
        results[is_made ? "made" : "failed"] += 1;
        await report(program.context, named(to, 1));
        expect(await stateOf(program)).toEqual(done);
        await expectSoundLedger(program.context);
      },
      { every: LONG_TESTS_EVERY },
    );
    expect(results.made).toBeGreaterThan(0);
    expect(results.failed).toBeGreaterThan(0);
  });
});
