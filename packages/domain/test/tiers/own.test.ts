/* The portal's view of tiers: the affiliate's tier, the way to the next one, and the leaderboard. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { getPortalTiers } from "../../src/tiers/own.ts";
import { addAffiliate, addPartner } from "../attribution/program.ts";
import { bring, evaluate, makeTierContext, seal, tiersOf, yesterday } from "../tier-program.ts";

let test: TestDatabase;
let context: CreationContext;
let day: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeTierContext(test.database);
  day = await yesterday(context);
});

const seenBy = async (affiliate_id: string) =>
  await getPortalTiers(test.database, {
    affiliate_id,
    organization: context.organization,
    state: "active",
  } as AffiliateSession);

it("shows nothing without tiers and leaderboard", async () => {
  const { affiliate_id } = await addPartner(context);
  expect(await seenBy(affiliate_id)).toEqual({ progress: null, leaderboard: null });
});

it("shows the tier, and the way to the next one", async () => {
  const tiers = tiersOf(
    { measure: "commissions" },
    { name: "Silver", from: 10 },
    { name: "Gold", from: 99.5, bonus: 7 },
  );
  const { affiliate_id } = await addPartner(context, { tiers });
  await bring(context, { affiliate_id, day, count: 2 });
  await seal(context);
  await evaluate(context);
  expect((await seenBy(affiliate_id)).progress).toEqual({
    measure: "commissions",
    period: "all_time",
    currency: "USD",
    number: 20,
    tier: "Silver",
    steps: [
      { id: expect.any(String), name: "Silver", from: 10, bonus: null },
      { id: expect.any(String), name: "Gold", from: 99.5, bonus: 7 },
    ],
  });
});

it("shows the ten with the most customers and the own place, by names or initials", async () => {
  const { campaign_id, affiliate_id } = await addPartner(
    context,
    { leaderboard: "names", tiers: tiersOf({}, { name: "Silver", from: 1 }) },
    { first_name: "Zoë", last_name: "Last" },
  );
  await bring(context, { affiliate_id, day });
  const ids: string[] = [];
  for (let number = 0; number < 13; number++) {
    const id = await addAffiliate(context, { campaign_id, first_name: `Ann${number}`, last_name: "lee" });
    await bring(context, { affiliate_id: id, day, count: 2 });
    ids.push(id);
  }
  const [banned = "", first = "", nameless = "", none = ""] = ids;
  await bring(context, { affiliate_id: banned, day, count: 3 });
  await bring(context, { affiliate_id: first, day, count: 3 });
  await bring(context, { affiliate_id: nameless, day, count: 2 });
  await test.database`update affiliates set banned = true where id = ${banned}`;
  await test.database`update affiliates set first_name = '', last_name = '' where id = ${nameless}`;
  await seal(context);
  const { leaderboard } = await seenBy(affiliate_id);
  expect(leaderboard?.period).toBe("all_time");
  expect(leaderboard?.leaders).toHaveLength(11);
  expect(leaderboard?.leaders.slice(0, 3)).toEqual([
    { rank: 1, name: "Ann1 lee", customers: 5, is_own: false },
    { rank: 2, name: "", customers: 4, is_own: false },
    { rank: 3, name: "Ann3 lee", customers: 2, is_own: false },
  ]);
  expect(leaderboard?.leaders.at(-1)).toEqual({ rank: 13, name: "Zoë Last", customers: 1, is_own: true });
  await updateCampaign(context, { id: campaign_id, leaderboard: "initials", tiers: null });
  const initials = (await seenBy(none)).leaderboard;
  expect(initials?.period).toBe("month");
  expect(initials?.leaders[0]?.name ?? "A. L.").toBe("A. L.");
  const { campaign_id: other } = await addPartner(context, { leaderboard: "names" });
  const alone = await addAffiliate(context, { campaign_id: other });
  expect((await seenBy(alone)).leaderboard?.leaders).toEqual([]);
});
