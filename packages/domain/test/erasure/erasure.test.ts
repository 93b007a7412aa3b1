/* Erasing a person's data: nothing personal is left, and ids, amounts and everybody else's data stay. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { setCommissionStatuses } from "../../src/commissions/set-status.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { eraseMembers } from "../../src/erasure/members.ts";
import { listMembers } from "../../src/identity/members/list.ts";
import { createUser } from "../../src/identity/users/create.ts";
import { history } from "../audit-log/history.ts";
import { earn, makePayoutContext, pay, payOut, payouts } from "../ledger/program.ts";
import { addJane, PERSONAL, storedOf } from "./jane.ts";

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
});

const stored = (affiliate_id: string) => storedOf(test.database, affiliate_id);

describe("an affiliate", () => {
  it("keeps no personal data in its rows and the audit log", async () => {
    for (const text of PERSONAL) expect(await stored(jane)).toContain(text);
    const before = await history(context, { resource_id: jane });
    const erased = await eraseAffiliate(context, jane);
    for (const text of PERSONAL) expect(await stored(jane)).not.toContain(text);
    expect(erased).toMatchObject({
      id: jane,
      email: `${jane}@erased.invalid`,
      first_name: "",
      payout_email: null,
      banned: true,
      campaign: { id: campaign_id },
    });
    const [created, renamed, unapproved, last] = await history(context, { resource_id: jane });
    expect(created).toEqual({
      ...before[0],
      resource_name: "Erased affiliate",
      after: {
        ...before[0]?.after,
        email: "[erased]",
        tags: "[erased]",
        first_name: "[erased]",
        last_name: "[erased]",
        payout_email: "[erased]",
        details: "[erased]",
        note: "[erased]",
        custom_fields: "[erased]",
        ref_codes: "[erased]",
        promo_codes: "[erased]",
      },
    });
    expect(created?.after).toMatchObject({ campaign_id, approved: true, banned: false });
    expect(renamed?.after).toMatchObject({ email: "[erased]", details: null, note: null });
    expect(unapproved).toMatchObject({
      before: { approved: true },
      after: { approved: false, payout_email: null },
    });
    expect(last).toMatchObject({ action: "erased", before: { banned: false }, after: { banned: true } });
  });

  it("leaves no reasons for which its commissions were voided or corrected, and nobody else's", async () => {
    const { id: other } = await createAffiliate(context, { campaign_id, email: "other@example.com" });
    const reasons = async () =>
      (
        await context.database<{ reason: string }[]>`
          select after->>'reason' as reason from audit_log_entries
          where organization_id = ${context.organization.id} and resource = 'commission' and after->>'reason' is not null
          order by id`
      ).map(({ reason }) => reason);
    const earnFor = async (affiliate_id: string) => {
      const { id } = await createReferral(context, {
        affiliate_id,
        email: `${affiliate_id}@customer.test`,
        subscription_status: "signed_up",
      });
      return await earn(context, { affiliate_id, referral_id: id }, { amount: 10 });
    };
    const [hers, others] = [await earnFor(jane), await earnFor(other)];
    const correction = { commission_amount: 1 };
    await updateCommission(context, { id: hers, ...correction }, "Jane asked for it.");
    await setCommissionStatuses(
      context,
      { ids: [hers], payout_status: "voided" },
      " Jane bought it herself. ",
    );
    await setCommissionStatuses(context, { ids: [others], payout_status: "voided" }, "A test.");
    await setCommissionStatuses(context, { ids: [others], payout_status: "not_paid" });
    expect(await reasons()).toEqual(["Jane asked for it.", "Jane bought it herself.", "A test."]);
    await eraseAffiliate(context, jane);
    expect(await reasons()).toEqual(["[erased]", "[erased]", "A test."]);
  });

  it("is erased once; a repetition changes nothing", async () => {
    const erased = await eraseAffiliate(context, jane);
    const entries = await history(context);
    expect(await eraseAffiliate(context, jane)).toEqual(erased);
    expect(await history(context)).toEqual(entries);
  });

  it("is erased although its email looks erased", async () => {
    await updateAffiliate(context, { id: jane, email: `${jane}@erased.invalid` });
    await eraseAffiliate(context, jane);
    for (const text of PERSONAL) expect(await stored(jane)).not.toContain(text);
  });

  it("does not change other affiliates", async () => {
    const { id: joe } = await createAffiliate(context, {
      campaign_id,
      email: "joe@example.com",
      first_name: "Joe",
    });
    const before = await stored(joe);
    await eraseAffiliate(context, jane);
    expect(await stored(joe)).toBe(before);
  });

  it("can be erased with a balance of zero, and keeps commissions and payouts", async () => {
    const email = "kim@example.com";
    const referral = await createReferral(context, {
      affiliate_id: jane,
      email,
      subscription_status: "active",
    });
    const earner = { affiliate_id: jane, referral_id: referral.id };
    const commission_id = await earn(context, earner, {
      amount: 30,
      referral_date: new Date(Date.now() - 1000),
    });
    const before = await stored(jane);
    await expect(eraseAffiliate(context, jane)).rejects.toMatchObject({
      code: "affiliate_owed",
      message: "The affiliate's balance is 30 USD: pay it, void its commissions or adjust it first.",
    });
    expect(await stored(jane)).toBe(before);
    await payOut(context, "2026-01");
    await expect(eraseAffiliate(context, jane)).rejects.toMatchObject({ code: "affiliate_owed" });
    await pay(
      context,
      (await payouts(context)).map(({ id }) => id),
    );
    await eraseAffiliate(context, jane);
    const { data } = await listCommissions(context, { page: 1, limit: 10, affiliate_id: jane });
    expect(data).toMatchObject([{ id: commission_id, commission_amount: 30, payout_status: "paid" }]);
    const [payout] =
      await test.database`select affiliate_name, amount_minor from payouts where affiliate_id = ${jane}`;
    expect(payout).toEqual({ affiliate_name: "Jane Doe", amount_minor: 3_000n });
  });

  it("of another organization is not found", async () => {
    const other = await makePayoutContext(test.database);
    await expect(eraseAffiliate(other, jane)).rejects.toMatchObject({ code: "not_found" });
    expect((await getAffiliate(context, jane)).first_name).toBe("Jane");
  });
});

it("erases owners' addresses in the audit log only", async () => {
  const { id } = context.organization;
  const olga = { name: "Olga", email: "olga@example.com", organization_id: id, role: "owner" } as const;
  await createUser(test.database, olga);
  await createUser(test.database, { ...olga, name: "Otto", email: "otto@example.com" });
  expect(JSON.stringify(await history(context))).toContain("olga@");
  expect(await eraseMembers(context)).toBe(2);
  const erased = await history(context);
  expect(await eraseMembers(context)).toBe(0);
  expect(await history(context)).toEqual(erased);
  const entries = JSON.stringify(erased);
  expect(entries).not.toMatch(/olga|otto/);
  expect((await listMembers(context)).map(({ email }) => email)).toEqual([
    "olga@example.com",
    "otto@example.com",
  ]);
});
