/* The order of the list of commissions: by the date that it shows, from an index. */

import type { ListCommissionRows } from "@findersfee/contract/commissions/rows";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissionRows } from "../../src/commissions/list-rows.ts";
import { addPartner, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

const ROWS = 30_000;
const LIMIT = 50;

let test: TestDatabase;
let context: CreationContext;
let large: Partner;
let small: Partner;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
  context = await makeContext(test.database);
  large = await addPartner(context, { name: "Large" }, { email: "large@example.com" });
  small = await addPartner(context, { name: "Small" }, { email: "small@example.com" });
  await fill();
});

afterAll(() => test.close());

/**
 * Commissions that were created in another order than that of their dates. Ten each have equal dates. One in
 * a thousand is of the small campaign, one in seven is void, and the older half is paid.
 */
async function fill(): Promise<void> {
  const { database, organization } = context;
  const id = database`first_id_of(timestamptz '2026-01-01' + number * interval '1 minute')`;
  const affiliate_id = database`case when number % 1000 = 0 then ${small.affiliate_id}::uuid else ${large.affiliate_id}::uuid end`;
  const date = database`timestamptz '2025-01-01' + (number * 7919 % ${ROWS}::int / 10) * interval '1 hour'`;
  const each = database`from generate_series(1, ${ROWS}::int) as number`;
  await withoutTriggers(database, async (sql) => {
    await sql`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
      select ${organization.id}, ${id}, ${affiliate_id}, 'buyer' || number || '@customers.test', 'active', now(), now() ${each}`;
    await sql`
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency, voided,
        referral_date, payable_at, processor_payment_id, cause, created_at)
      select ${organization.id}, ${id}, ${affiliate_id}, ${id}, 100, 10, 'USD', number % 7 = 0, ${date}, ${date},
        'in_' || number, 'test', now() ${each}`;
    await sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period, payment_count, status,
        method, status_at, status_by, created_at)
      select ${organization.id}, ${id}, ${affiliate_id}, 'Jane Roe', 10, 'USD', '2026-01', ${ROWS}, 'paid', 'manual', now(), 'test',
        timestamptz '2026-06-01'
      from generate_series(1, 1) as number`;
    await sql`
      insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
      select ${organization.id}, ${affiliate_id}, ${id}, first_id_of(timestamptz '2026-01-01' + interval '1 minute') ${each}
      where number % 7 <> 0 and number * 7919 % ${ROWS}::int < ${ROWS / 2}::int`;
    await sql`
      insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, due_at)
      select ${organization.id}, ${id}, ${affiliate_id}, 'USD', 10, ${date} ${each}
      where number % 7 <> 0 and number * 7919 % ${ROWS}::int >= ${ROWS / 2}::int`;
  });
  await database`vacuum (analyze) commissions, unpaid_commissions, payout_commissions, referrals, payouts`;
}

type Filters = Omit<ListCommissionRows, "limit" | "after" | "before">;

const list = (query: Partial<ListCommissionRows>) => listCommissionRows(context, { limit: 100, ...query });

async function pagesOf(filters: Filters, limit: number) {
  const rows: { id: string; referral_date: string }[] = [];
  let after: string | undefined;
  let page = await list({ ...filters, limit });
  for (;;) {
    rows.push(...page.data);
    if (page.older === null) break;
    after = page.older;
    page = await list({ ...filters, limit, after });
  }
  return { rows, last: page };
}

const FILTERS: [string, (partners: { large: Partner; small: Partner }) => Filters, number][] = [
  ["a small campaign", ({ small }) => ({ campaign_id: small.campaign_id }), 30],
  [
    "a small affiliate's void ones",
    ({ small }) => ({ affiliate_id: small.affiliate_id, state: "voided" }),
    4,
  ],
  ["a period", () => ({ paid_from: "2025-01-11T00:00:00Z", paid_until: "2025-02-11T00:00:00Z" }), 7440],
  ["a text of a few", () => ({ text: "in_2999" }), 11],
];

describe("the list of commissions", () => {
  it.each(FILTERS)("has each row once, down and up, by date: %s", async (_name, filtersOf, count) => {
    const filters = filtersOf({ large, small });
    const { rows, last } = await pagesOf(filters, count > 100 ? 97 : 7);
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    const sorted = [...rows].sort(
      (one, other) => other.referral_date.localeCompare(one.referral_date) || (one.id < other.id ? 1 : -1),
    );
    expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
    if (last.newer === null) return;
    const back = await list({ ...filters, limit: 7, before: last.newer });
    const place = rows.length - last.data.length;
    expect(back.data.map(({ id }) => id)).toEqual(rows.slice(place - 7, place).map(({ id }) => id));
  });

  it.each([
    ["all", () => ({})],
    ["held or due", () => ({ state: "due" })],
    ["void", () => ({ state: "voided" })],
    ["a large affiliate", () => ({ affiliate_id: large.affiliate_id })],
    ["a large campaign", () => ({ campaign_id: large.campaign_id })],
    ["a small campaign", () => ({ campaign_id: small.campaign_id })],
    ["a period", () => ({ paid_until: "2025-02-11T00:00:00Z" })],
    ["a frequent text", () => ({ text: "in_" })],
    ["a text of a large affiliate", () => ({ text: "large@" })],
  ] as [string, () => Filters][])("reads a page without reading all rows: %s", async (_name, filtersOf) => {
    const filters = filtersOf();
    const first = await list({ ...filters, limit: LIMIT });
    const read = (query: Partial<ListCommissionRows>) =>
      rowsReadBy(test.database, () => list({ ...filters, limit: LIMIT, ...query }));
    expect(await read({})).toBeLessThan(ROWS / 2);
    expect(await read({ after: first.older ?? undefined })).toBeLessThan(ROWS / 2);
  });
});
