/* A quota outlives failing calls: a count that fails is repeated, and changes that were rolled back use up nothing. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyDatabase, type Moment } from "@findersfee/database/testing/faulty-database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCampaign } from "../../src/campaigns/create.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { Context } from "../../src/context.ts";
import { createQuotas, type QuotaName } from "../../src/quotas/quotas.ts";
import { history } from "../changes/history.ts";
import { makeContext } from "../subscriber.ts";

const QUOTA = 8;
const UNLIMITED = { stored_answers: 0, audit_log_entries: 0 };
const MOMENTS: Moment[] = ["before", "after"];

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
const otherRows: Record<QuotaName, () => Promise<void>> = {
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

describe.each(MOMENTS)("a count that fails %s it ran", (moment) => {
  it.each(["stored_answers", "audit_log_entries"] as const)("of %s is repeated", async (name) => {
    await otherRows[name]();
    const faulty = new FaultyDatabase(test.database, { fails_at: 1, moment });
    const errors: unknown[] = [];
    const limits = { ...UNLIMITED, [name]: QUOTA };
    const quotas = createQuotas(faulty.database, limits, (error) => errors.push(error));
    const admit = () => quotas.admit(name, context.organization.id);
    // Until it was counted, an organization is not refused anything.
    admit();
    await eventually(() => expect(errors).toHaveLength(1));
    expect(String(errors[0])).toContain("CONNECTION_CLOSED");
    expect(faulty.calls).toBe(1);
    expect(admit).not.toThrow();
    await eventually(() => expect(faulty.calls).toBeGreaterThan(1));
    await eventually(() => expect(admit).toThrow(expect.objectContaining({ code: "quota_exceeded" })));
    expect(errors).toHaveLength(1);
  });
});

it.each(MOMENTS)(
  "changes whose calls fail %s they took effect use up only what they wrote",
  async (moment) => {
    const errors: unknown[] = [];
    const limits = { ...UNLIMITED, audit_log_entries: QUOTA };
    const quotas = createQuotas(test.database, limits, (error) => errors.push(error));
    const entries = async () => (await history(context)).length;
    let failed = 0;
    for (let fails_at = 1; ; fails_at++) {
      const written = await entries();
      const faulty = new FaultyDatabase(test.database, { fails_at, moment });
      await changeName({ ...context, database: faulty.database, quotas }).catch((error: unknown) => {
        expect(String(error)).toContain("CONNECTION_CLOSED");
      });
      if (!faulty.has_failed) break;
      failed += 1;
      // The first call is the transaction as a whole.
      expect((await entries()) - written).toBe(moment === "after" && fails_at === 1 ? 1 : 0);
    }
    expect(failed).toBeGreaterThan(3);
    const limited = { ...context, quotas };
    await eventually(async () => {
      await expect(changeName(limited)).rejects.toMatchObject({ code: "quota_exceeded" });
      expect(await entries()).toBeGreaterThanOrEqual(QUOTA);
    });
    expect(errors).toEqual([]);
  },
);
