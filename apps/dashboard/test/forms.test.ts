/* Input in forms: nobody else sees it, it undoes nothing that somebody else saved, and no answer is lost. */

import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner, report } from "@findersfee/domain/testing/attribution/program";
import { payment, refund } from "@findersfee/domain/testing/attribution/reported";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makePerson, typePassword } from "./identity/people.ts";
import { turnTo } from "./in-browser.ts";
import { createPlace, fillPlace, type Place, startDashboard, visit } from "./program.ts";

describe.skipIf(!has_chromium)(`forms${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let place: Place;

  beforeAll(async () => {
    service = await startDashboard();
    browser = await borrowChromium();
  });

  beforeEach(async () => {
    place = await createPlace(service.database);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Jane Doe" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor({ timeout: LOAD_MILLISECONDS });
  }

  /** Requests to an address wait until the returned function is called. */
  async function holdAnswer(page: Page, address: string | RegExp): Promise<() => void> {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(address, async (route) => {
      await answered;
      await route.continue();
    });
    return () => answer();
  }

  const hasFocus = (control: Locator) =>
    control.evaluate((element) => element === element.ownerDocument.activeElement);
  const stored = (page: Page) => page.evaluate<string>("JSON.stringify({ ...sessionStorage })");
  const nameOf = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

  it.runIf(FULL_TESTS)(
    "lead back into the application after the sign-in, whatever the address says",
    async () => {
      const { email } = await makePerson(service, place, { name: "Jane Doe", role: "owner" });
      for (const to of [
        "/%09/evil.example/x",
        "/%0A/evil.example/x",
        "//evil.example/x",
        "/%5Cevil.example/x",
      ]) {
        const { page } = await openWatched(browser, `${service.url}/sign-in?to=${to}`);
        await typePassword(page, email);
        await page.waitForURL((url) => url.pathname !== "/sign-in", { timeout: LOAD_MILLISECONDS });
        await expect.poll(() => new URL(page.url()).origin).toBe(service.url);
        await closePage(page);
      }
    },
  );

  it.runIf(FULL_TESTS)("keep a draft for the person who wrote it only", async () => {
    const path = `${place.home}/settings/organization`;
    const jane = await makePerson(service, place, { name: "Jane Doe", role: "owner" });
    const joe = await makePerson(service, place, { name: "Joe Doe", role: "owner" });
    const { page } = await openWatched(browser, `${service.url}/sign-in?to=${path}`);
    await typePassword(page, jane.email);
    await nameOf(page).fill("Secret plan");
    await page.reload();
    await page.getByText("Restored").waitFor();
    await expect.poll(() => nameOf(page).inputValue()).toBe("Secret plan");
    // The session ends elsewhere, and the next person signs in here.
    await service.database`delete from user_sessions where user_id = ${jane.user_id}`;
    await page.goto(`${service.url}/sign-in?to=${path}`);
    await typePassword(page, joe.email);
    await nameOf(page).waitFor({ timeout: LOAD_MILLISECONDS });
    await expect.poll(() => nameOf(page).inputValue()).toBe("Acme");
    expect(await stored(page)).not.toContain("Secret plan");
    await closePage(page);
  });

  it("leave nothing in the tab after the sign-out", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/settings/organization` });
    await nameOf(page).fill("Secret plan");
    await page.evaluate(`sessionStorage.setItem("token:/invitation", "secret token")`);
    await signOut(page);
    expect(await stored(page)).not.toMatch(/secret/i);
    await closePage(page);
  });

  it("save what the person changed, and undo nothing that somebody else saved meanwhile", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/settings/organization` });
    await nameOf(page).waitFor({ timeout: LOAD_MILLISECONDS });
    await service.database`
      update organizations set time_zone = 'Asia/Tokyo', support_email = 'help@example.com'
      where id = ${place.organization_id}`;
    await nameOf(page).fill("Acme Ltd");
    await page.getByRole("button", { name: "Save" }).click();
    const organization = () => service.database`
      select name, time_zone, support_email from organizations where id = ${place.organization_id}`;
    await expect.poll(organization).toMatchObject([{ name: "Acme Ltd" }]);
    expect(await organization()).toMatchObject([
      { time_zone: "Asia/Tokyo", support_email: "help@example.com" },
    ]);
    await turnTo(page, `${service.url}${place.home}/settings/payouts`);
    const days = page.getByRole("textbox", { name: "Days", exact: true });
    await days.waitFor({ timeout: LOAD_MILLISECONDS });
    await service.database`
      update organizations set payout_day = 9, minimum_payouts = '{"USD": "5000"}' where id = ${place.organization_id}`;
    await days.fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    const payouts = () => service.database`
      select hold_days, payout_day, minimum_payouts from organizations where id = ${place.organization_id}`;
    await expect.poll(payouts).toMatchObject([{ hold_days: 7 }]);
    expect(await payouts()).toMatchObject([{ payout_day: 9, minimum_payouts: { USD: "5000" } }]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "change an affiliate's note, and not the address that somebody else changed meanwhile",
    async () => {
      const { affiliate_id } = await addPartner(
        place.context,
        {},
        { payout_email: "old@example.com", details: "I write." },
      );
      const { page } = await visit(browser, {
        service,
        place,
        path: `${place.home}/affiliates/${affiliate_id}`,
      });
      await page.getByRole("button", { name: "Edit", exact: true }).click({ timeout: LOAD_MILLISECONDS });
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Note" }).fill("Met in Berlin");
      await service.database`update affiliates set payout_email = 'new@example.com' where id = ${affiliate_id}`;
      await dialog.getByRole("button", { name: "Save" }).click();
      const person = () =>
        service.database`select note, details, payout_email from affiliates where id = ${affiliate_id}`;
      await expect.poll(person).toMatchObject([{ note: "Met in Berlin", details: "I write." }]);
      expect(await person()).toMatchObject([{ payout_email: "new@example.com" }]);
      await closePage(page);
    },
  );

  it("pay a commission once that is sent again because its answer was lost", async () => {
    const { affiliate_id } = await addPartner(
      place.context,
      {},
      { email: "jane@example.com", first_name: "Jane" },
    );
    const { page } = await visit(browser, { service, place, path: `${place.home}/commissions/new` });
    await page.getByRole("button", { name: /^Affiliate/ }).click({ timeout: LOAD_MILLISECONDS });
    await page.getByPlaceholder("Search").fill("jane");
    await page.getByRole("option", { name: /jane@example.com/ }).click();
    await page.getByRole("button", { name: /^Customer/ }).click();
    await page.getByPlaceholder("Search").fill("kim@example.com");
    await page.getByRole("option", { name: /kim@example.com/ }).click();
    await page.getByRole("textbox", { name: "Amount before tax" }).fill("100");
    await page.getByRole("textbox", { name: "Commission", exact: true }).fill("30");
    // The service creates it, and the connection ends before the answer arrives.
    await page.route("**/dashboard.commissions.create", async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute("**/dashboard.commissions.create");
    });
    const create = page.getByRole("button", { name: "Create commission" });
    await create.click();
    await page.getByText("cannot be reached").waitFor();
    await create.click();
    await page.waitForURL(/commissions\/[0-9a-f-]{36}$/, { timeout: LOAD_MILLISECONDS });
    expect(await service.database`select from commissions where affiliate_id = ${affiliate_id}`).toHaveLength(
      1,
    );
    await closePage(page);
  });

  it("credit an affiliate for one of the customer's payments", async () => {
    await addPartner(place.context, {}, { email: "jane@example.com", first_name: "Jane" });
    const paid_at = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    const sale = { customer_id: "cus_1", email: "dave@example.com", revenue_minor: 4_900n };
    await report(
      place.context,
      payment({ subject: "in_1", ...sale, at: paid_at, references: ["pi_1"] }),
      refund({ subject: "re_1", amount_minor: 2_450n, at: paid_at, references: ["pi_1"] }),
    );
    const { page } = await visit(browser, { service, place, path: `${place.home}/commissions/new` });
    await page.getByRole("button", { name: /^Affiliate/ }).click({ timeout: LOAD_MILLISECONDS });
    await page.getByPlaceholder("Search").fill("jane");
    await page.getByRole("option", { name: /jane@example.com/ }).click();
    await page.getByRole("button", { name: /^Customer/ }).click();
    await page.getByPlaceholder("Search").fill("dave@example.com");
    await page.getByRole("option", { name: /New customer of this affiliate/ }).click();
    await page.getByText("This customer paid in the last 90 days").waitFor();
    await page.getByRole("radio", { name: /\$49\.00 .* in_1/ }).check();
    await page.getByText("$24.50 of $49.00 was refunded or disputed").waitFor();
    expect(await page.getByRole("textbox", { name: "Amount before tax" }).inputValue()).toBe("49");
    await page.getByRole("textbox", { name: "Commission", exact: true }).fill("24.50");
    await page.getByRole("button", { name: "Create commission" }).click();
    await page.waitForURL(/commissions\/[0-9a-f-]{36}$/, { timeout: LOAD_MILLISECONDS });
    expect(
      await service.database`
      select commission_minor::int, processor_payment_id from commissions
      where organization_id = ${place.context.organization.id}`,
    ).toMatchObject([{ commission_minor: 1_225, processor_payment_id: "in_1" }]);
    await closePage(page);
  });

  it("lead to the first wrong field, and name it", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/campaigns/new` });
    await page.setViewportSize({ width: 1440, height: 700 });
    const commission = page.getByRole("textbox", { name: "Commission", exact: true });
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Partners");
    await page.getByRole("textbox", { name: "Website" }).fill("https://example.com");
    await commission.fill("130");
    await page.getByRole("button", { name: "Create" }).click();
    const alert = page.getByRole("alert");
    await expect.poll(() => alert.textContent()).toMatch(/^Commission: /);
    await expect.poll(() => hasFocus(commission)).toBe(true);
    const { y = -1 } = (await commission.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(700);
    await closePage(page);
    // As well in a form that saves settings.
    const settings = await visit(browser, { service, place, path: `${place.home}/settings/organization` });
    const address = settings.page.getByRole("textbox", { name: "Dashboard address" });
    await address.fill("Not an address!");
    await nameOf(settings.page).fill("Acme Ltd");
    await settings.page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => hasFocus(address)).toBe(true);
    await closePage(settings.page);
  });

  it("count their unsaved changes in a bar that stays in view, and discard them", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/settings/portal` });
    await page.setViewportSize({ width: 1440, height: 700 });
    const color = page.getByRole("textbox", { name: "Brand color" });
    await color.waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await page.getByRole("button", { name: "Save changes" }).count()).toBe(0);
    await color.fill("#224466");
    await page.getByText("1 unsaved change", { exact: true }).waitFor();
    const save = page.getByRole("button", { name: "Save changes" });
    const { y = -1, height = 0 } = (await save.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(700);
    await checkScreen(page, "settings-unsaved");
    await page.getByRole("button", { name: "Discard" }).last().click();
    await save.waitFor({ state: "detached" });
    await expect.poll(() => color.inputValue()).toBe("");
    // A form without a draft.
    await turnTo(page, `${service.url}${place.home}/settings/security`);
    await page.getByRole("textbox", { name: "Hours after sign-in" }).fill("8");
    await page.getByText("1 unsaved change", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await save.waitFor({ state: "detached" });
    await closePage(page);
  });

  it("ask why a commission is voided, which its history shows, and offer nothing that changes nothing", async () => {
    await fillPlace(place);
    const { page } = await visit(browser, { service, place, path: `${place.home}/commissions?status=held` });
    await page.getByRole("row").nth(1).getByRole("link").first().click({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("button", { name: "Void…" }).click({ timeout: LOAD_MILLISECONDS });
    const dialog = page.getByRole("dialog", { name: "Void this commission" });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Bought by the affiliate.");
    await checkScreen(page, "commission-void");
    await dialog.getByRole("button", { name: "Void", exact: true }).click();
    await page.getByText("1 commission voided").waitFor();
    await page.getByRole("link", { name: "History" }).first().click();
    await page.getByText("Bought by the affiliate.").first().waitFor();
    await turnTo(page, `${service.url}${place.home}/payments?outcome=not_referred`);
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    await page.getByRole("button", { name: "Rerun attribution…" }).click();
    await page.getByText("The result would be the same.").waitFor();
    expect(await page.getByRole("button", { name: "Rerun attribution", exact: true }).count()).toBe(0);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await closePage(page);
  });

  it("take the first match of a search with Enter", async () => {
    await addPartner(place.context, {}, { email: "adam@example.com", first_name: "Adam" });
    await addPartner(place.context, { name: "Second" }, { email: "jane@example.com", first_name: "Jane" });
    const { page } = await visit(browser, { service, place, path: `${place.home}/commissions/new` });
    const field = page.getByRole("button", { name: /^Affiliate/ });
    await field.click({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("option", { name: /adam@example.com/ }).waitFor();
    // Before the answer, the options belong to the former text: nothing may be taken.
    const answer = await holdAnswer(page, /affiliates\.list.*jane/);
    await page.getByPlaceholder("Search").fill("jane");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByPlaceholder("Search").count()).toBe(1);
    answer();
    await page.getByRole("option", { name: /jane@example.com/ }).waitFor();
    await expect.poll(() => page.locator("[cmdk-item][data-selected=true]").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(() => field.textContent()).toContain("Jane");
    await closePage(page);
  });

  it("keep what is typed while a campaign is saved", async () => {
    const { campaign_id } = await addPartner(place.context);
    const { page } = await visit(browser, {
      service,
      place,
      path: `${place.home}/campaigns/${campaign_id}/portal`,
    });
    const answer = await holdAnswer(page, "**/dashboard.campaigns.update");
    const text = page.getByRole("textbox", { name: "Text in the portal" });
    await page.getByRole("textbox", { name: "Welcome message" }).fill("Welcome!");
    const sent = page.waitForRequest("**/dashboard.campaigns.update");
    await page.getByRole("button", { name: "Save changes" }).click();
    await sent;
    await text.fill("Share your link.");
    const saved = page.waitForResponse("**/dashboard.campaigns.update");
    answer();
    await saved;
    await page.getByRole("button", { name: "Save changes" }).click();
    const stored_texts = () => service.database`
      select welcome_message, dashboard_text from campaigns where id = ${campaign_id}`;
    await expect
      .poll(stored_texts)
      .toEqual([{ welcome_message: "Welcome!", dashboard_text: "Share your link." }]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("send a decision that can still be undone before the person signs out", async () => {
    const { campaign_id } = await addPartner(place.context);
    const id = await addAffiliate(place.context, { campaign_id, approved: false });
    const { page } = await visit(browser, { service, place, path: `${place.home}/affiliates/waiting` });
    await page.getByRole("button", { name: "Approve", exact: true }).click({ timeout: LOAD_MILLISECONDS });
    await page.getByText("Approving").waitFor();
    await signOut(page);
    expect(await service.database`select approved from affiliates where id = ${id}`).toEqual([
      { approved: true },
    ]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("show a new key even if somebody wants to close its dialog too early", async () => {
    const { page } = await visit(browser, { service, place, path: `${place.home}/developers/keys` });
    await page.getByRole("button", { name: "Create key" }).first().click();
    const answer = await holdAnswer(page, "**/dashboard.api_keys.create");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Shop");
    const sent = page.waitForRequest("**/dashboard.api_keys.create");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await sent;
    // At once, before the page shows that it is busy, and again.
    for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
    answer();
    await dialog.getByText(/^ff_sk_\w{43}$/).waitFor({ timeout: LOAD_MILLISECONDS });
    await closePage(page);
  });
});
