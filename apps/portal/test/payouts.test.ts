import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { showsAmountsWhole } from "@findersfee/ui/testing/cut-amounts";
import { takePicture } from "@findersfee/ui/testing/screens";
import { closePage, fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BILLIONS, BILLIONS_NAME, createPayees, HOSTILE, JANE, LINES, NOBODY } from "./payees.ts";
import { readPdf } from "./pdf.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const timeout = 3 * LOAD_MILLISECONDS;
const A4_POINTS = "[0 0 594.95996 841.91998]";

describe.skipIf(!has_chromium)(`payouts in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    await createPayees(service.database);
  }, timeout);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (email: string, path: string, locale: string) =>
    openSignedIn({ service, browser }, { email, path, locale });

  async function print(page: Page, name: string): Promise<{ file: Buffer; pages: string[] }> {
    await page.emulateMedia({ colorScheme: "dark" });
    const file = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    const folder = process.env.SCREEN_PICTURES;
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.pdf`), file);
    }
    return { file, pages: readPdf(file) };
  }

  it(
    "are listed, and each has a statement with all that it pays for, which prints on A4",
    async () => {
      const { page, complaints } = await open(JANE, "", "en-US");
      await page.getByRole("link", { name: "Payouts" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
      const rows = page.getByRole("table").getByRole("row");
      await rows.nth(3).waitFor();
      await expect.poll(() => rows.count()).toBe(4);
      await checkPortalScreen(page, "payouts");
      const first = page.getByRole("row").filter({ hasText: String(LINES) });
      await expect.poll(() => first.textContent()).toMatch(/Paid on [A-Z]/);
      await first.getByRole("link").press("Enter");
      await page.getByRole("heading", { level: 1, name: /^Statement, / }).waitFor();
      const lines = page.locator("tbody tr");
      await page.getByText("and 120 more lines, included in the total").waitFor();
      await checkPortalScreen(page, "statement-long");
      await page.getByRole("button", { name: `Show all ${LINES} lines` }).click();
      await expect.poll(() => lines.count()).toBe(LINES);
      // 30 % of each, rounded to cents: the sum equals the sum of the lines.
      const cents = Array.from({ length: LINES }, (_, number) => Math.round((4900 + number) * 0.3));
      const sum = (cents.reduce((all, one) => all + one, 0) / 100).toLocaleString("en", {
        style: "currency",
        currency: "USD",
      });
      await expect.poll(() => page.locator("tfoot").textContent()).toContain(sum);
      const shown = await page.evaluate(
        "[...document.querySelectorAll('tbody tr td:last-child')].reduce((sum, cell) => sum + Math.round(Number(cell.textContent.replace('$', '')) * 100), 0)",
      );
      expect(shown).toBe(cents.reduce((all, one) => all + one, 0));

      const { file, pages } = await print(page, "statement-long");
      expect(file.toString("latin1")).toContain(`/MediaBox ${A4_POINTS}`);
      expect(pages.length).toBeGreaterThan(15);
      expect(pages.length).toBeLessThan(30);
      for (const text of pages) {
        // The head of the table, and the number of the page; no navigation.
        expect(text).toContain("Customer");
        expect(text).toContain(`/ ${pages.length}`);
        expect(text).not.toContain("Earnings");
      }
      expect(pages.at(0)).toContain("money@jane.example");
      expect(pages.filter((text) => text.includes(sum)).length).toBeLessThanOrEqual(2);
      expect(pages.at(-1)).toContain(sum);
      const customers = pages.join("").split("kim@customers.example").length - 1;
      expect(customers).toBe(LINES);
      expect(complaints).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it(
    "show amounts of a billion whole, in lists and on paper",
    async () => {
      const { page, complaints } = await open(BILLIONS, "/payouts", "en-US");
      await page.getByRole("table").getByRole("link").nth(2).waitFor();
      const check = async (name: string) => {
        for (const width of [1440, 1000, 800, 720, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await fitsWindow(page, `${name} ${width} pixels wide`);
          await showsAmountsWhole(page);
          await takePicture(page, `${name}-${width}`);
        }
      };
      await check("large-payouts");
      await page.getByRole("link", { name: "Earnings" }).first().click();
      await page.getByRole("table").getByRole("link").nth(2).waitFor();
      await check("large-earnings");
      await page.goBack();
      await page.getByRole("table").getByRole("link").nth(2).click();
      await page.getByRole("heading", { level: 1, name: /^Statement, / }).waitFor();
      await page.locator("tfoot").waitFor();
      await check("large-statement");
      // A4 in the margins of the page.
      await page.setViewportSize({ width: 673, height: 978 });
      await page.emulateMedia({ media: "print" });
      await fitsWindow(page, "a printed statement");
      await showsAmountsWhole(page);
      await takePicture(page, "large-printed");
      const name = page.getByText(BILLIONS_NAME, { exact: true });
      expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
      const [printed = ""] = (await print(page, "large-statement")).pages;
      expect(printed).toContain("1,234,567,89");
      expect(complaints).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it.runIf(FULL_TESTS)(
    "are German in German, with the reversal of a refunded commission",
    async () => {
      const { page, complaints } = await open(JANE, "/payouts", "de-DE");
      await page.getByRole("heading", { level: 1, name: "Auszahlungen" }).waitFor();
      await checkPortalScreenAgain(page, "payouts-de");
      await page.getByRole("row").filter({ hasText: "255,30" }).getByRole("link").click();
      await page.getByRole("heading", { level: 1, name: /^Abrechnung / }).waitFor();
      await page.getByText("Rückbuchung einer Provision, die schon ausgezahlt war").waitFor();
      await checkPortalScreenAgain(page, "statement-de");
      const { pages } = await print(page, "statement-de");
      expect(pages).toHaveLength(1);
      // 270.00 for the new one, less 14.70.
      expect(pages[0]).toMatch(/255,30\s€?\$?/);
      expect(pages[0]).toMatch(/\d{1,2}\. [A-Z][a-zä]+\.? \d{4}/);
      expect(pages[0]).toContain("−14,70");
      expect(complaints).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it.runIf(FULL_TESTS)(
    "take hostile names, and have an empty page",
    async () => {
      const { page, complaints } = await open(HOSTILE, "/payouts", "en-US");
      await page.getByRole("table").getByRole("link").click();
      await page.getByRole("heading", { level: 1, name: /^Statement, / }).waitFor();
      await checkPortalScreenAgain(page, "statement-hostile");
      expect((await print(page, "statement-hostile")).pages).toHaveLength(1);
      expect(complaints).toEqual([]);
      await closePage(page);
      const nobody = await open(NOBODY, "/payouts", "de-DE");
      await nobody.page.getByText("Noch keine Auszahlungen").waitFor();
      await checkPortalScreenAgain(nobody.page, "payouts-empty-de");
      await nobody.page.goto(`${service.url}/portal/payouts/00000000-0000-7000-8000-000000000000`);
      await nobody.page.getByText("Das gibt es nicht oder nicht mehr.").waitFor();
      await closePage(nobody.page);
    },
    timeout,
  );
});
