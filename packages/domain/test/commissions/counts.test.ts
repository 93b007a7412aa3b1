import { type CommissionFilter, countCommissions } from "@findersfee/database/commissions/commissions";
import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilledLedger, fillLedger } from "../ledger/filled.ts";

const STATUSES = ["not_paid", "pending", "paid", "voided"] as const;

let test: TestDatabase;
let ledger: FilledLedger;

beforeAll(async () => {
  test = await createTestDatabase();
  ledger = await fillLedger(test.database);
});

afterAll(() => test.close());

it("counts as many commissions of each status as the states of all of them show", async () => {
  const { context, jane, joe, adjustments } = ledger;
  const { id } = context.organization;
  const long_ago = new Date(0);
  for (const payout_status of STATUSES) {
    for (const affiliate_id of [undefined, jane.affiliate_id, joe.affiliate_id, adjustments.affiliate_id]) {
      const rows = await test.database`
        select from commission_states where organization_id = ${id} and payout_status = ${payout_status}
          and (${affiliate_id ?? null}::uuid is null or affiliate_id = ${affiliate_id ?? null})`;
      const filter: CommissionFilter = { payout_status, affiliate_id };
      expect(await countCommissions(test.database, id, filter)).toBe(rows.length);
      // With another filter, that leaves out nothing.
      const further = { ...filter, created_after: long_ago };
      expect(await countCommissions(test.database, id, further)).toBe(rows.length);
    }
  }
  expect(await countCommissions(test.database, id, { payout_status: "not_paid" })).toBeGreaterThan(0);
});

it("reads neither commissions nor payouts to count what is not paid", async () => {
  const database = connect({ url: test.url, poolSize: 1, prepare: true, name: "findersfee test" });
  const reads = async () => {
    await database`select pg_stat_force_next_flush()`;
    return await database`
      select relname, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables
      where relname in ('commissions', 'payouts', 'payout_commissions') order by relname`;
  };
  try {
    const before = await reads();
    expect(before).toHaveLength(3);
    await countCommissions(database, ledger.context.organization.id, { payout_status: "not_paid" });
    expect(await reads()).toEqual(before);
  } finally {
    await database.end({ timeout: 0 });
  }
});
