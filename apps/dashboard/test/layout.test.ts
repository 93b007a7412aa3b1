/* Where things stand on screens: measured, as a page that merely has them does not show that people reach them. */
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner } from "@findersfee/domain/testing/attribution/program";
import { addEndpoint, recordEvents } from "@findersfee/domain/testing/subscriber";
import { runJobs } from "@findersfee/domain/testing/work";
import { LOAD_MILLISECONDS, VIEWPORTS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace, fillPlace, type Place } from "./program.ts";

describeInBrowser("layout", (dashboard) => {
  const boxOf = async (locator: Locator) =>
    (await locator.boundingBox()) ?? { x: -1, y: -1, width: -1, height: -1 };

  /** Whether a click in the middle of an element reaches it. */
  const isReachable = (locator: Locator) =>
    locator.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const at = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
      return at !== null && element.contains(at);
    });

  it("cuts long names of top affiliates, and shows all amounts", async () => {
    const place = await createPlace(dashboard.database);
    await fillPlace(place);
    await dashboard.database`
      update affiliates set first_name = ${"Maximiliana-Alexandrina".repeat(4)}, last_name = ${"Schwarzenberg".repeat(6)}
      where organization_id = ${place.organization_id} and email = 'jane@example.com'`;
    const opened = await dashboard.open("", { at: place });
    const { page } = opened;
    const card = page
      .locator("section", { has: page.getByRole("heading", { name: "Top affiliates" }) })
      .last();
    const amount = card
      .getByRole("link", { name: /Maximiliana/ })
      .locator("span")
      .last();
    for (const viewport of [VIEWPORTS.wide, VIEWPORTS.narrow]) {
      await page.setViewportSize(viewport);
      await amount.waitFor({ timeout: LOAD_MILLISECONDS });
      await fitsWindow(page, `the overview at ${viewport.width} pixels`);
      const { x, width } = await boxOf(amount);
      expect(x + width).toBeLessThanOrEqual(viewport.width);
    }
    await checkScreen(page, "overview-long-name");
    await finish(opened);
  });

  it("shows an open delivery at the top of a long list, and beside each of its rows", async () => {
    const place = await createPlace(dashboard.database);
    const { id: endpoint_id } = await addEndpoint(place.context);
    await recordEvents(place.context, 60);
    const opened = await dashboard.open(`/developers/webhooks/${endpoint_id}`, { at: place });
    const { page } = opened;
    await page.setViewportSize({ width: 1440, height: 900 });
    const rows = page.locator("[data-row]");
    await expect.poll(() => rows.count(), { timeout: LOAD_MILLISECONDS }).toBe(50);
    await rows.first().getByRole("link").click();
    const detail = page.getByRole("region", { name: "Delivery" });
    const head = detail.getByRole("heading", { level: 2 }).first();
    await head.waitFor();
    const list = await boxOf(rows.first());
    await expect.poll(async () => Math.abs((await boxOf(head)).y - list.y)).toBeLessThan(120);
    const tabs = detail.getByRole("tablist");
    expect((await boxOf(tabs)).y - (await boxOf(head)).y).toBeLessThan(320);
    await rows.last().scrollIntoViewIfNeeded();
    await expect.poll(async () => (await boxOf(head)).y).toBeGreaterThanOrEqual(0);
    await checkScreen(page, "delivery-beside-long-list");
    await finish(opened);
  });

  it("shows the current page in the menu of a low window", async () => {
    const opened = await dashboard.open("/settings/notifications");
    const { page } = opened;
    await page.setViewportSize({ width: 1440, height: 600 });
    const menu = page.getByRole("banner").getByRole("navigation");
    const current = menu.locator("[aria-current]");
    const isShown = async () => {
      const [row, frame] = [await boxOf(current), await boxOf(menu)];
      return row.y >= frame.y && row.y + row.height <= frame.y + frame.height;
    };
    // A page that is opened, and one that the menu, a key or the palette leads to.
    for (const path of ["/settings/health", "/affiliates"]) {
      await dashboard.turn(page, path);
      await current.and(page.locator(`[href$="${path}"]`)).waitFor({ timeout: LOAD_MILLISECONDS });
      await expect.poll(isShown).toBe(true);
    }
    await page.goto(`${dashboard.service.url}${dashboard.place.home}/settings/health`);
    await current.waitFor({ timeout: LOAD_MILLISECONDS });
    await expect.poll(isShown).toBe(true);
    await finish(opened);
  });

  async function manyAffiliates(place: Place): Promise<void> {
    const { campaign_id } = await addPartner(place.context);
    for (let number = 0; number < 60; number += 1) {
      await addAffiliate(place.context, { campaign_id, email: `a${number}@example.com` });
    }
  }

  const older = (page: Page) => page.getByRole("link", { name: "Older" });

  it.runIf(FULL_TESTS)(
    "leaves the pager free below the tray, for the person who started the work",
    async () => {
      const place = await createPlace(dashboard.database);
      await manyAffiliates(place);
      const opened = await dashboard.open("/affiliates", { at: place });
      const { page } = opened;
      await older(page).waitFor({ timeout: LOAD_MILLISECONDS });
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Export" }).click();
      await page.getByRole("button", { name: /Exporting affiliates/ }).waitFor();
      await runJobs(place.context);
      const tray = page.getByRole("button", { name: "1 task finished" });
      await tray.waitFor();
      for (const viewport of [VIEWPORTS.wide, VIEWPORTS.narrow]) {
        await page.setViewportSize(viewport);
        await older(page).scrollIntoViewIfNeeded();
        await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
        await expect.poll(() => isReachable(older(page))).toBe(true);
        expect(await isReachable(tray)).toBe(true);
      }
      await checkScreen(page, "tray-above-pager");
      const other = await dashboard.open("/affiliates", { at: place, role: "admin" });
      await older(other.page).waitFor({ timeout: LOAD_MILLISECONDS });
      expect(await other.page.getByRole("button", { name: /task/ }).count()).toBe(0);
      await finish(other);
      // It has been seen: it goes when the tray is closed again.
      await tray.click();
      await page.getByRole("button", { name: "Download" }).waitFor();
      await tray.click();
      await tray.waitFor({ state: "detached" });
      await page.reload();
      await older(page).waitFor({ timeout: LOAD_MILLISECONDS });
      await expect.poll(() => tray.count()).toBe(0);
      await finish(opened);
    },
  );

  it("counts what waits in the navigation, and names the key that finds pages", async () => {
    const place = await createPlace(dashboard.database);
    const { campaign_id } = await addPartner(place.context);
    await addAffiliate(place.context, { campaign_id, email: "ann@example.com", approved: false });
    const opened = await dashboard.open("", { at: place });
    const { page } = opened;
    await page.setViewportSize({ width: 1440, height: 900 });
    const menu = page.getByRole("navigation", { name: "Menu" }).first();
    await menu.getByRole("link", { name: "Affiliates 1" }).waitFor({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Search…" }).click();
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await checkScreen(page, "palette");
    await finish(opened);
  });

  it("says to viewers what waits, and not that they must decide it", async () => {
    const place = await createPlace(dashboard.database);
    await fillPlace(place);
    const opened = await dashboard.open("", { at: place, role: "viewer" });
    const { page } = opened;
    const need = page.getByRole("link", { name: /3 applications wait for a decision/ });
    await need.waitFor({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("heading", { name: "Waiting for a decision" }).waitFor();
    expect(await need.textContent()).toContain("View");
    expect(await page.getByText("your decision").count()).toBe(0);
    await dashboard.turn(page, "/settings/team", place);
    await page.getByRole("row").filter({ hasText: "Now" }).waitFor();
    await finish(opened);
  });
});
