/* An affiliate's view of commissions in review: the state, and why they wait, but no rule. */
import type { TestService } from "@findersfee/api/testing/test-service";
import { decideReviews } from "@findersfee/domain/commissions/review";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, type Earners, JANE } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

describe.skipIf(!has_chromium)(`commissions in review${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let earners: Earners;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    earners = await createEarners(service.database);
    const { id } = earners.context.organization;
    await service.database`
      update campaigns set review = 'all', review_above_minor = 100 where organization_id = ${id}`;
    await earners.buy(earners.jane, { number: 20, days: 0, amount: 30_000n });
    await earners.buy(earners.jane, { number: 21, days: 0, amount: 20_000n });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, locale = "en-US") =>
    openSignedIn({ service, browser }, { email: JANE, path, locale });

  /** Nothing of the rules: a cheat could stay below them. */
  const expectNoRules = async (page: Page) => {
    const text = (await page.locator("body").textContent()) ?? "";
    expect(text).not.toMatch(/first|above|rule|Regel|oberhalb|höher als|erste Provision/i);
  };

  it("leads from the home to the commission and its plain answer, and follows the decision", async () => {
    const { page, complaints } = await open("");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByRole("link", { name: "In review" }).waitFor();
    await checkPortalScreen(page, "home-in-review");
    await page.getByRole("link", { name: "In review" }).click();
    await page.getByRole("heading", { level: 1, name: "Earnings" }).waitFor();
    await page.getByText("$90.00").first().waitFor();
    await page.getByText("$60.00").first().waitFor();
    await expect.poll(() => page.getByText("$14.70").count()).toBe(0);
    await checkPortalScreen(page, "earnings-in-review");
    await page
      .getByRole("row", { name: /90\.00/ })
      .getByRole("link")
      .click();
    await page.getByText("checks some commissions before paying them").waitFor();
    await expectNoRules(page);
    await checkPortalScreen(page, "earning-in-review");

    const rows = await service.database<{ id: string }[]>`
      select id from commissions where review_state = 'pending' and commission_minor = 9000`;
    const ids = rows.map(({ id }) => id);
    await decideReviews(earners.context, { ids, state: "rejected", reason: "Own purchase" });
    await page.reload();
    await page.getByText("Canceled", { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText("checks some commissions").count()).toBe(0);
    await expect.poll(() => page.getByText("Own purchase").count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("says the same in German", async () => {
    const { page, complaints } = await open("/earnings?state=in_review", "de-DE");
    await page.getByText("In Prüfung").first().waitFor();
    await page.getByRole("row", { name: /60,00/ }).getByRole("link").click();
    await page.getByText("prüft manche Provisionen vor der Auszahlung").waitFor();
    await expectNoRules(page);
    await checkPortalScreen(page, "earning-in-review-de");
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});
