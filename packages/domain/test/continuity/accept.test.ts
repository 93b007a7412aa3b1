import type { Database } from "@findersfee/database/postgres/connect";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptContinuity, checkContinuity } from "../../src/continuity/verify.ts";

let postgres: OwnPostgres;
let database: Database;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  database = openPool(postgres.url, 2);
});

afterAll(async () => {
  await database.end();
  await postgres.remove();
});

describe.each(LOST_ANSWERS)("with a call that is lost: %s", (kind) => {
  it("accepts once, or not at all, and again when repeated", async () => {
    const count = async () => (await database`select from accepted_histories`).length;
    await failEachCall(
      postgres.url,
      kind,
      async (faulty, number) => {
        const before = await count();
        const facts = { accepted_by: `user ${number}`, lost_events: number };
        const first = await acceptContinuity(faulty, facts).then(
          () => 1,
          () => 0,
        );
        expect(await count()).toBeGreaterThanOrEqual(before + first);
        expect(await count()).toBeLessThanOrEqual(before + 1);
        await acceptContinuity(database, facts);
        const { step_back, accepted } = await checkContinuity(database, null);
        expect({ step_back, by: accepted?.accepted_by, lost: accepted?.lost_events }).toEqual({
          step_back: null,
          by: facts.accepted_by,
          lost: facts.lost_events,
        });
      },
      { every: 1 },
    );
  });
});
