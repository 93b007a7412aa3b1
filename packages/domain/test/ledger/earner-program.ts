import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { addEarner, type Earner, makePayoutContext } from "./program.ts";

/** An organization with an affiliate who earns. */
export interface EarnerProgram {
  test: TestDatabase;
  context: CreationContext;
  jane: Earner;
}

/** Gives the tests of the file a database, and each of them a new program. */
export function beforeEachProgram(use: (program: EarnerProgram) => void | Promise<void>): void {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    const context = await makePayoutContext(test.database);
    await use({ test, context, jane: await addEarner(context) });
  });
}
