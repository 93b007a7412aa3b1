/* An affiliate that was erased stays erased: it takes no personal data, and all else works as before. */
import { eraseAffiliateRow } from "@findersfee/database/erasure";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { listAffiliates } from "../../src/affiliates/list.ts";
import { checkAffiliateUpdate, updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { linkPromoCode } from "../../src/processors/promo-codes/link.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { earn, makePayoutContext, payOut, payouts } from "../ledger/program.ts";
import { addJane, storedOf } from "./jane.ts";

const ERASED = "The affiliate was erased and cannot be restored; create a new affiliate.";

let test: TestDatabase;
let context: CreationContext;
let campaign_id: string;
let jane: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  ({ campaign_id, affiliate_id: jane } = await addJane(context));
  await eraseAffiliate(context, jane);
});

const stored = (affiliate_id: string) => storedOf(test.database, affiliate_id);

it.each([
  { email: "jane@example.com" },
  { first_name: "Jane" },
  { last_name: "Doe" },
  { payout_email: "paypal@jane.test" },
  { details: "I keep a secret" },
  { note: "A secret note" },
  { ref_code: "janes-code" },
  { promo_code: "JANEDOE" },
  { banned: false },
  { new_paid_referral_notifications: true },
])("rejects an update that sets %o", async (values) => {
  const before = await stored(jane);
  const events = await test.database`select id from events`;
  await expect(updateAffiliate(context, { id: jane, approved: true, ...values })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: Object.keys(values)[0], message: ERASED }],
  });
  expect(await stored(jane)).toBe(before);
  expect(await test.database`select id from events`).toEqual(events);
});

it("lists all rejected fields", async () => {
  const input = { id: jane, first_name: "Jane", payout_email: null, promo_code: "JANE", banned: false };
  const issues = ["first_name", "banned", "promo_code"].map((path) => ({ path, message: ERASED }));
  await expect(checkAffiliateUpdate(context, input)).rejects.toMatchObject({ issues });
  await expect(updateAffiliate(context, input)).rejects.toMatchObject({ issues });
});

it("rejects an update and a promotion code that waited for the erasure", async () => {
  const { affiliate_id } = await addJane(context);
  const erasing = await holdTransaction(test.database);
  try {
    const email = `${affiliate_id}@erased.invalid`;
    await eraseAffiliateRow(erasing.sql, context.organization.id, { id: affiliate_id, email });
    const update = updateAffiliate(context, { id: affiliate_id, ref_code: "janes-code" });
    const link = linkPromoCode(context, { affiliate_id, code: "JANEDOE" });
    const refusals = Promise.all([
      expect(update).rejects.toMatchObject({ issues: [{ path: "ref_code", message: ERASED }] }),
      expect(link).rejects.toMatchObject({ issues: [{ path: "affiliate_id", message: ERASED }] }),
    ]);
    await awaitWaiting(test.database, 2);
    await erasing.commit();
    await refusals;
  } finally {
    await erasing.rollBack();
  }
  const codes = await test.database`select code from affiliate_codes where affiliate_id = ${affiliate_id}`;
  for (const { code } of codes) expect(code).toMatch(/^erased-/);
});

it("approves, bans and returns an erased affiliate as before, and accepts its own object", async () => {
  const erased = await getAffiliate(context, jane);
  expect(await updateAffiliate(context, erased)).toEqual(erased);
  expect(await updateAffiliate(context, { id: jane, banned: true, approved: true })).toEqual({
    ...erased,
    approved: true,
  });
  const { data } = await listAffiliates(context, { limit: 10, email: erased.email });
  expect(data).toEqual([{ ...erased, approved: true }]);
});

it("never pays commissions that were created after the erasure", async () => {
  const change = { affiliate_id: jane, email: "kim@example.com", subscription_status: "active" } as const;
  const { id: referral_id } = await createReferral(context, change);
  await earn(context, { affiliate_id: jane, referral_id }, { amount: 30 });
  await payOut(context, "2026-01");
  expect(await payouts(context)).toEqual([]);
  expect((await listAttention(context)).owed_to_erased).toBe(1);
});

it("creates no promotion code at Stripe", async () => {
  const before = await stored(jane);
  const refused = { code: "invalid_request", issues: [{ path: "affiliate_id", message: ERASED }] };
  for (const change of [
    { code: "JANEDOE" },
    { external_id: "promo_1" },
    { external_id: "promo_1", code: "JANE" },
  ]) {
    await expect(linkPromoCode(context, { affiliate_id: jane, ...change })).rejects.toMatchObject(refused);
  }
  expect(await stored(jane)).toBe(before);
});

it("frees the erased email for a new affiliate of the campaign", async () => {
  const again = { campaign_id, email: "jane@example.com", ref_code: "janes-code" };
  expect(await createAffiliate(context, again)).toMatchObject({ email: "jane@example.com" });
});

it.each([
  "email = 'jane@example.com'",
  "first_name = 'Jane'",
  "payout_email = 'paypal@jane.test'",
  "note = 'A secret note'",
  `custom_fields = '[{"id": "a", "label": "b", "value": "c"}]'`,
  "banned = false",
])("is protected by the database: %s", async (set) => {
  const statement = `update affiliates set ${set} where id = '${jane}'`;
  await expect(test.database.unsafe(statement)).rejects.toMatchObject({
    constraint_name: "affiliates_erased",
  });
});
