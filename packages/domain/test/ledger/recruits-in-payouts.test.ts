/* Commissions for recruits in payouts, while the recruits' commissions are in none, and in review. */
import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { approveCommission } from "../../src/commissions/review.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { writeCommissions } from "../../src/ledger/write-commissions.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { addAffiliate, addPartner, click, payOut, report } from "../attribution/program.ts";
import { checkout, payment, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

async function faults(): Promise<object[]> {
  const { database, organization } = context;
  return (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
}

/** The recruit's commission, then the one for it: their reviews, and whether the next run pays them. */
async function states(): Promise<string[]> {
  const rows = await context.database<{ state: string; status: string; is_due: boolean | null }[]>`
    select commission.review_state as state, payout_status as status, due_at < 'infinity' as is_due
    from commission_states commission
    left join unpaid_commissions unpaid
      on unpaid.organization_id = commission.organization_id and unpaid.commission_id = commission.id
    where commission.organization_id = ${context.organization.id}
    order by recruit_commission_id is not null`;
  return rows.map(({ state, status, is_due }) => `${state} ${status}${is_due === true ? " due" : ""}`);
}

it("stay as they are until the payouts are released, and wait then", async () => {
  context = await makeContext(test.database);
  const { database, organization } = context;
  const { campaign_id, affiliate_id: recruited_by } = await addPartner(context, {
    recruiting: { percent: 10, months: 12 },
  } as never);
  const affiliate_id = await addAffiliate(context, { campaign_id, recruited_by });
  const customer = { customer_id: "cus_1", email: "buyer@customers.test" };
  const click_id = await click(context, { affiliate_id, at: second(1) });
  await report(
    context,
    checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
    payment({ subject: "in_1", ...customer, at: second(20) }),
  );
  await payOut(context, "pending");
  const release = async (of: string) => {
    const payouts = await database<{ id: string }[]>`
      select id from payouts where organization_id = ${organization.id} and affiliate_id = ${of}`;
    await movePayouts(context, { ids: payouts.map(({ id }) => id), status: "canceled" });
  };
  await release(affiliate_id);
  const [root] = await database<{ id: string }[]>`
    select id from commissions where organization_id = ${organization.id} and recruit_commission_id is null`;
  const id = root?.id ?? "";
  const evidence = { commission_id: id, replaced: ["signal"], reasons: ["above_amount"], since: new Date() };
  await transaction(database, (sql) =>
    writeCommissions(sql, organization.id, {
      ...{ changed: [], added: [] },
      reviews: [{ ...evidence, approves_at: null, cause: "test" }],
    }),
  );
  expect(await states()).toEqual(["pending not_paid", "none pending"]);
  expect(await faults()).toEqual([]);
  await release(recruited_by);
  expect(await states()).toEqual(["pending not_paid", "pending not_paid"]);
  expect(await faults()).toEqual([]);
  await approveCommission(context, { id });
  expect(await states()).toEqual(["approved not_paid due", "none not_paid due"]);
  expect(await faults()).toEqual([]);
});
