/*
 * Affiliates with commissions that wait because of signals of fraud, and decisions about all commissions of
 * an affiliate.
 */
import { type CampaignSignals, NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listFlaggedAffiliates } from "../../src/commissions/flagged-affiliates.ts";
import { listCommissions } from "../../src/commissions/list.ts";
import { decideReviews } from "../../src/commissions/review.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { listBalances } from "../../src/ledger/list-balances.ts";
import { addAffiliate, addPartner, click, type Partner, payOut, report } from "../attribution/program.ts";
import { payment, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Partner;
let max: Partner;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

let sales = 0;

/** A payment of 100.00, which earns 30.00. */
async function sell({ affiliate_id }: Partner, email: string, { currency = "USD", ad = false } = {}) {
  sales += 1;
  const landing_url = ad ? "https://shop.test/?gclid=1" : null;
  const click_id = await click(context, { affiliate_id, at: second(1), landing_url });
  const paid = { customer_id: `cus_${sales}`, email, click_ids: [click_id], currency, at: second(sales) };
  await report(context, payment({ subject: `in_${sales}`, ...paid }));
}

beforeEach(async () => {
  context = await makeContext(test.database);
  const signals: CampaignSignals = {
    ...NO_SIGNALS,
    referrers: [],
    shared_domain: "hold",
    paid_search: "hold",
  };
  jane = await addPartner(
    context,
    { signals, review_above_amount: 20 },
    { email: "jane@acme.test", first_name: "Jane" },
  );
  const { campaign_id } = jane;
  max = { campaign_id, affiliate_id: await addAffiliate(context, { campaign_id, email: "max@roe.test" }) };
});

const flagged = async (page: object = {}) => await listFlaggedAffiliates(context, { limit: 50, ...page });

it("lists each with its signals, evidence and what rejecting costs", async () => {
  await sell(jane, "a@acme.test");
  await sell(jane, "b@acme.test", { ad: true });
  await sell(jane, "c@acme.test", { currency: "EUR" });
  // It waits for its amount alone.
  await sell(jane, "d@other.test");
  await sell(max, "e@other.test", { ad: true });
  const { data } = await flagged();
  expect(data).toMatchObject([
    {
      affiliate: { id: max.affiliate_id, email: "max@roe.test" },
      commissions: 1,
      amounts: [{ currency: "USD", amount: 30 }],
      signals: [{ signal: "paid_search", commissions: 1 }],
    },
    {
      affiliate: { id: jane.affiliate_id, first_name: "Jane" },
      commissions: 3,
      amounts: [
        { currency: "EUR", amount: 30 },
        { currency: "USD", amount: 60 },
      ],
      signals: [
        { signal: "shared_domain", commissions: 3, evidence: "Customer and affiliate both use acme.test." },
        {
          signal: "paid_search",
          commissions: 1,
          evidence: "The click came from an ad: its address has gclid.",
        },
      ],
    },
  ]);
  expect(data.map(({ commission_ids }) => commission_ids.length)).toEqual([1, 3]);
});

it("lists payments that are only flagged, until they are in a payout or voided", async () => {
  const { campaign_id } = jane;
  const signals: CampaignSignals = {
    ...NO_SIGNALS,
    referrers: [],
    shared_domain: "flag",
    paid_search: "hold",
  };
  await updateCampaign(context, { id: campaign_id, signals, review_above_amount: null });
  await sell(jane, "a@acme.test");
  await sell(jane, "b@acme.test", { ad: true });
  await sell(max, "c@roe.test");
  await sell(max, "d@other.test");
  const of_max = {
    affiliate: { id: max.affiliate_id },
    commissions: 0,
    flagged: 1,
    commission_ids: [],
    amounts: [],
    signals: [
      { signal: "shared_domain", commissions: 1, evidence: "Customer and affiliate both use roe.test." },
    ],
  };
  const { data } = await flagged();
  expect(data).toMatchObject([
    of_max,
    {
      affiliate: { id: jane.affiliate_id },
      commissions: 1,
      flagged: 1,
      amounts: [{ currency: "USD", amount: 30 }],
      signals: [
        { signal: "paid_search", commissions: 1 },
        { signal: "shared_domain", commissions: 1 },
      ],
    },
  ]);
  // A page has the same rows.
  expect((await flagged({ limit: 1 })).data).toMatchObject([of_max]);
  const [held = ""] = data[1]?.commission_ids ?? [];
  await decideReviews(context, { ids: [held], state: "approved", reason: null });
  expect(await flagged()).toMatchObject({ data: [of_max, { commissions: 0, flagged: 1, amounts: [] }] });
  const of = { affiliate_id: max.affiliate_id, limit: 10 };
  for (const { id } of (await listCommissions(context, of)).data)
    await updateCommission(context, { id, payout_status: "voided" });
  expect((await flagged()).data.map(({ affiliate }) => affiliate.id)).toEqual([jane.affiliate_id]);
  await payOut(context, "pending");
  expect((await flagged()).data).toEqual([]);
});

it("is read in pages, in both directions", async () => {
  await sell(jane, "a@acme.test");
  await sell(max, "e@other.test", { ad: true });
  const first = await flagged({ limit: 1 });
  expect(first).toMatchObject({ data: [{ affiliate: { id: max.affiliate_id } }], newer: null });
  const second_page = await flagged({ limit: 1, after: first.older });
  expect(second_page).toMatchObject({ data: [{ affiliate: { id: jane.affiliate_id } }], older: null });
  expect((await flagged({ limit: 1, before: second_page.newer })).data).toEqual(first.data);
});

it("has nobody of another organization, and nobody once all are decided", async () => {
  await sell(jane, "a@acme.test");
  await sell(jane, "b@acme.test");
  const other = await makeContext(test.database);
  expect((await listFlaggedAffiliates(other, { limit: 50 })).data).toEqual([]);
  const [row] = (await flagged()).data;
  const decision = { ids: row?.commission_ids ?? [], state: "rejected", reason: "Own purchases" } as const;
  expect(await decideReviews(context, decision)).toEqual({ changed: 2 });
  expect((await flagged()).data).toEqual([]);
  expect(await listBalances(context, jane.affiliate_id)).toMatchObject([{ held: 0, due: 0 }]);
});
