import { readFile } from "node:fs/promises";
import type { TestService } from "@findersfee/api/testing/test-service";
import { contrastOf } from "@findersfee/contract/portal/oklch";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage, leave, setVisibility } from "@findersfee/ui/testing/watched-page";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEarners, type Earners, HOSTILE, JANE, NOBODY } from "./earners.ts";
import { startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";
import { openSignedIn, sessionCookies } from "./signed-in-page.ts";

/** The browser complains about the requests that were open when the network went. */
const withoutOffline = (complaints: readonly string[]) =>
  complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text));

describe.skipIf(!has_chromium)(`the pages of money${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let earners: Earners;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    earners = await createEarners(service.database);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (email: string, path = "", locale = "en-US") =>
    openSignedIn({ service, browser }, { email, path, locale });

  /** Goes to a page, as a link in the portal does where it is open. */
  const go = async (page: Page, path: string) => {
    const address = `${service.url}/portal${path}`;
    if (new URL(page.url()).origin === service.url) {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(address)})`);
    } else {
      await page.goto(address, { waitUntil: "networkidle" });
    }
  };

  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

  it("shows when an affiliate gets how much, and makes its links", async () => {
    const { page, complaints } = await open(JANE);
    await heading(page, "Home").waitFor();
    await page.getByRole("heading", { name: /^Your next payout on / }).waitFor();
    const links = page.getByRole("region", { name: "Link to another page" });
    await checkPortalScreen(page, "home");

    // The link, as a code in a file.
    await page.getByRole("button", { name: "QR code" }).first().click();
    await page.getByRole("img", { name: "QR code of https://acme.example/?via=jane" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download as SVG" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/,
    );
    await page.getByRole("button", { name: "QR code" }).first().click();

    const field = links.getByRole("textbox", { name: /^Page on acme.example/ });
    await field.fill("https://globex.example/pricing");
    await links.getByText("This page isn’t on acme.example").waitFor();
    await field.fill("acme.example/pricing?plan=pro#faq");
    await links.getByText("acme.example/pricing?via=jane&plan=pro#faq").waitFor();
    await links.getByRole("textbox", { name: /^Sub-id/ }).fill("news letter");
    await links.getByText("Use up to 64 letters").waitFor();
    await links.getByRole("textbox", { name: /^Sub-id/ }).fill("newsletter");
    await links.getByText("acme.example/pricing?via=jane&sub=newsletter&plan=pro#faq").waitFor();

    // The figures, and their course by the keyboard.
    await page.getByRole("button", { name: "Sign-ups" }).click();
    await page.getByRole("slider", { name: "Sign-ups" }).press("ArrowLeft");
    await page.getByText("By sub-id").click();
    const of_newsletter = page.getByRole("row", { name: /newsletter/ });
    await of_newsletter.waitFor();
    await expect.poll(() => of_newsletter.textContent()).toContain("€29.70");

    // The organization's text: only its addresses are links, and nothing is markup.
    const text = page.locator("p", { hasText: "Our logos" });
    const hrefs = await text
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => [one.getAttribute("href"), one.getAttribute("rel")]));
    expect(hrefs).toEqual([
      ["https://acme.example/press?a=1&b=2", "noopener nofollow"],
      ["https://acme.example/ar", "noopener nofollow"],
    ]);
    await expect.poll(() => text.textContent()).toContain("<img src=x");
    await expect.poll(() => text.locator("strong").allTextContents()).toEqual(["not"]);
    await checkPortalScreenAgain(page, "home-used");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.each(["light", "dark"] as const)("draws what is held in a color that is seen, in %s", async (theme) => {
    const { page } = await open(JANE);
    const held = page.getByRole("img", { name: / not due yet$/ }).first();
    await held.waitFor();
    await page.emulateMedia({ colorScheme: theme });
    const fill = await colorOf(held.locator("rect").first(), "fill");
    const behind = await colorOf(page.locator("body"), "background-color");
    // WCAG 1.4.11.
    expect(contrastOf(fill, behind)).toBeGreaterThan(3);
    await closePage(page);
  });

  it("opens a page that is not loaded once there is a network again", async () => {
    const { page, complaints } = await open(JANE);
    await page.getByText("Your links and codes").waitFor();
    // A part that is still being loaded would complain.
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await page.getByText("You’re offline. What you see may be out of date.").waitFor();
    await page.getByRole("link", { name: "Payouts" }).first().click();
    await page.getByRole("heading", { name: "This page opens when you’re back online" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Payouts", level: 1 }).waitFor();
    expect(withoutOffline(complaints)).toEqual([]);
    await closePage(page);
  });

  it("opens a dialog that is not loaded once there is a network again", async () => {
    const { page, complaints } = await open(JANE, "/settings");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await page.getByText("You’re offline. What you see may be out of date.").waitFor();
    await page.getByRole("button", { name: "Leave the program" }).click();
    await page.context().setOffline(false);
    await page.getByRole("dialog", { name: "Leave the program?" }).waitFor();
    expect(withoutOffline(complaints)).toEqual([]);
    await closePage(page);
  });

  it("cuts no amount of the last days beside the other figures", async () => {
    await earners.buy(earners.jane, { number: 300, days: 1, amount: 595_500n });
    const { page, complaints } = await open(JANE);
    const figures = page.getByRole("button", { name: /clicks|Sign-ups|sales|Earned/ }).locator("[title]");
    await expect
      .poll(() => figures.allTextContents())
      .toContainEqual(expect.stringMatching(/^\$\d,\d{3}\.\d\d$/));
    const cut = () =>
      figures.evaluateAll((all) =>
        all.filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.textContent),
      );
    await expect.poll(cut).toEqual([]);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("lists earnings, and shows how each came about", async () => {
    const { page, complaints } = await open(JANE, "/earnings");
    await heading(page, "Earnings").waitFor();
    const rows = page.getByRole("table", { name: "Earnings" }).getByRole("row");
    await rows.nth(1).waitFor();
    await checkPortalScreen(page, "earnings");
    await page.getByRole("link", { name: "Held", exact: true }).click();
    await page.waitForURL(/\?state=held$/);
    await page
      .getByText(/^Held until /)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "In payout" }).click();
    await page.getByText("No earnings with the status “In payout”").waitFor();
    await checkPortalScreenAgain(page, "earnings-none-match");
    await page.getByRole("link", { name: "Show all" }).click();

    // A reduced commission, a paid one, and its reversal.
    await page.getByRole("link", { name: "customer8@example.com" }).click();
    await heading(page, "Commission of $8.82").waitFor();
    await page.getByText("Adds up").waitFor();
    await page.getByText("30% of $49.00").waitFor();
    await checkPortalScreen(page, "earning-reduced");
    await page.goBack();
    await page.getByRole("link", { name: "Paid", exact: true }).click();
    await page.getByRole("link", { name: "customer3@example.com" }).click();
    await page.getByText("Exact amount").waitFor();
    await page.getByText("$14.697").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "customer1@example.com" }).click();
    await page.getByText("with the sub-id newsletter").waitFor();
    await page.getByRole("link", { name: /Reversed after it was paid/ }).click();
    await heading(page, /^Reversal of −\$14\.70/).waitFor();
    await page.getByRole("link", { name: /The commission this reverses/ }).waitFor();
    await checkPortalScreen(page, "earning-reversal");
    expect(complaints).toEqual([]);

    await go(page, "/earnings/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90");
    await heading(page, "This page doesn’t exist").waitFor();
    await go(page, "/referrals");
    await page.getByRole("row", { name: /customer7@example.com/ }).waitFor();
    await checkPortalScreen(page, "referrals");
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("is complete in German", async () => {
    const { page, complaints } = await open(JANE, "", "de-DE");
    await page.getByRole("heading", { name: /^Ihre nächste Auszahlung am / }).waitFor();
    await page.getByText("Nach Sub-ID").click();
    await page.getByRole("row", { name: /newsletter/ }).waitFor();
    await checkPortalScreenAgain(page, "home-de");
    await page.getByRole("link", { name: "customer8@example.com" }).click();
    await page.getByText("Geht auf").waitFor();
    await checkPortalScreenAgain(page, "earning-de");
    await go(page, "/earnings");
    await page
      .getByText(/^Wartezeit bis /)
      .first()
      .waitFor();
    await checkPortalScreenAgain(page, "earnings-de");
    await go(page, "/referrals");
    await page.getByText("Hat gekauft").first().waitFor();
    await checkPortalScreenAgain(page, "referrals-de");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("fits without data, and with texts and amounts of any length", async () => {
    const { page, complaints } = await open(NOBODY);
    await page.getByText("Clicks appear here within a minute").waitFor();
    await checkPortalScreen(page, "home-empty");
    await go(page, "/earnings");
    await page.getByText("No earnings yet").waitFor();
    await checkPortalScreenAgain(page, "earnings-empty");
    await go(page, "/referrals");
    await page.getByText("No referrals yet").waitFor();
    await checkPortalScreenAgain(page, "referrals-empty");

    await leave(page);
    await page.context().addCookies(await sessionCookies(service, HOSTILE));
    await go(page, "");
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("By sub-id").click();
    await page.getByRole("row", { name: /ssss/ }).waitFor();
    await checkPortalScreenAgain(page, "home-hostile");
    await page.getByRole("link", { name: /^kkkk/ }).click();
    await page.getByText("Adds up").waitFor();
    await checkPortalScreenAgain(page, "earning-hostile");
    await go(page, "/earnings");
    await page.getByRole("row", { name: /^kkkk/ }).waitFor();
    await checkPortalScreenAgain(page, "earnings-hostile");
    await go(page, "/referrals");
    await page.getByRole("row", { name: /^kkkk/ }).waitFor();
    await checkPortalScreenAgain(page, "referrals-hostile");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "shows a commission within ten seconds, and asks only while it is visible",
    async () => {
      const { page } = await open(JANE);
      let pulses = 0;
      page.on("request", (request) => {
        if (request.url().includes("home.pulse")) pulses += 1;
      });
      await page.clock.install();
      await page.reload({ waitUntil: "networkidle" });
      await page.getByRole("link", { name: "customer7@example.com" }).waitFor();
      await expect.poll(() => pulses).toBeGreaterThan(0);
      await earners.buy(earners.jane, { number: 200, days: 0, email: "live@example.com" });
      await page.clock.runFor(10_000);
      await page.getByRole("link", { name: "live@example.com" }).waitFor();
      const announcement = page.getByRole("status").filter({ hasText: "New commission" });
      await expect
        .poll(() => announcement.textContent())
        .toBe("New commission: +$14.70 from live@example.com");

      await setVisibility(page, "hidden");
      const before = pulses;
      await page.clock.runFor(60_000);
      expect(pulses).toBe(before);
      await setVisibility(page, "visible");
      await expect.poll(() => pulses).toBeGreaterThan(before);

      await page.getByRole("link", { name: "Earnings", exact: true }).first().click();
      await page.getByRole("row", { name: /live@example.com/ }).waitFor();
      await earners.buy(earners.jane, { number: 201, days: 0, email: "again@example.com" });
      await page.clock.runFor(10_000);
      await page.getByRole("row", { name: /again@example.com/ }).waitFor();
      await page.getByRole("status").filter({ hasText: "again@example.com" }).waitFor();
      await page.context().close();
    },
  );
});

/** A color of an element, as # and hexadecimal digits. */
async function colorOf(element: Locator, property: string): Promise<string> {
  const color = await element.evaluate(
    (node, name) => node.ownerDocument.defaultView?.getComputedStyle(node).getPropertyValue(name) ?? "",
    property,
  );
  return `#${[...color.matchAll(/\d+/g)].map(([part]) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
