/* What the counts of commissions read: those of the status, and not the states of all others. */
import { type CommissionFilter, countCommissions } from "@findersfee/database/commissions/commissions";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { firstIdOf } from "../../src/ids.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

const ROWS = 30_000;
/** One in a hundred is in a payout that is paid, as many in one that is pending, ten in each; and as many are void. */
const PLACED = ROWS / 100;
const FIRST = new Date("2026-01-01T00:00:00Z");

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
  context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  await fill(affiliate_id);
});

afterAll(() => test.close());

async function fill(affiliate_id: string): Promise<void> {
  const { database, organization } = context;
  const at = database`${FIRST}::timestamptz + number * interval '1 minute'`;
  const payout_id = database`first_id_of(${FIRST}::timestamptz + (number / 1000 * 100 + number % 100) * interval '1 minute')`;
  const each = database`from generate_series(1, ${ROWS}::int) as number`;
  await withoutTriggers(database, async (sql) => {
    await sql`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
      values (${organization.id}, first_id_of(${FIRST}), ${affiliate_id}, 'c@customers.test', 'active', now(), now())`;
    await sql`
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency, voided,
        referral_date, payable_at, processor_payment_id, cause, created_at)
      select ${organization.id}, first_id_of(${at}), ${affiliate_id}, first_id_of(${FIRST}), 100, 10, 'USD', number % 100 = 7,
        ${at}, ${at}, 'in_' || number, 'test', ${at} ${each}`;
    await sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period, payment_count, status,
        method, status_at, status_by, created_at)
      select distinct on (1, 2) ${organization.id}::uuid, ${payout_id}, ${affiliate_id}::uuid, 'Jane Roe', 10, 'USD', '2026-01', 10,
        case number % 100 when 1 then 'paid' else 'pending' end, 'manual', now(), 'test', now()
      ${each} where number % 100 in (1, 2)`;
    await sql`
      insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
      select ${organization.id}, ${affiliate_id}, first_id_of(${at}), ${payout_id} ${each} where number % 100 in (1, 2)`;
    await sql`
      insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, due_at)
      select ${organization.id}, first_id_of(${at}), ${affiliate_id}, 'USD', 10, ${at} ${each}
      where number % 100 not in (1, 2, 7)`;
  });
  await database`vacuum (analyze) commissions, unpaid_commissions, payout_commissions, referrals, payouts`;
}

const after = (minutes: number): CommissionFilter => {
  const created_after = new Date(FIRST.getTime() + minutes * 60_000);
  return { created_after, from_id: firstIdOf(created_after) };
};

const STATUSES = ["paid", "pending", "voided"] as const;

it.each(
  STATUSES.flatMap(
    (status) =>
      [
        [status, 0, PLACED],
        [status, ROWS / 2, PLACED / 2],
      ] as const,
  ),
)("reads the %s ones alone, created after minute %d", async (payout_status, minutes, count) => {
  const { id } = context.organization;
  const filter = { payout_status, ...after(minutes) };
  const read = await rowsReadBy(test.database, async () => {
    expect(await countCommissions(test.database, id, filter)).toBe(count);
  });
  // Each with its place in a payout, and none of the others.
  expect(read).toBeLessThan(4 * PLACED);
});

it.each(STATUSES)("reads few rows for the %s ones without another filter", async (payout_status) => {
  const { id } = context.organization;
  const read = await rowsReadBy(test.database, async () => {
    expect(await countCommissions(test.database, id, { payout_status })).toBe(PLACED);
  });
  expect(read).toBeLessThan(2 * PLACED);
});
