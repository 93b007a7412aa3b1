/* The results of an affiliate's links: on a phone and a wide screen, in both languages, and without data. */
import { readFile } from "node:fs/promises";
import type { TestService } from "@findersfee/api/testing/test-service";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, HOSTILE, JANE, NOBODY } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const PATH = "/earnings/performance";
const PHONE = { width: 390, height: 844 };

describe.skipIf(!has_chromium)(`an affiliate's performance${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    const { context } = await createEarners(service.database);
    // Rows that were reported late are read as such, and not from totals.
    await service.database`
      update total_seals set sealed_until = date_trunc('hour', now(), 'UTC') - interval '90 days'
      where organization_id = ${context.organization.id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (email: string, path = PATH, locale = "en-US") =>
    openSignedIn({ service, browser }, { email, path, locale });

  const namesOf = async (page: Page, table: string) => {
    await page.getByRole("table", { name: table }).waitFor();
    return await page.getByRole("table", { name: table }).getByRole("rowheader").allTextContents();
  };

  it("shows on a phone what each sub-id brought, by the order that is chosen", async () => {
    const { page, complaints } = await open(JANE, "");
    await page.setViewportSize(PHONE);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`${service.url}/portal${PATH}`)})`);
    await page.getByRole("heading", { level: 1, name: "Performance" }).waitFor();
    await page.getByRole("link", { name: "Sub-ids" }).click();
    await page.getByRole("combobox", { name: "Period" }).selectOption("All time");
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("Commissions");
    await page.waitForURL(/by=sub_id.*sort=commission_amount/);
    await expect.poll(async () => (await namesOf(page, "Sub-ids")).sort()).toContain("newsletter");
    await page.getByRole("textbox", { name: "Sub-id" }).fill("video");
    await expect.poll(() => namesOf(page, "Sub-ids")).toEqual(["video-12"]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^video-12,/);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("fits all widths, with lines of chosen rows", async () => {
    const { page, complaints } = await open(JANE, `${PATH}?by=sub_id`);
    await page.getByRole("checkbox", { name: "Show newsletter in the chart" }).click();
    await page.getByText("Rows in the chart: 1").waitFor();
    await checkPortalScreen(page, "performance");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("is complete in German", async () => {
    const { page, complaints } = await open(JANE, `${PATH}?by=visitor_country&period=all_time`, "de-DE");
    await page.getByText(/^Keine Zeile hat ein Land/).waitFor();
    await expect.poll(() => namesOf(page, "Länder der Besucher")).toEqual(["Land unbekannt"]);
    await checkPortalScreenAgain(page, "performance-de");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("fits without data, and with amounts of any length", async () => {
    const nobody = await open(NOBODY);
    await nobody.page.getByText("No activity in this period").waitFor();
    await checkPortalScreenAgain(nobody.page, "performance-empty");
    expect(nobody.complaints).toEqual([]);
    await closePage(nobody.page);
    const hostile = await open(HOSTILE, `${PATH}?by=sub_id`);
    await hostile.page.getByRole("checkbox", { name: /ssss/ }).waitFor();
    await checkPortalScreenAgain(hostile.page, "performance-hostile");
    expect(hostile.complaints).toEqual([]);
    await closePage(hostile.page);
  });
});
