import { openPortal } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestClient, TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { closePage, openWatched, type WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";

const JANE = "jane@example.com";
const timeout = 2 * LOAD_MILLISECONDS;
const ANSWER = `<b>No trace of you.</b>\nشركة ${"x".repeat(300)}`;

describe.skipIf(!has_chromium)(`missing sales in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let acme: TestClient;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    acme = await addOrganization(service, "Acme");
    await acme.trpc.affiliates.create.mutate({ email: JANE, first_name: "Jane" });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A page of the portal, signed in. */
  async function open(path: string, locale: string): Promise<WatchedPage> {
    const { cookies } = await openPortal(service, JANE);
    const kept = [...cookies].map(([name, value]) => ({
      ...{ name, value, domain: "127.0.0.1", path: "/", expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: "Lax" as const },
    }));
    return await openWatched(browser, `${service.url}${path}`, {
      locale,
      storageState: { cookies: kept, origins: [] },
    });
  }

  it("takes a report, tells nothing of the customer, and shows the answer by itself", async () => {
    const { page, complaints } = await open("/portal", "en-US");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Missing sale" }).click();
    await page.getByRole("heading", { level: 1, name: "Missing sale" }).waitFor();
    await page.getByText("No reports yet").waitFor();
    await checkPortalScreen(page, "missing-sale-empty");

    await page.getByRole("button", { name: "Report sale" }).click();
    await page.getByText("Enter the customer’s email.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("email");
    await checkPortalScreen(page, "missing-sale-invalid");
    await page.keyboard.type("Kim@example.com");
    await page.getByLabel("Purchase date").fill("2099-01-01");
    await page.getByRole("textbox", { name: "How did you refer" }).fill("Order 4711");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a date that isn’t in the future.").waitFor();
    await page.getByLabel("Purchase date").fill("2026-11-20");
    await page.getByRole("button", { name: "Report sale" }).click();
    await page.getByText("We got your report").waitFor();
    await page.getByText("kim@example.com", { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel("Purchase date").inputValue()).toBe("");
    await checkPortalScreen(page, "missing-sale-reported");

    // The same day and address, with other words.
    await page.getByRole("textbox", { name: /email/ }).fill("kim@example.com");
    await page.getByLabel("Purchase date").fill("2026-11-20");
    await page.getByRole("textbox", { name: "How did you refer" }).fill("Order 4712");
    await page.getByRole("button", { name: "Report sale" }).click();
    await page.getByText("You have already reported this sale.").waitFor();

    const { organization_id } = acme;
    const [claim] = await service.database<[{ id: string }]>`select id from claims`;
    const staff = await service.staff(organization_id);
    await staff.trpc.dashboard.claims.decline.mutate({ id: claim.id, answer: ANSWER });
    await page.getByText("<b>No trace of you.</b>").waitFor({ timeout });
    await page.getByText("Your report", { exact: true }).click();
    await page.getByText("Order 4711").waitFor();
    await checkPortalScreen(page, "missing-sale-declined");
    expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("says in German how many reports are possible, and when the next one is", async () => {
    const [affiliate] = await service.database<
      [{ id: string }]
    >`select id from affiliates where email = ${JANE}`;
    const { page, complaints } = await open("/portal/missing-sale", "de-DE");
    await page.getByText("bis zu 10 Verkäufe melden").waitFor();
    await page.getByText("Abgelehnt").waitFor();
    await checkPortalScreenAgain(page, "missing-sale-de");
    // Nine more, in another browser.
    await service.database`
      insert into claims (organization_id, id, affiliate_id, email, paid_on, note, payment_known, created_at)
      select organization_id, uuidv7(), affiliate_id, number || '@example.com', paid_on, 'Wie oben', false, now()
      from claims cross join generate_series(1, 9) as number where affiliate_id = ${affiliate.id}`;
    await page.getByRole("textbox", { name: "E-Mail-Adresse" }).fill("lee@example.com");
    await page.getByLabel("Tag des Kaufs").fill("2026-11-20");
    await page.getByRole("textbox", { name: "Woran sieht man" }).fill("Bestellung 5");
    await page.getByRole("button", { name: "Verkauf melden" }).click();
    await page.getByText("Sie haben in 24 Stunden 10 Verkäufe gemeldet.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Verkauf melden" }).count()).toBe(0);
    await checkPortalScreenAgain(page, "missing-sale-limit-de");
    expect(complaints.filter((text) => !text.includes("429"))).toEqual([]);
    await closePage(page);
  });
});
