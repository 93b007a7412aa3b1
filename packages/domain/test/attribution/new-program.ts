import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, click, type Partner } from "./program.ts";
import { second } from "./reported.ts";

interface NewProgram {
  /** The database's address. */
  url: string;
  context: CreationContext;
  partner: Partner;
  /** The first click on the partner's link. */
  click_id: string;
}

/** Gives each test of a file a new organization with a partner, in a database of the file. */
export function beforeEachInNewProgram(
  use: (program: NewProgram) => void,
  partner_options: Parameters<typeof addPartner>[1] = {},
): void {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    const context = await makeContext(test.database);
    const partner = await addPartner(context, partner_options);
    const click_id = await click(context, { affiliate_id: partner.affiliate_id, at: second(1) });
    use({ url: test.url, context, partner, click_id });
  });
}
