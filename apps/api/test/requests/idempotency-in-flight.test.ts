import { randomUUID } from "node:crypto";
import { ERRORS } from "@findersfee/contract/errors";
import {
  awaitWaiting,
  type HeldTransaction,
  holdTransaction,
  refuseCommits,
} from "@findersfee/database/testing/held-transaction";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { call, operations, surfaces } from "../operations.ts";
import { createProgram, type Program, storedRows } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { NOTHING_ELSE, validInput } from "../valid-inputs.ts";

let service: TestService;
let program: Program;
let held: HeldTransaction;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createProgram(service);
  held = await holdTransaction(service.database);
});

afterEach(() => held.commit());

/**
 * The row with the lock that makes a create wait after it has taken its key: its foreign key checks the row,
 * or a posting changes it.
 */
const LOCKED: Record<string, () => [table: string, id: string, column?: string]> = {
  "campaigns.create": () => ["organizations", program.organization.organization_id],
  "affiliates.create": () => ["campaigns", program.campaign.id],
  "referrals.create": () => ["affiliates", program.affiliate.id],
  "portal_tokens.create": () => ["affiliates", program.affiliate.id],
  "adjustments.create": () => ["affiliates", program.affiliate.id],
  "backtests.create": () => ["organizations", program.organization.organization_id],
  "conversions.create": () => ["organizations", program.organization.organization_id],
  "commissions.create": () => ["balances", program.affiliate.id, "affiliate_id"],
};

it("lists a lock for every operation that creates a row", () => {
  const creates = operations.filter(({ name }) => name.endsWith(".create")).map(({ name }) => name);
  expect(Object.keys(LOCKED).sort()).toEqual(creates.sort());
});

it.each(Object.entries(LOCKED))(
  "%s rejects the key while its first request runs, and replays it afterwards",
  async (name, locked) => {
    const [table, id, column = "id"] = locked();
    const rows = await held.sql`select from ${held.sql(table)} where ${held.sql(column)} = ${id} for update`;
    expect(rows).toHaveLength(1);
    const input = validInput(name, { ...program, ...NOTHING_ELSE });
    const request = { name, input, headers: { "idempotency-key": randomUUID() } };
    const first = call("rest", program.organization, request);
    await awaitWaiting(service.database);
    for (const surface of surfaces) {
      const beside = await call(surface, program.organization, request);
      expect(beside.error).toMatchObject({
        code: "idempotency_conflict",
        message: ERRORS.idempotency_conflict.message,
      });
    }
    await held.commit();
    const { error, data, headers } = await first;
    expect([error, headers.get("idempotency-replayed")]).toEqual([null, null]);
    const replay = await call("trpc", program.organization, request);
    expect(replay.data).toEqual(data);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
  },
);

/** The table of the row that an operation creates. */
function createdTable(name: string): string {
  return name === "conversions.create" ? "leads" : name.replace(".create", "");
}

it.each(Object.keys(LOCKED))("%s leaves neither key nor event after a rollback", async (name) => {
  const { database } = service;
  const input = validInput(name, { ...program, ...NOTHING_ELSE });
  const request = { name, input, headers: { "idempotency-key": randomUUID() } };
  const before = await storedRows(database);
  for (const table of [createdTable(name), "idempotency_keys"]) {
    await refuseCommits(database, [table], async () => {
      expect((await call("rest", program.organization, request)).error?.code).toBe("internal_error");
    });
    expect(await storedRows(database)).toEqual(before);
  }
  const again = await call("rest", program.organization, request);
  expect([again.error, again.headers.get("idempotency-replayed")]).toEqual([null, null]);
});
