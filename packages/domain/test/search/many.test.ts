import { createTestDatabase, type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { NEWEST } from "../../src/people-with-text.ts";
import { find } from "../../src/search/find.ts";
import { WIDER } from "../../src/search/people.ts";
import { addPartner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";

const CUSTOMERS = 2 * WIDER;
/** The rows of other tables that a search reads: those of the results and their payments. */
const OTHERS = 500;

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1, fresh: true });
  context = await makeContext(test.database);
  const { affiliate_id } = await addPartner(context);
  const { id: organization_id } = context.organization;
  await withoutTriggers(test.database, async (sql) => {
    await sql`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
      select ${organization_id}, first_id_of(timestamptz '2026-01-01' + number * interval '1 minute'), ${affiliate_id},
        case number when 1 then 'jane@bigco.com' else md5(number::text) || '@frequent.test' end, 'active', now(), now()
      from generate_series(1, ${CUSTOMERS}::int) as number`;
    await sql`
      insert into customer_texts (organization_id, referral_id, email)
      select organization_id, id, email from referrals where organization_id = ${organization_id}`;
  });
  // As autovacuum does within a minute.
  await test.database`analyze`;
});

afterAll(() => test.close());

async function customers(text: string): Promise<string[]> {
  const { groups } = await find(context, { text });
  return groups.find(({ kind }) => kind === "customers")?.results.map(({ title }) => title) ?? [];
}

it.each(["frequent", "t.test", "fr", "@frequent.test"])(
  "a frequent text reads the newest ones alone: %s",
  async (text) => {
    let found: string[] = [];
    const rows = await rowsReadBy(test.database, async () => {
      found = await customers(text);
    });
    expect(found).toHaveLength(6);
    expect(rows).toBeLessThan(NEWEST + OTHERS);
  },
);

it.each(["igco", "jane@b", "ane@bigco.com"])(
  "a rare text is found in the index, however old: %s",
  async (text) => {
    let found: string[] = [];
    const rows = await rowsReadBy(test.database, async () => {
      found = await customers(text);
    });
    expect(found).toEqual(["jane@bigco.com"]);
    expect(rows).toBeLessThan(NEWEST + OTHERS);
  },
);

it.each(["test.frequent", "x@frequent.t", "@@", "zz"])(
  "a rare text of frequent parts, or of two letters, reads a limited number: %s",
  async (text) => {
    let found: string[] = [];
    const rows = await rowsReadBy(test.database, async () => {
      found = await customers(text);
    });
    expect(found).toEqual([]);
    expect(rows).toBeLessThan(NEWEST + WIDER + OTHERS);
  },
);
