/* An affiliate's view of tiers: its own, the way to the next one, and the leaderboard. */
import type { TestService } from "@findersfee/api/testing/test-service";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { addAffiliate } from "@findersfee/domain/testing/attribution/program";
import { bring, evaluate, seal, tiersOf, yesterday } from "@findersfee/domain/testing/tier-program";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, type Earners, JANE } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

describe.skipIf(!has_chromium)(`tiers${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let earners: Earners;
  let campaign_id: string;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    earners = await createEarners(service.database);
    const { context, jane } = earners;
    const { id } = context.organization;
    const time_zone = new Date().getUTCHours() < 12 ? "Etc/GMT-8" : "UTC";
    await service.database`update organizations set time_zone = ${time_zone} where id = ${id}`;
    const [campaign] = await service.database<{ id: string }[]>`
      select campaign_id as id from affiliates where organization_id = ${id} and id = ${jane.affiliate_id}`;
    campaign_id = campaign?.id ?? "";
    const day = await yesterday(context);
    for (const [number, name] of ["Ada Lovelace", "Grace Hopper", "Alan Turing"].entries()) {
      const [first_name, last_name] = name.split(" ");
      const affiliate_id = await addAffiliate(context, { campaign_id, first_name, last_name } as never);
      await bring(context, { affiliate_id, day, count: 30 - number * 8 });
    }
    await bring(context, { ...jane, day, count: 12 });
    await updateCampaign(context, {
      id: campaign_id,
      tiers: tiersOf(
        { period: "all_time" },
        { name: "Silver", from: 10 },
        { name: "Gold", from: 50, bonus: 100 },
      ),
      leaderboard: "initials",
    });
    await seal(context);
    await evaluate(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (locale: string) => openSignedIn({ service, browser }, { email: JANE, path: "", locale });

  it("shows the tier, the way to the next one, and the own place", async () => {
    const { page, complaints } = await open("en-US");
    await page.getByRole("heading", { name: "Your tier" }).waitFor();
    await page.getByText("Silver", { exact: true }).waitFor();
    await page.getByText(/^\d+ of 50 customers in total$/).waitFor();
    await page.getByText("$100.00 bonus when you reach it").waitFor();
    const places = page.getByRole("list").filter({ hasText: "A. L." }).getByRole("listitem");
    expect(await places.first().textContent()).toBe("1A. L.30 customers");
    await page.getByRole("listitem").and(page.locator("[aria-current]")).filter({ hasText: "You" }).waitFor();
    await checkPortalScreen(page, "home-tiers");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("speaks German, and shows names only where the campaign does", async () => {
    await updateCampaign(earners.context, { id: campaign_id, leaderboard: "names" });
    const { page, complaints } = await open("de-DE");
    await page.getByRole("heading", { name: "Ihre Stufe" }).waitFor();
    await page.getByText(/^\d+ von 50 Kunden insgesamt$/).waitFor();
    await page.getByText("Ada Lovelace").waitFor();
    await checkPortalScreen(page, "home-tiers-german");
    await updateCampaign(earners.context, { id: campaign_id, leaderboard: "none", tiers: null });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByText("Letzte 30 Tage").first().waitFor();
    expect(await page.getByRole("heading", { name: "Ihre Stufe" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});
