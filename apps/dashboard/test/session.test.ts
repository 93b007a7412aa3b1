/* A person without a session, and one whose session ends while a page is open. */
import type { TestService } from "@findersfee/api/testing/test-service";
import {
  has_chromium,
  LOAD_MILLISECONDS,
  launchChromium,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, type Place, startDashboard, visit } from "./program.ts";

describe.skipIf(!has_chromium)(`sessions${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let place: Place;

  beforeAll(async () => {
    service = await startDashboard();
    browser = await launchChromium();
    place = await createPlace(service.database);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const expectSignIn = async (page: Page, to: string) => {
    await page.waitForURL((url) => url.pathname === "/sign-in", { timeout: LOAD_MILLISECONDS });
    expect(new URL(page.url()).searchParams.get("to")).toBe(to);
    await page.getByRole("heading", { name: "Sign in" }).waitFor({ timeout: LOAD_MILLISECONDS });
  };

  it.each(["/", "/organizations"])(
    "sends a person without a session from %s to the sign-in",
    async (path) => {
      const { page } = await visit(browser, { service, place, path }, { role: null });
      await expectSignIn(page, path);
      await page.context().close();
    },
  );

  it("sends a person whose session ended to the sign-in", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/payments` });
    await page.getByRole("heading", { level: 1 }).waitFor({ timeout: LOAD_MILLISECONDS });
    await service.database`delete from user_sessions`;
    const statusOfMe = async () => (await page.request.get(`${service.url}/account/trpc/me.get`)).status();
    await expect.poll(statusOfMe, { timeout: LOAD_MILLISECONDS }).toBe(401);
    await page.getByRole("link", { name: "Commissions" }).first().click();
    await expectSignIn(page, `${place.home}/commissions`);
    await page.context().close();
  });
});
