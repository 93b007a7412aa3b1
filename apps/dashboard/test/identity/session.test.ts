/* A person without a session, and a session that ends while a page is open. */

import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser } from "../in-browser.ts";

describeInBrowser("sessions", (dashboard) => {
  const expectSignIn = async (page: Page, to: string) => {
    await page.waitForURL((url) => url.pathname === "/sign-in", { timeout: LOAD_MILLISECONDS });
    await expect.poll(() => new URL(page.url()).searchParams.get("to")).toBe(to);
    await page.getByRole("heading", { name: "Sign in" }).waitFor({ timeout: LOAD_MILLISECONDS });
  };

  it.each(["/", "/organizations"])(
    "sends a person without a session from %s to the sign-in",
    async (path) => {
      const { page } = await dashboard.visit(path, { role: null });
      await expectSignIn(page, path);
      expect(await page.getByText("Your session has ended").count()).toBe(0);
      await closePage(page);
    },
  );

  it("sends a person whose session ended to the sign-in", async () => {
    const { page } = await dashboard.open("/payments");
    await page.getByRole("heading", { level: 1 }).waitFor({ timeout: LOAD_MILLISECONDS });
    await dashboard.database`delete from user_sessions`;
    const statusOfMe = async () =>
      (await page.request.get(`${dashboard.service.url}/account/trpc/me.get`)).status();
    await expect.poll(statusOfMe).toBe(401);
    await page.getByRole("link", { name: "Commissions" }).first().click();
    await expectSignIn(page, `${dashboard.place.home}/commissions`);
    await page.getByText("Your session has ended, or an owner of your organization ended it.").waitFor();
    await checkScreen(page, "session-ended");
    await closePage(page);
  });
});
