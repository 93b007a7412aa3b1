import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "../../src/postgres/connect.ts";
import { rowArrays, statement } from "../../src/postgres/statement.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

let test: TestDatabase;
let unprepared: Database;

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
  unprepared = connect({ url: test.url, poolSize: 1, prepare: false, name: "text array" });
});

afterAll(async () => {
  await unprepared.end();
  await test.close();
});

it("round-trips any texts", async () => {
  const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0") && value.isWellFormed());
  const odd = fc.constantFrom(
    "",
    "NULL",
    "null",
    "{",
    "}",
    ",",
    '"',
    "\\",
    '\\"',
    "\\\\",
    " ",
    "\n",
    "{a,b}",
    "😀",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, odd)), async (values) => {
      for (const sql of [test.database, unprepared]) {
        const [row] = await sql<[{ same: string[]; count: number }]>`
          select ${values}::text[] as same, cardinality(${values}::text[]) as count`;
        expect(row).toEqual({ same: values, count: values.length });
      }
    }),
    { numRuns: 200 },
  );
});

it("round-trips rows as arrays of columns", async () => {
  const rows = rowArrays("item", {
    id: "uuid",
    name: "text",
    at: "timestamptz",
    count: "bigint",
    done: "boolean",
    body: "json",
  });
  const odd = ["", "NULL", 'a "quoted"\n line', "{,}", "\\\\n", "\u2028"];
  const items = odd.flatMap((name, index) => [
    {
      id: randomUUID(),
      name,
      at: new Date(index),
      count: BigInt(index),
      done: true,
      body: JSON.stringify({ name }),
    },
    { id: randomUUID(), name: null, at: null, count: null, done: null, body: JSON.stringify(null) },
  ]);
  const select = statement<object, keyof ReturnType<typeof rows.values>>(`select item.* from ${rows.from}`);
  for (const some of [items, items.slice(0, 1)]) {
    expect(await select.run(test.database, rows.values(some))).toEqual(some);
  }
});

it("round-trips ids", async () => {
  const ids = [randomUUID(), randomUUID()];
  const [row] = await test.database`
    select ${ids}::uuid[] as ids, ${ids[1] ?? ""}::uuid = any (${ids}::uuid[]) as found`;
  expect(row).toEqual({ ids, found: true });
});
