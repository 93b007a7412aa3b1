/* People's changes that decide about payments again are one transaction each, whichever call fails. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LONG_TESTS_EVERY, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createManualCommission } from "../../src/commissions/create-manual.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { listReferrals } from "../../src/customers/referrals/list.ts";
import { updateReferral } from "../../src/customers/referrals/update.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, click, commissions, eventTypes, outcomes, referrals, report } from "./program.ts";
import { checkout, dispute, payment, refund, second } from "./reported.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

interface Program {
  context: CreationContext;
  affiliate_id: string;
  click_id: string;
}

const CUSTOMER = { customer_id: "cus_1", email: "buyer@customers.test" };

async function newProgram(): Promise<Program> {
  const context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  return { context, affiliate_id, click_id: await click(context, { affiliate_id, at: second(1) }) };
}

const checkedOut = ({ click_id }: Program) =>
  checkout({ subject: "cs_1", ...CUSTOMER, click_ids: [click_id], at: second(10) });
const paid = (fields = {}) =>
  payment({ subject: "in_1", ...CUSTOMER, at: second(20), references: ["pi_1"], ...fields });

/** Everything that a change may write, without ids and times. */
async function stateOf({ context }: Program): Promise<object> {
  const { database, organization } = context;
  const [names, corrections, entries, audited] = await Promise.all([
    database`select name from payment_names where organization_id = ${organization.id} order by name`,
    database`
      select revenue_minor, commission_minor, reversed_minor, voided, amounts_at is null as has_no_amounts
      from commission_corrections where organization_id = ${organization.id}`,
    database`
      select kind, unpaid_minor from ledger_entries where organization_id = ${organization.id} order by number`,
    database`
      select resource, action from audit_log_entries where organization_id = ${organization.id} order by id`,
  ]);
  const without = (rows: readonly object[]) =>
    rows.map((row) => ({ ...row, id: undefined, affiliate_id: undefined }));
  return {
    commissions: without(await commissions(context)),
    referrals: without(await referrals(context)),
    outcomes: await outcomes(context),
    events: await eventTypes(context),
    ...{ names: [...names], corrections: [...corrections], entries: [...entries], audited: [...audited] },
  };
}

interface Change {
  prepare: (program: Program) => Promise<unknown>;
  run: (program: Program) => Promise<unknown>;
  /** The error of a repetition after the change was made. */
  repeated?: string;
}

/** With each call failing in turn, the change is made or not made at all, and a repetition makes it. */
async function failEach(kind: (typeof LOST_ANSWERS)[number], { prepare, run, repeated }: Change) {
  const whole = await newProgram();
  await prepare(whole);
  const before = await stateOf(whole);
  await run(whole);
  const done = await stateOf(whole);
  expect(done).not.toEqual(before);
  const results = { made: 0, failed: 0 };
  await failEachCall(
    test.url,
    kind,
    async (database) => {
      const program = await newProgram();
      await prepare(program);
      const failed = await run({ ...program, context: { ...program.context, database } }).then(
        () => false,
        () => true,
      );
      const after = await stateOf(program);
      const is_made = JSON.stringify(after, text) === JSON.stringify(done, text);
      if (!is_made) expect(after).toEqual(before);
      expect(is_made || failed).toBe(true);
      results[is_made ? "made" : "failed"] += 1;
      const again = run(program);
      if (is_made && repeated !== undefined) await expect(again).rejects.toMatchObject({ code: repeated });
      else await again;
      expect(await stateOf(program)).toEqual(done);
      const checked = await verifyLedger(test.database, program.context.organization.id);
      expect(checked.filter(({ rows }) => rows.length > 0)).toEqual([]);
    },
    { every: LONG_TESTS_EVERY },
  );
  expect(results.made).toBeGreaterThan(0);
  expect(results.failed).toBeGreaterThan(0);
}

const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

describe.each(LOST_ANSWERS)("when a call fails (%s)", (kind) => {
  it("creates a commission for a payment that was reported and refunded, with its referral", async () => {
    const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1000);
    await failEach(kind, {
      prepare: ({ context }) =>
        report(
          context,
          paid({ at: at(0), paid_at: at(0) }),
          refund({ subject: "re_1", amount_minor: 5_000n, at: at(50), references: ["pi_1"] }),
        ),
      run: ({ context, affiliate_id }) =>
        createManualCommission(context, {
          ...{ affiliate_id, customer_email: CUSTOMER.email, currency: "USD" },
          ...{ revenue_amount: 100, commission_amount: 50, processor_payment_id: "pi_1" },
        }),
      repeated: "commission_exists",
    });
  });

  const only = async ({ context }: Program) => {
    const [commission] = (await listCommissions({ ...context, database: test.database }, { limit: 1 })).data;
    return commission?.id ?? "";
  };

  it("takes a void back, with the refund of the time between", async () => {
    await failEach(kind, {
      prepare: async (program) => {
        await report(program.context, checkedOut(program), paid());
        await updateCommission(program.context, { id: await only(program), payout_status: "voided" });
        await report(
          program.context,
          refund({ subject: "re_1", amount_minor: 5_000n, at: second(50), references: ["pi_1"] }),
        );
      },
      run: async (program) =>
        updateCommission(program.context, { id: await only(program), payout_status: "not_paid" }),
    });
  });

  it.each([true, false])("decides that a disputed commission stays voided: %s", async (stays_voided) => {
    const lost = dispute({ subject: "dp_1", amount_minor: 10_000n, at: second(50), references: ["pi_1"] });
    await failEach(kind, {
      prepare: async (program) => {
        await report(program.context, checkedOut(program), paid(), lost);
        if (stays_voided) return;
        await updateCommission(program.context, { id: await only(program), stays_voided: true });
        await report(program.context, { ...lost, until: second(60) });
      },
      run: async (program) => updateCommission(program.context, { id: await only(program), stays_voided }),
    });
  });

  it("gives a referral the name of another customer, whose payment it then earns", async () => {
    await failEach(kind, {
      prepare: (program) =>
        report(
          program.context,
          checkedOut(program),
          payment({ subject: "in_2", customer_id: "cus_Q", email: "q@customers.test", at: second(60) }),
        ),
      run: async (program) => {
        const known = { ...program.context, database: test.database };
        const [referral] = (await listReferrals(known, { limit: 1 })).data;
        return await updateReferral(program.context, {
          id: referral?.id ?? "",
          processor_customer_id: "cus_Q",
        });
      },
    });
  });
});
