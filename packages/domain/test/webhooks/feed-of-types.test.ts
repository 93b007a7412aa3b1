import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { rowsReadBy } from "@findersfee/database/testing/rows-read";
import { listEvents } from "@findersfee/database/webhooks/events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization } from "../../src/organizations/create.ts";

const EVENTS = 20_000;
/** Every event of this number is of a rare type. */
const RARE = 4_000;
const LIMIT = 10;

let test: TestDatabase;
let organization_id: string;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1 });
  const created = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  organization_id = (await createOrganization(test.database, created)).organization_id;
  await test.database`
    insert into events (organization_id, id, type, body, position, created_at)
    select ${organization_id}, ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
      case when number % ${RARE} = 0 then 'affiliate.approved' when number % 2 = 0 then 'referral.created'
        else 'commission.created' end,
      '{}', number / 3 - ${EVENTS}, now()
    from generate_series(1, ${EVENTS}) number`;
  await test.database`analyze events`;
});

afterAll(() => test.close());

interface Query {
  types: string[];
  newest_first?: boolean;
}

const page = async ({ types, newest_first = false }: Query, after: { position: bigint; id: string } | null) =>
  await listEvents(test.database, organization_id, {
    after,
    types,
    newest_first,
    not_before: new Date(0),
    limit: LIMIT,
  });

async function positionOf(id: string): Promise<{ position: bigint; id: string }> {
  const [row] = await test.database<{ position: bigint; id: string }[]>`
    select position, id from events where organization_id = ${organization_id} and id = ${id}`;
  if (row === undefined) throw new Error(`no event ${id}`);
  return row;
}

it.each<[string, Query, number]>([
  ["a rare type", { types: ["affiliate.approved"] }, 1],
  ["the newest of a rare type", { types: ["affiliate.approved"], newest_first: true }, 1],
  ["a type without events", { types: ["affiliate.created"] }, 1],
  ["a rare and a common type", { types: ["affiliate.approved", "commission.created"] }, 2],
  ["a type that is named twice", { types: ["affiliate.approved", "affiliate.approved"] }, 1],
])("reads a page of each type, no matter how many events are between: %s", async (_name, query, types) => {
  const read = await rowsReadBy(test.database, () => page(query, null));
  // Beside the organization's clock.
  expect(read).toBeLessThanOrEqual(types * LIMIT + 5);
});

it.each([false, true])(
  "shows each event of the types once, in the feed's order (newest first: %s)",
  async (newest_first) => {
    const types = ["affiliate.approved", "referral.created"];
    const expected = await test.database<{ id: string }[]>`
    select id from events where organization_id = ${organization_id} and type = any (${types}::text[])
    order by position, id`;
    const ids = expected.map(({ id }) => id);
    if (newest_first) ids.reverse();
    const seen: string[] = [];
    let after: { position: bigint; id: string } | null = null;
    while (seen.length < 60) {
      const rows = await page({ types, newest_first }, after);
      seen.push(...rows.map(({ id }) => id));
      after = await positionOf(seen.at(-1) ?? "");
    }
    expect(seen).toEqual(ids.slice(0, seen.length));
  },
);
