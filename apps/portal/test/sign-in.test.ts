import { agreeToAll, mailedTo } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";

const JANE = "jane@example.com";
const MAX = "max@example.com";

describe.skipIf(!has_chromium)(`the sign-in${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    const acme = await addOrganization(service, "Acme");
    const globex = await addOrganization(service, "Globex");
    await acme.trpc.affiliates.create.mutate({ email: JANE });
    await globex.trpc.affiliates.create.mutate({ email: JANE });
    const waiting = await acme.trpc.affiliates.create.mutate({ email: MAX });
    await service.database`update affiliates set approved = false where id = ${waiting.id}`;
    for (const email of [JANE, MAX]) await agreeToAll(service, email);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, locale: string) => openWatched(browser, `${service.url}${path}`, { locale });

  const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

  it("takes the mailed code, by the keyboard alone", async () => {
    const { page, complaints } = await open("/portal", "en-US");
    await page.getByRole("heading", { name: "Sign in to your affiliate portal" }).waitFor();
    await checkPortalScreen(page, "sign-in");
    await page.keyboard.type("jane");
    await page.keyboard.press("Enter");
    await page.getByText("Enter an email such as name@example.com.").waitFor();
    await page.keyboard.type("@example.com");
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Six-digit code" });
    await field.waitFor();
    const { code } = await mailedTo(service, JANE);
    const wrong = code === "111111" ? "222222" : "111111";
    await page.keyboard.type(wrong);
    await page.getByText("This code is wrong.").waitFor();
    await checkPortalScreen(page, "sign-in-wrong-code");
    // A reload keeps the step.
    await page.reload();
    await field.waitFor();
    await page.keyboard.insertText(` ${code.slice(0, 3)} ${code.slice(3)} `);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await expect.poll(() => focused(page)).toBe("Home");
    await checkPortalScreenAgain(page, "home");
    const unexpected = complaints.filter((text) => !text.includes("401"));
    expect(unexpected).toEqual([]);

    // Another program of the address, and the way out.
    const header = page.getByRole("banner");
    const name = await header.getByRole("link").first().textContent();
    const other = name === "Acme" ? "Globex" : "Acme";
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByRole("button", { name: other }).press("Enter");
    await header.getByRole("link", { name: other }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await checkPortalScreen(page, "menu");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to your affiliate portal" }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("takes the mailed link in German, once, and ends when the session does", async () => {
    const asking = await open("/portal/sign-in", "de-DE");
    await asking.page.getByRole("textbox", { name: "E-Mail" }).fill(MAX);
    await asking.page.getByRole("button", { name: "Code senden" }).click();
    await asking.page.getByRole("textbox", { name: "Sechsstelliger Code" }).waitFor();
    await checkPortalScreenAgain(asking.page, "code-de");
    await closePage(asking.page);
    const { link } = await mailedTo(service, MAX);
    const path = `/portal/sign-in/confirm#${link}`;

    const { page, complaints } = await open(path, "de-DE");
    await expect.poll(() => page.url()).not.toContain(link);
    await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("de");
    const masked = `${MAX[0]}…${MAX.split("@")[0]?.at(-1)}@${MAX.split("@")[1]}`;
    await page.getByText(`in diesem Browser als ${masked} an`).waitFor();
    await checkPortalScreenAgain(page, "confirm-de");
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByRole("heading", { name: "Acme prüft Ihre Bewerbung" }).waitFor();
    await checkPortalScreenAgain(page, "waiting-de");
    expect(complaints).toEqual([]);
    await page.getByRole("button", { name: "EN English" }).click();
    await page.getByRole("heading", { name: "Acme is reviewing your application" }).waitFor();

    // Ended elsewhere.
    await service.database`delete from portal_sessions where email = ${MAX}`;
    await expect
      .poll(async () => {
        await page.reload({ waitUntil: "networkidle" });
        return page.url();
      })
      .toContain("/portal/sign-in?to=%2Fwaiting");
    await page.getByText("Your session has ended.").waitFor();
    await closePage(page);

    const again = await open(path, "de-DE");
    await again.page.getByRole("heading", { name: "Dieser Link gilt nicht mehr" }).waitFor();
    await closePage(again.page);
  });

  async function enterCode(page: Page, email: string): Promise<void> {
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send code" }).click();
    const field = page.getByRole("textbox", { name: "Six-digit code" });
    await field.waitFor();
    await field.fill((await mailedTo(service, email)).code);
  }

  it("leads somebody who was invited and never signed in from the mail to the invitation", async () => {
    const email = "new@example.com";
    const { trpc } = await addOrganization(service, "Initech");
    const { id } = await trpc.affiliates.create.mutate({ email });
    const { page } = await open(`/portal?program=${id}`, "en-US");
    await page.getByText("Sign in with the address the email was sent to.").waitFor();
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    await checkPortalScreenAgain(page, "sign-in-mailed");
    await enterCode(page, email);
    await page.getByRole("heading", { name: "You have an invitation" }).waitFor();
    await closePage(page);
  });

  it("leads back to the page that needed it, and tells an ended session from none", async () => {
    const { page } = await open("/portal/payouts", "en-US");
    await page.getByText("Sign in to see this page.").waitFor();
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    await checkPortalScreenAgain(page, "sign-in-opened");
    await enterCode(page, JANE);
    await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/portal/payouts");
    await service.database`delete from portal_sessions where email = ${JANE}`;
    for (const path of ["/portal/payouts", "/portal/invitations", "/portal"]) {
      await expect
        .poll(async () => {
          await page.goto(`${service.url}${path}`, { waitUntil: "networkidle" });
          return await page.getByText("Your session has ended.").count();
        })
        .toBe(1);
    }
    await checkPortalScreenAgain(page, "sign-in-ended");
    await enterCode(page, JANE);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("shows a page for addresses that do not exist", async () => {
    const { page } = await open("/portal/no/such/page", "en-US");
    await page.getByRole("heading", { name: "This page doesn’t exist" }).waitFor();
    await checkPortalScreen(page, "not-found");
    await closePage(page);
  });
});
