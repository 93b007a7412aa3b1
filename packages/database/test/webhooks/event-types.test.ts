/* The requirements of an event type besides its schemas, which no type names. */
import { eventDataSchemas, eventTypes } from "@findersfee/contract/webhooks/events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

it("are all accepted by the check of the table, and no others", async () => {
  const [row] = await test.database<{ definition: string }[]>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'events'::regclass and conname = 'events_type_check'`;
  const accepted = [...(row?.definition ?? "").matchAll(/'(?<type>[^']+)'/g)].map(
    ({ groups }) => groups?.type,
  );
  expect(accepted).toEqual([...eventTypes]);
});

it.each(eventTypes)(
  "%s names its campaign or its affiliate, for endpoints that filter by campaign",
  (type) => {
    const { shape } = eventDataSchemas[type];
    const named = "campaign" in shape ? shape.campaign : shape.affiliate;
    expect(Object.keys(named.shape)).toContain("id");
  },
);
