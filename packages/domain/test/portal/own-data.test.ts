import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { readOwnCommissions, readOwnData } from "../../src/portal/own-data.ts";
import { addEarner, type Earner, earn, makePayoutContext } from "../ledger/program.ts";
import { sessionOf } from "./own-session.ts";

/** More than two pages. */
const COMMISSIONS = 2_100;
let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeAll(async () => {
  test = await createTestDatabase();
  context = await makePayoutContext(test.database);
  jane = await addEarner(context);
  for (let number = 0; number < COMMISSIONS; number += 100) {
    await Promise.all(Array.from({ length: 100 }, () => earn(context, jane, { amount: 5 })));
  }
}, 120_000);
afterAll(() => test.close());

const PORTAL_SESSION = {
  session_id: "00000000-0000-7000-8000-000000000000",
  email: "jane@example.com",
  limited_to: null,
  affiliate_id: null,
  by_staff: false,
  programs: new Map(),
  invitations: new Map(),
};

const session = () => sessionOf(context, jane.affiliate_id);

async function partsOf(content: AsyncIterable<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of content) parts.push(part);
  return parts;
}

describe("the data of an affiliate with many commissions", () => {
  it("is complete, and comes in parts of bounded size", async () => {
    const parts = await partsOf(await readOwnData(test.database, await session(), PORTAL_SESSION));
    const data = JSON.parse(parts.join(""));
    expect(data.commissions).toHaveLength(COMMISSIONS);
    expect(new Set(data.commissions.map(({ id }: { id: string }) => id)).size).toBe(COMMISSIONS);
    expect(data.payouts).toEqual([]);
    // A part has 1,000 rows at most.
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1_000_000);
    const lines = (await partsOf(readOwnCommissions(test.database, await session())))
      .join("")
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(COMMISSIONS + 1);
  });

  it("is read only as far as it is written", async () => {
    const statements = await statementsOf(test.database, async () => {
      for await (const part of readOwnCommissions(test.database, await session())) {
        if (part.length > 1_000) break;
      }
    });
    // The session's, and a single page.
    expect(statements).toHaveLength(2);
  });
});
