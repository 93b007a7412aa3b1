/* Texts that are longer than their place, amounts in several currencies, and the filter by tier. */

import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { addAffiliate, addPartner } from "@findersfee/domain/testing/attribution/program";
import { earn } from "@findersfee/domain/testing/ledger/program";
import { checkScreenAgain } from "@findersfee/ui/testing/screens";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";

const LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const WIDE = { width: 1440, height: 900 };

describeInBrowser("long texts", (dashboard) => {
  let campaign_id: string;
  let affiliate_id: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    const partner = await addPartner(
      context,
      { name: "Tiered", tiers: tiersOf(["Silver", 1_000], ["Gold", 9_000]) },
      { email: "silver@example.com", first_name: LONG_NAME },
    );
    ({ campaign_id, affiliate_id } = partner);
    const gold = await addAffiliate(context, { campaign_id, email: "gold@example.com" });
    await reach("Silver", affiliate_id);
    await reach("Gold", gold);
    const email = "customer@customers.test";
    const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
    const earner = { affiliate_id, referral_id: referral.id };
    for (const currency of ["USD", "EUR", "PLN"]) {
      await earn(context, earner, { amount: 27_411.2, currency });
    }
  });

  const tiersOf = (...steps: [name: string, from: number][]) => ({
    measure: "revenue" as const,
    period: "all_time" as const,
    steps: steps.map(([name, from]) => ({ name, from, commission: null, bonus: null })),
  });

  async function reach(tier_name: string, affiliate_id: string): Promise<void> {
    await dashboard.database`
      insert into affiliate_tiers (organization_id, affiliate_id, since, campaign_id, tier_id, tier_name, measure, number, measured_on)
      select affiliate.organization_id, affiliate.id, now(), campaign.id, (step->>'id')::uuid, step->>'name', 'revenue', 1000, current_date
      from affiliates affiliate
      join campaigns campaign on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id,
        jsonb_array_elements(campaign.tiers::jsonb->'steps') as step
      where affiliate.id = ${affiliate_id} and step->>'name' = ${tier_name}`;
  }

  it("filters affiliates by their tier, and shows amounts in several currencies whole", async () => {
    const watched = await dashboard.openInTab("/affiliates");
    const { page } = watched;
    await page.setViewportSize(WIDE);
    const row = (text: string) => page.getByRole("row").filter({ hasText: text });
    await row("gold@example.com").waitFor();
    const earned = row(LONG_NAME).getByRole("cell").filter({ hasText: "$27,411.20" }).first();
    expect(await earned.evaluate(IS_CUT)).toBe(false);
    await page.getByRole("button", { name: "Tier", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "Gold" }).click();
    await row(LONG_NAME).waitFor({ state: "detached" });
    await row("gold@example.com").waitFor();
    expect(new URL(page.url()).searchParams.get("tier")).toMatch(/^[0-9a-f-]{36}$/);
    const views = page.getByRole("main").getByRole("button", { name: "Views", exact: true });
    await views.waitFor();
    // Beside the filters, not below them.
    const [search, menu] = await Promise.all([page.getByRole("search").boundingBox(), views.boundingBox()]);
    expect(menu?.y).toBeLessThan((search?.y ?? 0) + (search?.height ?? 0));
    await checkScreenAgain(page, "affiliates-of-tier");
    await page.getByRole("button", { name: /: Tier$/ }).click();
    await row(LONG_NAME).waitFor();
    await page.setViewportSize({ width: 1100, height: 900 });
    await fitsWindow(page, "the list of affiliates at 1100 pixels");
    await finish(watched);
  });

  it("shows balances in the organization's currency first", async () => {
    const watched = await dashboard.openInTab(`/affiliates/${affiliate_id}`);
    const headings = watched.page.getByRole("heading", { name: /^Balance in/ });
    await headings.first().waitFor();
    const currencies = ["USD", "EUR", "PLN"].map((currency) => `Balance in ${currency}`);
    expect(await headings.allTextContents()).toEqual(currencies);
    await finish(watched);
  });

  it("shows what members with long names changed, and cut texts in titles", async () => {
    const { organization_id } = dashboard.place;
    const { trpc, user_id } = await dashboard.service.staff(organization_id);
    await dashboard.database`update users set name = ${LONG_NAME} where id = ${user_id}`;
    await trpc.affiliates.create.mutate({ campaign_id, email: "changed@example.com" });
    const watched = await dashboard.openInTab("/settings/history");
    const { page } = watched;
    await page.setViewportSize(WIDE);
    const entry = page.getByRole("listitem").filter({ hasText: LONG_NAME }).first();
    const actor = entry.getByText(LONG_NAME, { exact: true });
    await actor.waitFor();
    const line = actor.locator("..");
    expect(await line.evaluate(IS_CUT)).toBe(false);
    expect(await actor.evaluate(IS_CUT)).toBe(true);
    await actor.hover();
    await expect.poll(() => actor.getAttribute("title")).toBe(LONG_NAME);
    await checkScreenAgain(page, "history-long-name");
    await finish(watched);
  });
});

const IS_CUT = (element: { scrollWidth: number; clientWidth: number }) =>
  element.scrollWidth > element.clientWidth;
