/* An erased affiliate's codes are in no click, sign-up or total, and the totals of its links stay. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { firstIdOf } from "../../src/ids.ts";
import { getPerformance } from "../../src/reports/performance/get.ts";
import { rebuildTotals } from "../../src/reports/totals/rebuild.ts";
import { verifyTotals } from "../../src/reports/totals/verify.ts";
import { addPartner, click } from "../attribution/program.ts";
import { makePayoutContext } from "../ledger/program.ts";
import { sealDueTotals } from "../work.ts";
import { addJane } from "./jane.ts";

const DAY_MILLISECONDS = 86_400_000;
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makePayoutContext(test.database);
});

afterAll(() => test.close());

async function linksOf(): Promise<[string | null, number, number][]> {
  const { rows } = await getPerformance(context, {
    dimension: "link",
    from: dateOf(Date.now() - 6 * DAY_MILLISECONDS),
    until: dateOf(Date.now() + DAY_MILLISECONDS),
    ...{ sort: "clicks", direction: "desc", limit: 50, offset: 0 },
  });
  return rows.map(({ value, present }) => [value, present.clicks, present.signups]);
}

it("keeps what a link brought, without its text", async () => {
  const { id } = context.organization;
  const { affiliate_id } = await addJane(context);
  const other = await addPartner(context);
  const at = new Date(Date.now() - DAY_MILLISECONDS);
  await click(context, { ...other, at, sub_id: null });
  for (const code of ["janes-code", "Janes-Code"]) {
    const click_id = await click(context, { ...other, affiliate_id, at, sub_id: null });
    await test.database`
      update clicks set code = ${code}, visitor_hash = decode(md5(${code}), 'hex') where id = ${click_id}`;
  }
  await test.database`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at, link_code)
    values (${id}, ${firstIdOf(at)}, ${affiliate_id}, 'kim@customers.test', 'signed_up', ${at}, ${at}, 'janes-code')`;
  await rebuildTotals(test.database, id);
  expect(await linksOf()).toContainEqual(["janes-code", 1, 1]);

  await eraseAffiliate(context, affiliate_id);
  await sealDueTotals(context);
  for (const _ of ["sealed", "summed up again"]) {
    const [first, second] = await linksOf();
    expect(first).toEqual([expect.stringMatching(/^erased-[0-9a-f-]{36}$/), 2, 1]);
    expect(second).toEqual([expect.not.stringMatching(/jane/i), 1, 0]);
    expect(await verifyTotals(test.database, id)).toEqual([]);
    await rebuildTotals(test.database, id);
  }
  const left = await test.database`
    select value from total_values where value ilike 'janes%' and organization_id = ${id}
    union all select code from clicks where code ilike 'janes%' and organization_id = ${id}
    union all select link_code from referrals where link_code ilike 'janes%' and organization_id = ${id}
    union all select link_code from total_moves where link_code ilike 'janes%' and organization_id = ${id}`;
  expect(left).toHaveLength(0);
});
