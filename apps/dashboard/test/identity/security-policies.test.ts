/* The page of security policies, and what members meet whom a policy keeps out. */

import { upsertSecurityPolicy } from "@findersfee/database/identity/security-policies";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { stepOf, totpCode } from "@findersfee/domain/identity/second-factor/totp";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { openWatched } from "@findersfee/ui/testing/watched-page";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { createOwing } from "../payouts/payouts.ts";
import { createPlace } from "../program.ts";
import { makePerson, PASSWORD, typePassword } from "./people.ts";

describeInBrowser("security policies", (dashboard) => {
  const heading = (page: Page, name: string) =>
    page.getByRole("heading", { level: 1, name }).waitFor({ timeout: LOAD_MILLISECONDS });

  /** The hint and the error of a field. */
  const describedBy = (field: Locator) =>
    field.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id: string) => element.ownerDocument.getElementById(id)?.textContent ?? "")
        .join(" "),
    );

  it("are changed by an owner who types the password, and lead members to an authenticator app", async () => {
    const place = await createPlace(dashboard.database);
    const jane = await makePerson(dashboard.service, place, { name: "Jane Doe", role: "owner" });
    const to = encodeURIComponent(`${place.home}/settings/security`);
    const watched = await openWatched(dashboard.browser, `${dashboard.service.url}/sign-in?to=${to}`);
    const { page } = watched;
    await typePassword(page, jane.email);
    await heading(page, "Security");
    await checkScreen(page, "security-policies");
    const keys = page.getByRole("textbox", { name: "For secret API keys" });
    await keys.fill("192.0.2.0/24\n192.0.2.0/99");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await expect.poll(() => describedBy(keys)).toContain("Line 2: Must be an address or a network");
    await checkScreen(page, "security-policies-refused");
    await keys.fill("");
    const amounts = page.getByRole("textbox", { name: "Amounts" });
    await page.getByRole("checkbox", { name: "Require approval for large payout runs" }).check();
    for (const [typed, message] of [
      ["0.5 JPY", "JPY: Has more decimals than JPY."],
      ["many", "“many” is not an amount"],
    ] as const) {
      await amounts.fill(typed);
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect.poll(() => describedBy(amounts)).toContain(message);
    }
    await checkScreen(page, "security-policies-amounts");
    await amounts.fill("");
    await page.getByRole("checkbox", { name: "Require approval for large payout runs" }).uncheck();
    await page.getByRole("textbox", { name: "Hours after sign-in" }).fill("12");
    await page.getByRole("checkbox", { name: "Require an authenticator app for every member" }).check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Set up an authenticator app in your own account first.").waitFor();
    await page.getByRole("checkbox", { name: "Require an authenticator app for every member" }).uncheck();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
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

  it.runIf(FULL_TESTS)("keep sessions and networks out, and payout runs waiting", async () => {
    const place = await createOwing(dashboard.database);
    const { context, home, organization_id } = place;
    const kim = await makePerson(dashboard.service, place, { name: "Kim Roe", role: "admin" });
    const policy = {
      second_factor_required: false,
      session_hours: null,
      idle_minutes: null,
      key_networks: [],
      staff_networks: [],
      approval_amounts: { USD: "1" },
    };
    await upsertSecurityPolicy(dashboard.database, organization_id, policy);
    const starter = { ...context, actor: { kind: "user" as const, id: kim.user_id } };
    const { id } = await startPayoutRun(starter, { method: "manual" });
    const watched = await dashboard.open(`/payouts/runs/${id}`, { at: place });
    const { page } = watched;
    await page.getByText("Awaiting approval").first().waitFor();
    await checkScreen(page, "payout-run-waiting");
    await page.getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("dialog").waitFor();
    await checkScreen(page, "payout-run-approve");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Decline…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Too early");
    await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await page.getByText("Too early").waitFor();
    await checkScreen(page, "payout-run-declined");

    await upsertSecurityPolicy(dashboard.database, organization_id, {
      ...policy,
      staff_networks: ["192.0.2.0/24"],
    });
    const again = page.getByRole("button", { name: "Try again" });
    // The service remembers a session with its policies for a second.
    await expect
      .poll(async () => {
        await page.goto(`${dashboard.service.url}${home}`, { waitUntil: "networkidle" });
        return await again.isVisible();
      })
      .toBe(true);
    await checkScreen(page, "network-not-allowed");
    await upsertSecurityPolicy(dashboard.database, organization_id, { ...policy, session_hours: 1 });
    await dashboard.database`
      update user_sessions set created_at = created_at - interval '2 hours' where user_id in (
        select user_id from members where organization_id = ${organization_id})`;
    const sign_in = page.getByRole("button", { name: "Sign in" });
    await expect
      .poll(async () => {
        if (await again.isVisible()) await again.click({ timeout: 2_000 });
        return await sign_in.isVisible();
      })
      .toBe(true);
    await checkScreen(page, "session-limited");
    await finish(watched, ["403"]);
  });
});
