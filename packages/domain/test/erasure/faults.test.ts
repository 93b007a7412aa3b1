/* An erasure is one transaction: whichever of its database calls fails, it is done or not done, and again completes it. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyDatabase } from "@findersfee/database/testing/faulty-database";
import { refuseCommits } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { eraseOwners } from "../../src/erasure/owners.ts";
import { updateOrganization } from "../../src/organizations/update.ts";
import { history } from "../changes/history.ts";
import { makePayer } from "../ledger/program.ts";
import { addJane, PERSONAL, storedOf } from "./jane.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

interface Erasure {
  context: Context;
  erase: (context: Context) => Promise<unknown>;
  /** All that the erasure changes, as text. */
  stored: () => Promise<string>;
  personal: readonly string[];
}

async function affiliateErasure(): Promise<Erasure> {
  const context = await makePayer(test.database);
  const { affiliate_id } = await addJane(context);
  return {
    context,
    erase: (faulty) => eraseAffiliate(faulty, affiliate_id),
    stored: () => storedOf(test.database, affiliate_id),
    personal: PERSONAL,
  };
}

async function ownersErasure(): Promise<Erasure> {
  const context = await makePayer(test.database);
  const { id } = context.organization;
  await updateOrganization(test.database, { id, owner_emails: ["olga@example.com"] });
  await updateOrganization(test.database, { id, owner_emails: ["otto@example.com"] });
  return {
    context,
    erase: (faulty) => eraseOwners(faulty),
    stored: async () => JSON.stringify(await history(context)),
    personal: ["olga@", "otto@"],
  };
}

async function expectErased({ context, stored, personal }: Erasure): Promise<void> {
  const texts = await stored();
  for (const text of personal) expect(texts).not.toContain(text);
  expect((await history(context)).filter(({ action }) => action === "erased")).toHaveLength(1);
}

describe.each([
  { name: "an affiliate", prepare: affiliateErasure, least_calls: 8 },
  { name: "owners", prepare: ownersErasure, least_calls: 3 },
])("erasing $name", ({ prepare, least_calls }) => {
  it.each(["before", "after"] as const)("survives each call that fails %s it took effect", async (moment) => {
    for (let fails_at = 1; ; fails_at++) {
      const erasure = await prepare();
      const before = await erasure.stored();
      const faulty = new FaultyDatabase(test.database, { fails_at, moment });
      const outcome = await erasure.erase({ ...erasure.context, database: faulty.database }).then(
        () => "erased",
        (error: unknown) => String(error),
      );
      if (!faulty.has_failed) {
        expect(outcome).toBe("erased");
        expect(fails_at).toBeGreaterThan(least_calls);
        break;
      }
      expect(outcome).toContain("CONNECTION_CLOSED");
      // The first call is the transaction as a whole; after it took effect only the answer to its commit is lost.
      if (moment === "after" && fails_at === 1) await expectErased(erasure);
      else expect(await erasure.stored()).toBe(before);
      await erasure.erase(erasure.context);
      await expectErased(erasure);
    }
  });

  it("leaves nothing half done when its commit is refused", async () => {
    const erasure = await prepare();
    const before = await erasure.stored();
    await refuseCommits(test.database, ["changes"], async () => {
      await expect(erasure.erase(erasure.context)).rejects.toThrow("refused");
      expect(await erasure.stored()).toBe(before);
    });
    await erasure.erase(erasure.context);
    await expectErased(erasure);
  });
});
