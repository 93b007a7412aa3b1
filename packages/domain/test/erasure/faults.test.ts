/* An erasure is one transaction: whichever of its database calls fails, it is done or not done, and again completes it. */
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { refuseCommits } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { eraseMembers } from "../../src/erasure/members.ts";
import { createUser } from "../../src/identity/users/create.ts";
import { history } from "../audit-log/history.ts";
import { makePayoutContext } from "../ledger/program.ts";
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
  const context = await makePayoutContext(test.database);
  const { affiliate_id } = await addJane(context);
  return {
    context,
    erase: (faulty) => eraseAffiliate(faulty, affiliate_id),
    stored: () => storedOf(test.database, affiliate_id),
    personal: PERSONAL,
  };
}

async function ownersErasure(): Promise<Erasure> {
  const context = await makePayoutContext(test.database);
  const { id } = context.organization;
  const olga = { name: "Olga", email: "olga@example.com", organization_id: id, role: "owner" } as const;
  await createUser(test.database, olga);
  await createUser(test.database, { ...olga, name: "Otto", email: "otto@example.com" });
  return {
    context,
    erase: (faulty) => eraseMembers(faulty),
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
  it.each(LOST_ANSWERS)("survives each call that fails: %s", async (kind) => {
    let calls = 0;
    await failEachCall(test.url, kind, async (database, number, faulty) => {
      const erasure = await prepare();
      const before = await erasure.stored();
      const outcome = await erasure.erase({ ...erasure.context, database }).then(
        () => "erased",
        (error: unknown) => `${isUnavailable(error) ? "" : "not "}unavailable`,
      );
      const [failed] = faulty.failed;
      if (failed === undefined) calls = number - 1;
      // The driver itself repeats a session start.
      const took_effect = outcome === "erased" || (kind === "cut_after" && failed?.sql === "commit");
      if (took_effect) await expectErased(erasure);
      else expect([outcome, await erasure.stored()]).toEqual(["unavailable", before]);
      await erasure.erase(erasure.context);
      await expectErased(erasure);
    });
    expect(calls).toBeGreaterThan(least_calls);
  });

  it("changes nothing if its commit fails", async () => {
    const erasure = await prepare();
    const before = await erasure.stored();
    await refuseCommits(test.database, ["audit_log_entries"], async () => {
      await expect(erasure.erase(erasure.context)).rejects.toThrow("refused");
      expect(await erasure.stored()).toBe(before);
    });
    await erasure.erase(erasure.context);
    await expectErased(erasure);
  });
});
