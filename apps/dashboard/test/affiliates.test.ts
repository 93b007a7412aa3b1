import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { axeProblems } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { fillPlace } from "./program.ts";

describeInBrowser("the affiliates in a browser", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  const { open } = dashboard;

  async function expectPath(page: Page, part: string): Promise<void> {
    await expect.poll(() => page.url(), { timeout: LOAD_MILLISECONDS / 6 }).toContain(part);
  }

  it("finds affiliates by keys alone, and keeps the search in the address", async () => {
    const { page, complaints } = await open("/payments", { role: "viewer" });
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { level: 1, name: "Affiliates" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("JANE D");
    await page.keyboard.press("Enter");
    await expectPath(page, "text=JANE+D");
    await expect.poll(() => page.getByRole("row").count(), { timeout: LOAD_MILLISECONDS }).toBe(2);
    await page.getByRole("row").filter({ hasText: "jane@example.com" }).waitFor();
    await page.getByText("Max Roe").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("filters by status, and says what nothing matches", async () => {
    const { page, complaints } = await open("/affiliates");
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Waiting" }).click();
    await expectPath(page, "status=waiting");
    await expect.poll(() => page.getByRole("row").count(), { timeout: LOAD_MILLISECONDS }).toBe(4);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Email, name, code" }).fill("nobody@");
    await page.getByText("No affiliate matches “nobody@”").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("jane@example.com").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("says that the rows cannot be loaded, and tries again", async () => {
    const { page } = await open("/affiliates");
    await page.getByText("jane@example.com").waitFor();
    await page.route("**/trpc/dashboard.affiliates.list*", (route) =>
      route.fulfill({ status: 500, contentType: "text/plain", body: "" }),
    );
    await page.goto(`${page.url()}?status=banned`);
    await page.getByRole("alert").waitFor();
    await page.unroute("**/trpc/dashboard.affiliates.list*");
    await page.getByRole("alert").getByRole("button").last().click();
    await page.getByText("No affiliate matches").waitFor();
    await page.context().close();
  });
});
