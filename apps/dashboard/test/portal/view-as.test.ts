import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { buildPortal } from "@findersfee/portal/build";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import type { WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDashboard } from "../../scripts/build.ts";
import { createPlace, fillPlace, type Place, visit } from "../program.ts";

const JANE = "jane@example.com";
const PORTAL_SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };

describe.skipIf(!has_chromium)(`the portal, viewed as an affiliate${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let place: Place;
  let jane: string;
  let waiting: string;

  beforeAll(async () => {
    service = await startTestService({}, undefined, {
      dashboard: await buildDashboard(),
      portal: await buildPortal(),
    });
    browser = await borrowChromium();
    place = await createPlace(service.database);
    await fillPlace(place);
    const { database } = service;
    const [row] = await database<[{ id: string }]>`select id from affiliates where email = ${JANE}`;
    jane = row.id;
    await database`update affiliates set agreed_at = now() where id = ${jane}`;
    const [applied] = await database<[{ id: string }]>`
      select id from affiliates where not approved and declined_at is null and not banned and erased_at is null
      limit 1`;
    waiting = applied.id;
    await database`
      insert into portal_accounts (email, language) values (${JANE}, 'de') on conflict (email) do nothing`;
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (id: string) => {
    const opened = await visit(browser, { service, place, path: `${place.home}/affiliates/${id}` });
    await opened.page.getByRole("button", { name: "View as affiliate" }).focus();
    await opened.page.keyboard.press("Enter");
    return opened;
  };

  const banner = (page: Page) =>
    page.getByRole("region", { name: /View of an affiliate’s portal|Ansicht des Portals/ });

  it.runIf(FULL_TESTS)(
    "shows every page of an active affiliate in its language, and changes nothing",
    async () => {
      const { page, complaints }: WatchedPage = await open(jane);
      await banner(page).getByText(`Portal von ${JANE}`).waitFor();
      await page.getByRole("heading", { level: 1, name: "Übersicht" }).waitFor();
      await expect.poll(() => page.url()).toBe(`${service.url}/portal/view`);
      expect(await page.context().cookies()).toHaveLength(1);
      await checkScreen(page, "view-home", PORTAL_SIZES);

      for (const [place_name, title] of [
        ["Einnahmen", "Einnahmen"],
        ["Auszahlungen", "Auszahlungen"],
      ] as const) {
        await page.getByRole("link", { name: place_name, exact: true }).first().click();
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
        await banner(page).waitFor();
      }
      await page.getByRole("button", { name: "Menü" }).first().click();
      await expect.poll(() => page.getByRole("button", { name: "Abmelden" }).isDisabled()).toBe(true);
      await page.getByRole("link", { name: "Einstellungen" }).click();
      await page.getByRole("button", { name: "Speichern" }).waitFor();
      const enabled = "document.querySelectorAll('main button:enabled, main input:enabled').length";
      await expect.poll(() => page.evaluate(enabled)).toBe(0);
      await checkScreenAgain(page, "view-settings", PORTAL_SIZES);

      // The choice is the reader's own.
      await page.getByRole("button", { name: "EN English" }).click();
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      const [account] = await service.database`select language from portal_accounts where email = ${JANE}`;
      expect(account).toEqual({ language: "de" });
      // A page that is loaded again is in the affiliate's language.
      await page.goto(`${service.url}/portal/view/missing-sale`);
      await page.getByRole("button", { name: "Verkauf melden" }).waitFor();
      await expect.poll(() => page.evaluate(enabled)).toBe(0);
      await checkScreenAgain(page, "view-missing-sale", PORTAL_SIZES);

      await banner(page).getByRole("button", { name: "Schließen" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "View as affiliate" }).waitFor();
      await expect.poll(() => page.url()).toBe(`${service.url}${place.home}/affiliates/${jane}`);
      expect(await service.database`select from portal_sessions`).toHaveLength(0);
      await page.goto(`${service.url}/portal/view`);
      await page.getByRole("heading", { name: /This view has ended|Diese Ansicht ist beendet/ }).waitFor();
      await checkScreen(page, "view-ended", PORTAL_SIZES);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it("says that a person who has not agreed sees only an invitation", async () => {
    const [{ id }] = await service.database<[{ id: string }]>`
      select id from affiliates where email = 'arabic@example.com'`;
    const { page, complaints } = await open(id);
    await banner(page).getByText("So far, the person sees an invitation.").waitFor();
    await checkScreenAgain(page, "view-not-agreed", PORTAL_SIZES);
    await page.reload();
    await banner(page).getByText("So far, the person sees an invitation.").waitFor();
    await service.database`update affiliates set agreed_at = now() where id = ${id}`;
    await banner(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "View as affiliate" }).click();
    await banner(page).getByText("Read-only, as staff of Acme").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows a banned affiliate the reason that staff gave, as plain text", async () => {
    const reason = "Ads on our <b>name</b>.";
    const { page, complaints } = await visit(browser, {
      service,
      place,
      path: `${place.home}/affiliates/${jane}`,
    });
    await page.getByRole("button", { name: "Ban…" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill(reason);
    await checkScreen(page, "ban-dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
    await page.getByText("Ban reason").waitFor();
    await page.getByText(reason, { exact: true }).waitFor();
    await page.getByRole("button", { name: "View as affiliate" }).click();
    await page.getByRole("heading", { name: "Acme hat Ihr Konto geschlossen" }).waitFor();
    await page.getByText(reason).waitFor();
    await checkScreenAgain(page, "view-banned", PORTAL_SIZES);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.runIf(FULL_TESTS)("shows the page of an affiliate who waits, until the member signs out", async () => {
    const { page } = await open(waiting);
    await banner(page).waitFor();
    await page.getByRole("button", { name: /^(Edit|Bearbeiten)$/ }).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: /^(Edit|Bearbeiten)$/ }).isDisabled())
      .toBe(true);
    await checkScreenAgain(page, "view-waiting", PORTAL_SIZES);
    await service.database`delete from user_sessions`;
    await page.getByRole("heading", { name: "This view has ended" }).waitFor();
    await page.getByRole("link", { name: "To the dashboard" }).waitFor();
    await page.context().close();
  });
});
