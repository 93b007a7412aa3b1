/* The number of rows that a page of the history reads, for any length of the history. */
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { actorText } from "../../src/actor.ts";
import { listAuditEntries } from "../../src/audit-log/list.ts";
import type { Context } from "../../src/context.ts";
import { createApiKey } from "../../src/identity/api-keys/create.ts";
import { newId } from "../../src/ids.ts";
import { createOrganization } from "../../src/organizations/create.ts";
import { signIn, signInUser } from "../identity/accounts/sign-in.ts";
import { makeContext } from "../subscriber.ts";

const ROWS = 20_000;
const LIMIT = 10;
/** More often than Postgres plans a statement for its values. */
const TIMES = 8;

let test: TestDatabase;
let database: Database;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase({ fresh: true });
  database = connect({ url: test.url, poolSize: 1, prepare: true, name: "one connection" });
  context = { ...(await makeContext(test.database)), database };
  // Rare ones are the oldest: a scan from the newest reads everything.
  await database`
    insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
    select ${context.organization.id},
      (lpad(to_hex(1700000000000 + n * 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n < 200 and n % 2 = 0 then 'campaign' else 'affiliate' end,
      case when n < 200 then 'rare' else (n / 5)::text end, 'updated',
      case when n < 200 and n % 4 < 2 then 'key rare' else 'key often' end, '{}', '{}', now()
    from generate_series(1, ${ROWS}::int) n`;
  // As autovacuum does within a minute.
  await database`analyze audit_log_entries`;
});

afterAll(async () => {
  await database.end();
  await test.close();
});

/** Rows of the table that were read so far. */
async function rowsRead(): Promise<number> {
  await database`select pg_stat_force_next_flush()`;
  const [row] = await database<[{ rows: number }]>`
    select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'audit_log_entries'`;
  return row.rows;
}

const FROM = { from: "2023-11-15T00:00:00.000Z", until: "2023-11-15T01:00:00.000Z" };
const RARE = { resource_id: "rare" };

const FILTERS = [
  {},
  { resource: "campaign" as const },
  { resource: "affiliate" as const },
  RARE,
  { actor: "key rare" },
  { actor: "key often" },
  { actor: "key rare", resource: "campaign" as const },
  { actor: "key often", resource: "campaign" as const },
  { ...RARE, resource: "affiliate" as const },
  FROM,
  { ...FROM, actor: "key often" },
];

it.each(FILTERS)("reads only the rows of a page: %o", async (filter) => {
  for (let time = 0; time < TIMES; time++) {
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      const before = await rowsRead();
      const { data, pagination } = await listAuditEntries(context, { limit: LIMIT, ...filter, cursor });
      const read = (await rowsRead()) - before;
      expect(data).toHaveLength(LIMIT);
      expect(read).toBeGreaterThan(LIMIT);
      // A filter for a part of a resource's entries reads its other entries, too.
      expect(read).toBeLessThanOrEqual(3 * LIMIT);
      cursor = pagination.next_cursor ?? "";
    }
  }
});

it("names users and keys, in one statement however many there are", async () => {
  const { id: organization_id } = await namedOrganization();
  const names = new Map<string, string | null>([
    ["operator", null],
    ["payout day", null],
    ["key rare", null],
    [actorText({ kind: "user", id: newId(new Date()) }), null],
    [actorText({ kind: "key", id: await createKey(await namedOrganization(), "Foreign") }), null],
  ]);
  for (let number = 0; number < 20; number++) {
    const name = `Name ${number}`;
    const { user_id } = await signIn(test.database, { organization_id, role: "viewer", name });
    names.set(actorText({ kind: "user", id: user_id }), name);
    names.set(actorText({ kind: "key", id: await createKey({ id: organization_id }, name) }), name);
  }
  // One who left.
  const { user_id } = await signInUser(test.database, "Kim");
  names.set(actorText({ kind: "user", id: user_id }), "Kim");
  await test.database`
    insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
    select ${organization_id}, gen_random_uuid(), 'settings', 'named', 'updated', actor, '{}', '{}', now()
    from unnest(${[...names.keys()]}::text[]) actor`;
  let statements = 0;
  const counting = connect({
    url: test.url,
    poolSize: 1,
    prepare: true,
    name: "counting",
    onSend: () => {
      statements += 1;
    },
  });
  const { data } = await listAuditEntries(
    { ...context, database: counting, organization: { ...context.organization, id: organization_id } },
    { limit: 100, resource_id: "named" },
  ).finally(() => counting.end());
  expect(new Map(data.map(({ actor, actor_name }) => [actor, actor_name]))).toEqual(names);
  expect(statements).toBe(1);
});

async function namedOrganization(): Promise<{ id: string }> {
  const input = { name: "Named", currency: "USD", subscription_status: "active" } as const;
  return { id: (await createOrganization(test.database, input)).organization_id };
}

async function createKey({ id: organization_id }: { id: string }, name: string): Promise<string> {
  const input = { organization_id, name, scopes: ["read" as const], expires_at: null };
  return (await createApiKey(test.database, input)).id;
}
