import { axeProblems } from "@findersfee/ui/testing/axe";
import { VIEWPORTS } from "@findersfee/ui/testing/chromium";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { fillPlace } from "./program.ts";

describeInBrowser("the search of all records", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  const { open, openInTab } = dashboard;
  const fieldOf = (page: Page) => page.getByRole("combobox", { name: "Search" });

  async function openByKey(page: Page, key: string): Promise<void> {
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press(key);
    await fieldOf(page).waitFor();
  }

  it("opens by a slash on a page without a search field, and Enter takes the first match at once", async () => {
    const watched = await openInTab("/settings/team");
    const { page } = watched;
    await openByKey(page, "/");
    await page.keyboard.type("jane@");
    // The answer is not there yet.
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Jane Doe" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await finish(watched);
  });

  it("leaves the slash to the search field of a list", async () => {
    const watched = await openInTab("/affiliates");
    const { page } = watched;
    const field = page.getByRole("search").getByRole("textbox");
    await field.waitFor();
    await page.keyboard.press("/");
    await expect
      .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    await finish(watched);
  });

  it("finds pages and records, and the arrow keys move", async () => {
    const watched = await openInTab("/settings/team");
    const { page } = watched;
    await openByKey(page, "Control+k");
    await page.keyboard.type("customer7@");
    const options = page.getByRole("option");
    await options.filter({ hasText: "$49.00" }).first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const groups = await page.getByRole("dialog").locator("[cmdk-group-heading]").allTextContents();
    expect(groups).toContain("Payments");
    await fieldOf(page).fill("pay");
    await expect.poll(() => options.first().textContent()).toContain("Payments");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByRole("option", { selected: true }).textContent()).toContain("Payouts");
    await fieldOf(page).fill("no such thing");
    await page.getByRole("status").filter({ hasText: "Nothing matches" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await finish(watched);
  });

  it("opens a match in a new tab with Ctrl+Enter", async () => {
    const watched = await openInTab("/settings/team");
    const { page } = watched;
    await openByKey(page, "Control+k");
    await page.keyboard.type("jane@");
    await page.getByRole("option", { selected: true }).filter({ hasText: "Jane Doe" }).waitFor();
    const opened = page.context().waitForEvent("page");
    await page.keyboard.press("Control+Enter");
    const other = await opened;
    await expect.poll(() => other.url()).toContain("/affiliates/");
    expect(page.url()).toContain("/settings/team");
    await other.close();
    await finish(watched);
  });

  it("says that a request failed", async () => {
    const watched = await openInTab("/settings/team");
    const { page } = watched;
    await page.route(/search\.find/, (route) => route.abort());
    await openByKey(page, "Control+k");
    await page.keyboard.type("unasked");
    await page.getByText("The search failed.").waitFor();
    await page.unroute(/search\.find/);
    await finish(watched, ["ERR_FAILED"]);
  });

  it("fits a phone", async () => {
    const watched = await open("/settings/team", { viewport: VIEWPORTS.narrow });
    const { page } = watched;
    await openByKey(page, "Control+k");
    await page.keyboard.type("jane");
    await page.getByRole("option").filter({ hasText: "jane@example.com" }).first().waitFor();
    await fitsWindow(page);
    expect(await axeProblems(page)).toEqual([]);
    await finish(watched);
  });
});
