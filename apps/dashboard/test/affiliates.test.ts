import type { TestService } from "@findersfee/api/testing/test-service";
import {
  has_chromium,
  LOAD_MILLISECONDS,
  launchChromium,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { axeProblems } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, fillPlace, type Place, startDashboard, type Visit, visit } from "./program.ts";

let service: TestService;
let browser: Browser;
let place: Place;

describe.skipIf(!has_chromium)(`the affiliates in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startDashboard();
    browser = await launchChromium();
    place = await createPlace(service.database);
    await fillPlace(place);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, options: Visit = {}) =>
    visit(browser, { service, place, path: `${place.home}${path}` }, options);

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
    await expect.poll(() => page.getByRole("row").count(), { timeout: LOAD_MILLISECONDS }).toBe(2);
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
