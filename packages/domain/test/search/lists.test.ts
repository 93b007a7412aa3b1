/*
 * The search fields of the lists: they find every row, and read a limited number of rows for a page, for any
 * text.
 */

import type { RowPage } from "@findersfee/contract/row-pages";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import { listPaymentRows } from "../../src/attribution/list-rows.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listReferralRows } from "../../src/customers/referrals/list-rows.ts";
import { listPayoutRows } from "../../src/payouts/list-rows.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

const ROWS = 60_000;
const LIMIT = 50;
/** The rows in which a frequent text is looked for, each with the texts of its people, twice; and the newest people. */
const MOST_READ = 36_000;

let test: TestDatabase;
let context: CreationContext;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
  context = await makeContext(test.database);
  const { campaign_id } = await addPartner(context);
  await fill(campaign_id);
});

afterAll(() => test.close());

/** One affiliate in ten has a name that is frequent, one in 10,000 a rare one. Sign-ups and payments are in another order than ids. */
async function fill(campaign_id: string): Promise<void> {
  const { database, organization } = context;
  const id = database`first_id_of(timestamptz '2026-01-01' + number * interval '1 minute')`;
  const at = database`timestamptz '2025-01-01' + (number * 7919 % ${ROWS}::int) * interval '1 minute'`;
  const name = database`case when number % 10000 = 7 then 'zebra' when number % 10 = 3 then 'medium' else 'roe' end`;
  const each = database`from generate_series(1, ${ROWS}::int) as number`;
  await withoutTriggers(database, async (sql) => {
    await sql`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization.id}, ${id}, ${campaign_id}, 'many' || number || '@example.com', 'Jane', ${name}, true,
        number % 100 = 0, true, now() ${each}`;
    await sql`
      insert into affiliate_texts (organization_id, affiliate_id, texts)
      select ${organization.id}, ${id}, 'jane ' || ${name} || E'\nmany' || number || '@example.com' ${each}`;
    await sql`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
      select ${organization.id}, ${id}, ${id}, 'buyer' || number || '@customers.test',
        case when number % 50 = 0 then 'past_due' else 'active' end, ${at}, now() ${each}`;
    await sql`
      insert into customer_texts (organization_id, referral_id, email)
      select ${organization.id}, ${id}, 'buyer' || number || '@customers.test' ${each}`;
    await sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
        payment_count, status, method, status_at, status_by, created_at)
      select ${organization.id}, ${id}, ${id}, 'Jane Roe', 10, 'USD', '2026-01', 1, 'paid', 'manual', now(), 'test', now() ${each}`;
    await sql`
      insert into payment_decisions (organization_id, id, processor, payment_id, customer_id, referral_id, affiliate_id, outcome,
        currency, revenue_minor, commission_minor, paid_minor, reversed_minor, paid_at, explanation, created_at, decided_at)
      select ${organization.id}, ${id}, 'stripe', 'in_' || number, ${id}, ${id}, ${id}, 'commission', 'USD', 1, 0, 1, 0, ${at},
        '{"candidates":[],"earned_before":0,"steps":[],"exact":null}', now(), now() ${each}`;
  });
  await database`vacuum (analyze) affiliates, affiliate_texts, referrals, customer_texts, payouts, payment_decisions`;
}

type List = (query: {
  limit: number;
  text: string;
  after?: string | undefined;
}) => Promise<RowPage<{ id: string }>>;

const LISTS: Record<string, List> = {
  affiliates: (query) => listAffiliateRows(context, query),
  referrals: (query) => listReferralRows(context, query),
  payments: (query) => listPaymentRows(context, query),
  payouts: (query) => listPayoutRows(context, query),
};

describe.each(Object.entries(LISTS))("the search of the list of %s", (_name, list) => {
  it("finds every row of a rare text, at once", async () => {
    const { data, older } = await list({ limit: LIMIT, text: "ZEBRA" });
    expect([data.length, older]).toEqual([ROWS / 10_000, null]);
  });

  it("finds every row of a frequent text once, page by page", async () => {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await list({ limit: 100, text: "medium", after });
      found.push(...page.data.map(({ id }) => id));
      after = page.older ?? undefined;
    } while (after !== undefined);
    expect(found).toHaveLength(ROWS / 10);
    expect(new Set(found).size).toBe(ROWS / 10);
  });

  it.each(["medium", "jane", "xq", "zebra", "any1"])(
    "reads a limited number of rows for a page: %s",
    async (text) => {
      let page: RowPage<{ id: string }> | undefined;
      const first = await rowsReadBy(test.database, async () => {
        page = await list({ limit: LIMIT, text });
      });
      expect(first).toBeLessThan(MOST_READ);
      const after = page?.older;
      if (after == null) return;
      expect(await rowsReadBy(test.database, () => list({ limit: LIMIT, text, after }))).toBeLessThan(
        MOST_READ,
      );
    },
  );
});
