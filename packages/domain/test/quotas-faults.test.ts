/* A quota outlives failing calls: a count that fails is repeated, and changes that were rolled back use up nothing. */
import { connect } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCampaign } from "../src/campaigns/create.ts";
import { updateCampaign } from "../src/campaigns/update.ts";
import type { Context } from "../src/context.ts";
import { createQuotas, type QuotaName } from "../src/quotas.ts";
import { history } from "./audit-log/history.ts";
import { makeContext } from "./subscriber.ts";

const QUOTA = 8;
const UNLIMITED = { stored_answers: 0, audit_log_entries: 0, mails_to_strangers: 0 };

let test: TestDatabase;
let context: Context;
let campaign_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
  ({ id: campaign_id } = await createCampaign(context, {
    name: "Partners",
    website_url: "https://shop.test",
    commission_type: "percentage",
    commission_amount: 30,
    code_mode: "link",
  }));
});

async function changeName(on: Context): Promise<void> {
  await updateCampaign(on, { id: campaign_id, name: crypto.randomUUID() });
}

/** Rows that another process wrote. */
const otherRows: Record<Exclude<QuotaName, "mails_to_strangers">, () => Promise<void>> = {
  audit_log_entries: async () => {
    for (let row = 0; row < QUOTA; row++) await changeName(context);
  },
  stored_answers: async () => {
    for (let row = 0; row < QUOTA; row++) {
      const request_hash = Buffer.alloc(32);
      await changeName({ ...context, idempotency: { key: `key ${row}`, request_hash, replayed: false } });
    }
  },
};

describe.each(LOST_ANSWERS)("a count that fails: %s", (kind) => {
  it.each(["stored_answers", "audit_log_entries"] as const)("of %s is repeated", async (name) => {
    await otherRows[name]();
    const faulty = await FaultyPostgres.before(test.url);
    const database = connect({ url: faulty.url, poolSize: 1, prepare: true, name: "findersfee quotas" });
    let counts = 0;
    faulty.follow(({ sql }) => {
      if (sql === "connect") return null;
      counts += 1;
      return counts === 1 ? kind : null;
    });
    const errors: unknown[] = [];
    const limits = { ...UNLIMITED, [name]: QUOTA };
    const quotas = createQuotas(database, limits, (error) => errors.push(error));
    const admit = () => quotas.admit(name, context.organization.id);
    // Until it was counted, an organization is not refused anything.
    admit();
    await eventually(() => expect(errors).toHaveLength(1));
    expect(isUnavailable(errors[0])).toBe(true);
    expect(counts).toBe(1);
    expect(admit).not.toThrow();
    await eventually(() => expect(counts).toBeGreaterThan(1));
    await eventually(() => expect(admit).toThrow(expect.objectContaining({ code: "quota_exceeded" })));
    expect(errors).toHaveLength(1);
    await database.end({ timeout: 1 });
    await faulty.close();
  });
});

it.each(LOST_ANSWERS)("counts only entries that a failed change wrote: %s", async (kind) => {
  const errors: unknown[] = [];
  const limits = { ...UNLIMITED, audit_log_entries: QUOTA };
  const quotas = createQuotas(test.database, limits, (error) => errors.push(error));
  const entries = async () => (await history(context)).length;
  let refused = 0;
  await failEachCall(test.url, kind, async (database, _, faulty) => {
    const written = await entries();
    const is_refused = await changeName({ ...context, database, quotas }).then(
      () => false,
      (error: unknown) => isUnavailable(error),
    );
    refused += is_refused ? 1 : 0;
    const took_effect = !is_refused || (kind === "cut_after" && faulty.failed[0]?.sql === "commit");
    expect((await entries()) - written).toBe(took_effect ? 1 : 0);
  });
  expect(refused).toBeGreaterThan(1);
  const limited = { ...context, quotas };
  await eventually(async () => {
    await expect(changeName(limited)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await entries()).toBeGreaterThanOrEqual(QUOTA);
  });
  expect(errors).toEqual([]);
});
