import { readFile } from "node:fs/promises";
import { openPortal } from "@findersfee/api/testing/portal/affiliate-browser";
import { ENDPOINT_POLICY, type TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { type CodeKind, mailedCode } from "@findersfee/domain/portal/mailed-code";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPayees, HOSTILE, JANE, NOBODY, type Payees } from "./payees.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const timeout = 3 * LOAD_MILLISECONDS;
const OWNERS = "sign-in codes of payout emails";
const NEXT = "next@bank.example";

describe.skipIf(!has_chromium)(`settings in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let payees: Payees;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    payees = await createPayees(service.database);
  }, timeout);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (email: string, path: string, locale: string) =>
    openSignedIn({ service, browser }, { email, path, locale });

  const storedOf = async (id: string) =>
    (await service.database`select * from affiliates where id = ${id}`)[0] ?? {};

  async function mailedPayoutCode(kind: CodeKind = "payout email codes"): Promise<string> {
    const [change] = await service.database<{ id: string }[]>`
      select id from payout_email_changes order by id desc limit 1`;
    return mailedCode(ENDPOINT_POLICY.secrets_key, change?.id ?? "", kind);
  }

  async function downloaded(page: Page, name: string): Promise<{ name: string; text: string }> {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const file = await waiting;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  }

  it.runIf(FULL_TESTS)(
    "change names, mails and the language, and end sessions",
    async () => {
      await openPortal(service, JANE);
      const { page, complaints } = await open(JANE, "", "en-US");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      await page.getByText("this browser").waitFor();
      await checkPortalScreen(page, "settings");

      await page.getByRole("textbox", { name: "First name" }).fill("Janet");
      await page.getByRole("button", { name: "Save" }).press("Enter");
      await page.getByText("Saved").waitFor();
      await page.getByRole("checkbox", { name: "New paying customers" }).uncheck();
      await expect
        .poll(async () => await storedOf(payees.jane))
        .toMatchObject({ first_name: "Janet", last_name: "Doe", new_paid_referral_notifications: false });

      await page.getByRole("button", { name: "End all others" }).click();
      await page.getByText("All others are ended").waitFor();
      const [sessions] = await service.database`
      select count(*)::int as count from portal_sessions where email = ${JANE}`;
      expect(sessions?.count).toBe(1);

      // The header's switch stores the language, and another browser shows it.
      await page.getByRole("button", { name: "DE Deutsch" }).click();
      await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
      await expect.poll(() => page.getByRole("radio", { name: "Deutsch" }).isChecked()).toBe(true);
      const languageOf = async () =>
        (await service.database`select language from portal_accounts where email = ${JANE}`)[0]?.language;
      await expect.poll(languageOf).toBe("de");
      await page.getByRole("radio", { name: "English" }).click();
      await expect.poll(languageOf).toBe("en");
      await page.getByRole("radio", { name: "Deutsch" }).click();
      await expect.poll(languageOf).toBe("de");
      await checkPortalScreenAgain(page, "settings-de");
      expect(complaints).toEqual([]);
      await closePage(page);
      const other = await open(JANE, "/settings", "en-US");
      await other.page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
      await closePage(other.page);
      await service.database`delete from portal_accounts`;
    },
    timeout,
  );

  it(
    "change the payout email by a code, and not before",
    async () => {
      const { page, complaints } = await open(JANE, "/settings", "en-US");
      const payout = page.locator("section").filter({ hasText: "Payout email" });
      await payout.getByRole("button", { name: "Change" }).press("Enter");
      const field = page.getByRole("textbox", { name: "New payout email" });
      await field.waitFor();
      await page.keyboard.type("nonsense");
      await page.keyboard.press("Enter");
      await page.getByText("Enter an email such as name@example.com.").waitFor();
      await field.fill("money@jane.example");
      await page.keyboard.press("Enter");
      await page.getByText("This is already your payout email.").waitFor();
      await checkPortalScreen(page, "settings-new-address");
      await field.fill(NEXT);
      await page.keyboard.press("Enter");
      await page.getByText(`We sent a code to ${NEXT}.`).waitFor();
      const code = await mailedPayoutCode();
      const wrong = code === "111111" ? "222222" : "111111";
      const [of_address, of_sign_in] = ["Code sent to the new email", "Code sent to your sign-in email"];
      await page.getByRole("textbox", { name: of_address }).fill(wrong);
      await page.getByRole("textbox", { name: of_sign_in }).fill(await mailedPayoutCode(OWNERS));
      await page.keyboard.press("Enter");
      await page.getByText("One of the codes is wrong.").waitFor();
      await checkPortalScreen(page, "settings-code");
      expect((await storedOf(payees.jane)).payout_email).toBe("money@jane.example");
      // A reload keeps the step.
      await page.reload();
      await page.getByText(`We sent a code to ${NEXT}.`).waitFor();
      await page.getByRole("textbox", { name: of_address }).fill(code);
      await page.getByRole("textbox", { name: of_sign_in }).fill(await mailedPayoutCode(OWNERS));
      await page.keyboard.press("Enter");
      await page.getByText("Changed", { exact: true }).waitFor();
      await page.getByText(NEXT, { exact: true }).waitFor();
      expect((await storedOf(payees.jane)).payout_email).toBe(NEXT);
      await checkPortalScreenAgain(page, "settings-changed");
      await payout.getByRole("button", { name: "Use my sign-in email" }).click();
      await page.getByText("Your sign-in email, until you choose another one.").waitFor();
      expect((await storedOf(payees.jane)).payout_email).toBeNull();
      expect(complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it.runIf(FULL_TESTS)(
    "download what is stored, with hostile texts in it",
    async () => {
      const { page, complaints } = await open(HOSTILE, "/settings", "de-DE");
      await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
      await page.getByText("dieser Browser").waitFor();
      await checkPortalScreenAgain(page, "settings-hostile-de");
      const all = await downloaded(page, "Alles (JSON)");
      expect(all.name).toMatch(/^affiliate-daten-\d{4}-\d\d-\d\d\.json$/);
      expect(JSON.parse(all.text)).toMatchObject({ affiliate: { email: HOSTILE } });
      const commissions = await downloaded(page, "Einnahmen (CSV)");
      expect(commissions.name).toMatch(/\.csv$/);
      expect(commissions.text).toContain("x@customers.example");
      expect(complaints).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it.runIf(FULL_TESTS)(
    "leave a program, which then shows what is still paid",
    async () => {
      const { page, complaints } = await open(JANE, "/settings", "en-US");
      await page.getByRole("button", { name: "Erase my data" }).click();
      await page.getByText("Your balance isn’t zero").waitFor();
      await checkPortalScreen(page, "erase-refused");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Leave the program" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Leave the program?" });
      await dialog.getByText("In payout").first().waitFor();
      await dialog.getByRole("textbox").fill("joe@example.com");
      await page.keyboard.press("Enter");
      await dialog.getByText("This isn’t the email you signed in with.").waitFor();
      await checkPortalScreen(page, "leave");
      await dialog.getByRole("textbox").fill(JANE);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "You left Acme’s program" }).waitFor();
      await page.getByText("In payout").first().waitFor();
      await checkPortalScreen(page, "left");
      await page.getByRole("link", { name: "Payouts and statements" }).click();
      await page.getByRole("table").getByRole("link").last().click();
      await page.getByRole("heading", { level: 1, name: /^Statement, / }).waitFor();
      await page.getByRole("link", { name: "Payouts" }).click();
      await page.getByRole("link", { name: "Back" }).click();
      await downloaded(page, "Earnings (CSV)");
      expect(complaints).toEqual([]);
      await closePage(page);
    },
    timeout,
  );

  it.runIf(FULL_TESTS)(
    "close for a banned affiliate, who can be erased",
    async () => {
      await service.database`update affiliates set banned = true where lower(email) = ${NOBODY}`;
      const { page } = await open(NOBODY, "", "de-DE");
      await page.getByRole("heading", { name: "Acme hat Ihr Konto geschlossen" }).waitFor();
      await page.getByText("Ihnen steht nichts mehr zu.").waitFor();
      await checkPortalScreen(page, "closed-de");
      await page.getByRole("button", { name: "Meine Daten löschen" }).click();
      const dialog = page.getByRole("dialog", { name: "Ihre Daten löschen?" });
      await dialog.getByRole("textbox").fill(NOBODY);
      await checkPortalScreen(page, "erase-de");
      await dialog.getByRole("button", { name: "Meine Daten löschen" }).click();
      await page.getByRole("dialog", { name: "Ihre Daten sind gelöscht" }).waitFor();
      await checkPortalScreen(page, "erased-de");
      const [row] =
        await service.database`select count(*)::int as count from affiliates where lower(email) = ${NOBODY}`;
      expect(row?.count).toBe(0);
      await page.getByRole("button", { name: "Schließen" }).click();
      await page.getByRole("heading", { name: "Im Affiliate-Portal anmelden" }).waitFor();
      await closePage(page);
    },
    timeout,
  );
});
