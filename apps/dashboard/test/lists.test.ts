/* The features of all lists: columns to choose, a custom period, selection on phones, and their states. */

import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { VIEWPORTS } from "@findersfee/ui/testing/chromium";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { report } from "./customers/claims.ts";
import { describeInBrowser, finish } from "./in-browser.ts";
import { fillPlace } from "./program.ts";

describeInBrowser("lists", (dashboard) => {
  beforeAll(async () => {
    await fillPlace(dashboard.place);
    await report(dashboard.place, { email: "customer7@example.com", days: 1 });
  });

  const { open, openInTab } = dashboard;

  const header = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });

  it.runIf(FULL_TESTS)("keeps the columns that one chooses, and returns to the default", async () => {
    const watched = await openInTab("/commissions");
    const { page } = watched;
    await header(page, "Rule").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    const saved = page.waitForResponse((response) => response.url().includes("me.update_preferences"));
    await page.getByRole("menuitemcheckbox", { name: "Rule" }).click();
    await header(page, "Rule").waitFor({ state: "detached" });
    expect((await saved).status()).toBe(200);
    await page.reload();
    await header(page, "Revenue").waitFor();
    await expect.poll(() => header(page, "Rule").count()).toBe(0);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitem", { name: "Default columns" }).click();
    await header(page, "Rule").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "shows the day of each affiliate's last click in a column that one chooses",
    async () => {
      const { organization_id } = dashboard.place;
      await dashboard.database`
      insert into daily_totals (organization_id, generation, currency, day, affiliate_id, clicks, signups, conversions,
        revenue_minor, commission_minor, lost_minor)
      select organization_id, 1, 'XXX', '2026-02-03', id, 4, 0, 0, 0, 0, 0 from affiliates
      where organization_id = ${organization_id} and email = 'jane@example.com'`;
      const watched = await openInTab("/affiliates");
      const { page } = watched;
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("menuitemcheckbox", { name: "Last click" }).click();
      await header(page, "Last click").waitFor();
      await page.keyboard.press("Escape");
      await page
        .getByRole("row")
        .filter({ hasText: "jane@example.com" })
        .getByText(/^Feb 3/)
        .waitFor();
      await page.getByRole("row").filter({ hasText: "max@example.com" }).getByText("—").first().waitFor();
      await checkScreen(page, "affiliates-last-click");
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("shows a period from one day to another, which the address has", async () => {
    const watched = await openInTab("/payments");
    const { page } = watched;
    await page.getByText("customer1@example.com").waitFor();
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    await page.getByRole("button", { name: "Period" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Custom range…" }).click();
    const dialog = page.getByRole("dialog", { name: "Period" });
    await dialog.getByLabel("First day").fill(day(10));
    await dialog.getByLabel("Last day").fill(day(30));
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("The last day cannot be before the first.").waitFor();
    await dialog.getByLabel("First day").fill(day(30));
    await dialog.getByLabel("Last day").fill(day(10));
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("customer4@example.com").waitFor({ state: "detached" });
    await page.getByText("customer3@example.com").waitFor();
    await expect.poll(() => page.getByText("customer1@example.com").count()).toBe(0);
    await expect.poll(() => new URL(page.url()).searchParams.get("period")).toBe(`${day(30)}..${day(10)}`);
    await page.reload();
    await page.getByText("customer3@example.com").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("selects rows on a phone", async () => {
    const watched = await open("/commissions", { viewport: VIEWPORTS.narrow });
    const { page } = watched;
    const boxes = page.getByRole("checkbox", { name: "Select Jane Doe", exact: true });
    const select = page.getByRole("button", { name: "Select", exact: true });
    await select.waitFor();
    await expect.poll(() => boxes.count()).toBe(0);
    await select.click();
    await boxes.first().check();
    await page.getByText("1 selected").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("1 selected").waitFor({ state: "detached" });
    await finish(watched);
  });

  it("saves a view of filters, shows, renames and deletes it", async () => {
    const watched = await openInTab(
      "/affiliates?status=active&sort=earned&after=0:00000000-0000-0000-0000-000000000000",
    );
    const { page } = watched;
    const menu = (name: string) => page.getByRole("button", { name, exact: true });
    const choose = (name: string) => page.getByRole("menuitem", { name, exact: true }).click();
    await menu("Views").click();
    await choose("Save this view…");
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByLabel("Name").fill("Best partners with a name that is long enough to be cut");
    await checkScreen(page, "affiliates-save-view");
    await dialog.getByRole("button", { name: "Save" }).click();
    await menu("Best partners with a name that is long enough to be cut").waitFor();
    await checkScreen(page, "affiliates-view");

    await menu("Best partners with a name that is long enough to be cut").click();
    await choose("Rename “Best partners with a name that is long enough to be cut”…");
    const renaming = page.getByRole("dialog", { name: "Rename view" });
    await renaming.getByLabel("Name").fill("Best partners");
    await renaming.getByRole("button", { name: "Rename" }).click();
    await menu("Best partners").click();
    await choose("All rows");
    await menu("Views").click();
    await page.getByRole("menuitemcheckbox", { name: "Best partners" }).click();
    await menu("Best partners").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?sort=earned&status=active");

    // Another filter is another view, and needs another name.
    await page.getByRole("button", { name: "Status" }).first().click();
    await page.getByRole("menuitemcheckbox", { name: "Banned" }).click();
    await menu("Views").click();
    await choose("Save this view…");
    await dialog.getByLabel("Name").fill("best partners");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("You have a view of this list with this name. Choose another name.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await menu("Views").click();
    await page.getByRole("menuitemcheckbox", { name: "Best partners" }).click();
    await menu("Best partners").click();
    await choose("Delete “Best partners”");
    await page.getByText("“Best partners” was deleted.").waitFor();
    await menu("Views").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await menu("Best partners").waitFor();
    await page.reload();
    await menu("Best partners").waitFor();
    await finish(watched, ["409"]);
  });

  it.each([
    ["the history", "/settings/history?kind=affiliate"],
    ["the next run", "/payouts/next?part=held"],
  ])("saves a view of %s", async (name, path) => {
    const watched = await openInTab(path);
    const { page } = watched;
    const menu = page.getByRole("main").getByRole("button", { name: "Views", exact: true });
    await menu.click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByLabel("Name").fill(`Of ${name}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await checkScreenAgain(page, `view-of-${name.replaceAll(" ", "-")}`);
    await page.getByRole("button", { name: `Of ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: "All rows" }).click();
    await menu.waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await finish(watched);
  });

  it.each([
    ["referrals", "/referrals"],
    ["payments", "/payments"],
    ["claims", "/claims"],
    ["events", "/developers/events"],
  ])("exports the rows of a list that match its filters: %s", async (list, path) => {
    const watched = await openInTab(path);
    const { page } = watched;
    const sent = page.waitForRequest((request) => request.url().includes(`dashboard.${list}.export`));
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await (await sent).response();
    const { organization_id } = dashboard.place;
    const finished = () => dashboard.database`
        select id from jobs where organization_id = ${organization_id} and kind = ${`${list}_export`}`;
    await expect.poll(async () => (await finished()).length).toBe(1);
    await finish(watched);
  });

  it("shows placeholders for rows until the first page arrives", async () => {
    const watched = await openInTab("/payments");
    const { page } = watched;
    // Another test may have loaded the rows.
    await page.reload({ waitUntil: "networkidle" });
    let release = () => {};
    const arrived = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/trpc/dashboard.commissions.list*", async (route) => {
      await arrived;
      await route.continue();
    });
    await page.getByRole("link", { name: "Commissions" }).first().click();
    await page.getByRole("status", { name: "Loading…" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    release();
    await page.getByText("customer4@example.com").first().waitFor();
    await finish(watched);
  });
});
