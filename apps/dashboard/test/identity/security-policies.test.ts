/* The page of security policies, and what members meet whom a policy keeps out. */
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { openWatched } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createPlace } from "../program.ts";
import { makePerson, PASSWORD, typePassword } from "./people.ts";

describeInBrowser("security policies", (dashboard) => {
  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });

  it("are changed by an owner who types the password, and lead members to an authenticator app", async () => {
    const place = await createPlace(dashboard.database);
    const jane = await makePerson(dashboard.service, place, { name: "Jane Doe", role: "owner" });
    const to = encodeURIComponent(`${place.home}/settings/security`);
    const watched = await openWatched(dashboard.browser, `${dashboard.service.url}/sign-in?to=${to}`);
    const { page } = watched;
    await typePassword(page, jane.email);
    await heading(page, "Security");
    await checkScreen(page, "security-policies");
    await page.getByRole("textbox", { name: "Hours after sign-in" }).fill("12");
    await page.getByRole("checkbox", { name: "Require an authenticator app of each member" }).check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await page.getByText("Set up an authenticator app in your own account first.").waitFor();
    await page.getByRole("checkbox", { name: "Require an authenticator app of each member" }).uncheck();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved").waitFor();
    const [policy] = await dashboard.database`
      select session_hours from security_policies where organization_id = ${place.organization_id}`;
    expect(policy).toEqual({ session_hours: 12 });

    await dashboard.database`
      update security_policies set second_factor_required = true, session_hours = null
      where organization_id = ${place.organization_id}`;
    await page.reload();
    await heading(page, "Acme requires an authenticator app");
    await checkScreen(page, "second-factor-gate");
    await page.getByRole("button", { name: "Set up" }).click();
    const secret = ((await page.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
    await page.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, stepOf(new Date())));
    await page.getByRole("button", { name: "Turn on" }).click();
    // The codes stay until the person has seen them.
    const saving = page.getByRole("dialog", { name: "Save your recovery codes" });
    await saving.getByRole("button", { name: "I saved them" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await heading(page, "Security");
    // The service asked for the password, and refused the owner without an app.
    await finish(watched, ["403", "400"]);
  });
});
