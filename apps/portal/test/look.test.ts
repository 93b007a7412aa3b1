/* The portal in the look of organizations: at an organization's host name, at the service's own, and in colors of any kind. */

import { agreeToAll, mailedTo } from "@findersfee/api/testing/portal/affiliate-browser";
import type { StaffClient, TestClient, TestService } from "@findersfee/api/testing/test-service";
import { brandColors } from "@findersfee/contract/portal/brand-colors";
import { freePort } from "@findersfee/database/testing/free-port";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";
import { checkPortalScreen, checkPortalScreenAgain } from "./screens.ts";

const JANE = "jane@example.com";
/** Browsers resolve such names to this machine. */
const HOST = "partners.acme.localhost";
/** A dark mark and letters without a background, 144 × 56. */
const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAAJAAAAA4CAMAAAAl14EJAAAACVBMVEUAAAAbGxjIPBSeeqgBAAAAA3RSTlMA//9EUNYhAAAAdUlEQVR42u3YSQqAMAwF0Oj9D+3WqXWqtur7uw6QRyBQGiGF0o8CBARUAdRNkz9duwIE1BBoViO/fGLKgIBiY2h2gSK1V6g5QEBAQEBXQckXD9A/QMvy7weVnTIgoOZBR1VAQC2DTn3HAAHVBd0QIKDPgSSTAcBhC0/nd+UGAAAAAElFTkSuQmCC";
const COLORS = { pale: "#ffe9a8", dark: "#1a0b2e", neon: "#39ff14" } as const;

describe.skipIf(!has_chromium)(`the look${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let acme: TestClient;
  let staff: StaffClient;
  let port: number;

  beforeAll(async () => {
    // The public address has the port, and is known before the service starts.
    port = await freePort();
    service = await startPortal({ port, public_url: `http://app.localhost:${port}` });
    browser = await borrowChromium();
    acme = await addOrganization(service, "Acme");
    await service.database`
      update organizations set slug = 'acme', support_email = 'partners@acme.example'
      where id = ${acme.organization_id}`;
    const globex = await addOrganization(service, "Globex");
    await service.database`
      update organizations set slug = 'globex', languages = '{de}' where id = ${globex.organization_id}`;
    for (const { trpc } of [acme, globex]) await trpc.affiliates.create.mutate({ email: JANE });
    await agreeToAll(service, JANE);
    staff = await service.staff(acme.organization_id, "admin");
    const { portal } = staff.trpc.dashboard;
    await portal.set_logo.mutate({ content: LOGO });
    // Browsers find names of localhost without name servers, which therefore cannot prove them.
    await service.database`
      update organizations set portal_host_wanted = ${HOST}, portal_host_proven_at = now()
      where id = ${acme.organization_id}`;
    await portal.update.mutate({
      brand_color: COLORS.neon,
      terms_url: "https://acme.example/terms",
      imprint_url: "https://acme.example/imprint",
      privacy_url: "https://acme.example/privacy",
      languages: ["en", "de"],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, { host = HOST, locale = "en-US" } = {}) =>
    openWatched(browser, `http://${host}:${port}${path}`, { locale });

  /** Signs in with the code that the page asks for. */
  async function signIn(page: Page): Promise<void> {
    await page.getByRole("textbox", { name: "Email" }).fill(JANE);
    await page.getByRole("button", { name: "Send code" }).click();
    const field = page.getByRole("textbox", { name: "Six-digit code" });
    await field.waitFor();
    await field.fill((await mailedTo(service, JANE)).code);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  }

  it.runIf(FULL_TESTS)(
    "is that of the host's organization from the first paint, and its session sees this one alone",
    async () => {
      const { page, complaints } = await open("/");
      await expect.poll(() => new URL(page.url()).pathname).toBe("/portal/sign-in");
      await page.getByRole("banner").getByText("Acme", { exact: true }).waitFor();
      await checkPortalScreen(page, "look-sign-in");
      await expectSameColors(page, COLORS.neon);
      const footer = page.getByRole("contentinfo");
      const terms = footer.getByRole("link", { name: "Terms" });
      await expect.poll(() => terms.getAttribute("href")).toBe("https://acme.example/terms");
      await footer.getByRole("link", { name: "Help: partners@acme.example" }).waitFor();

      await signIn(page);
      expect(await page.context().cookies()).toMatchObject([
        { name: "findersfee_portal", domain: HOST, httpOnly: true, sameSite: "Lax" },
      ]);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect(await page.getByRole("button", { name: "Globex" }).count()).toBe(0);
      await page.keyboard.press("Escape");
      const { portal } = staff.trpc.dashboard;
      for (const [name, color] of Object.entries(COLORS)) {
        await portal.update.mutate({ brand_color: color });
        await page.reload({ waitUntil: "networkidle" });
        await page.getByText("Share your link.").waitFor();
        await expect.poll(() => tokenOf(page, "--color-solid")).toBe(`light-dark(${color}, ${color})`);
        const { light, dark } = brandColors(color);
        await expect
          .poll(() => tokenOf(page, "--color-accent"))
          .toBe(`light-dark(${light.text}, ${dark.text})`);
        await checkPortalScreenAgain(page, `look-home-${name}`);
      }
      await expect.poll(() => page.evaluate("document.querySelector('header img').naturalWidth")).toBe(144);
      expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
      await closePage(page);
    },
  );

  it("links to the legal pages on all pages, the sign-in too, in both languages", async () => {
    const linked = async (page: Page) => {
      const links = page.getByRole("contentinfo").getByRole("link");
      await links.nth(3).waitFor();
      return await links.evaluateAll((all) =>
        all.map((link) => `${link.textContent} ${link.getAttribute("href")}`),
      );
    };
    const help = "partners@acme.example mailto:partners@acme.example";
    const english = [
      "Terms https://acme.example/terms",
      "Imprint https://acme.example/imprint",
      "Privacy policy https://acme.example/privacy",
      `Help: ${help}`,
    ];
    const { page, complaints } = await open("/portal/sign-in");
    expect(await linked(page)).toEqual(english);
    await page.setViewportSize({ width: 320, height: 700 });
    await checkPortalScreen(page, "look-legal-pages");
    await signIn(page);
    expect(await linked(page)).toEqual(english);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    await closePage(page);
    const german = await open("/portal/sign-in", { locale: "de-DE" });
    expect(await linked(german.page)).toEqual([
      "Teilnahmebedingungen https://acme.example/terms",
      "Impressum https://acme.example/imprint",
      "Datenschutzerklärung https://acme.example/privacy",
      `Hilfe: ${help}`,
    ]);
    await closePage(german.page);
  });

  it.runIf(FULL_TESTS)(
    "leads strangers from the host's root to its programs, and affiliates from there to the sign-in and back",
    async () => {
      const list = (joining: string) => service.database`
      update campaigns set joining = ${joining} where organization_id = ${acme.organization_id}`;
      await list("listed");
      const { page } = await open("/");
      // Looks are cached for five seconds.
      await expect
        .poll(async () => {
          await page.goto(`http://${HOST}:${port}/`, { waitUntil: "networkidle" });
          return new URL(page.url()).pathname;
        })
        .toBe("/portal/acme");
      await page.getByRole("heading", { level: 1, name: "Acme’s affiliate programs" }).waitFor();
      await checkPortalScreen(page, "look-programs");
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Sign in to your affiliate portal" }).waitFor();
      expect(await page.getByText("Your session has ended").count()).toBe(0);
      await checkPortalScreen(page, "look-sign-in-or-join");
      await page.getByRole("link", { name: "See the program" }).click();
      await page.getByRole("link", { name: /^Join/ }).waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await signIn(page);
      await list("by_link");
      await closePage(page);
    },
  );

  it.runIf(FULL_TESTS)(
    "is the program's at the service's own host, and stays after the session has ended",
    async () => {
      const { page } = await open("/portal/sign-in", { host: "app.localhost" });
      await page.getByRole("banner").getByText("Affiliate portal").waitFor();
      await expect.poll(() => page.getByRole("contentinfo").count()).toBe(0);
      await page.goto(`http://app.localhost:${port}/portal/sign-in?organization=acme`);
      await page.getByRole("banner").getByText("Acme", { exact: true }).waitFor();
      await signIn(page);
      await page.getByRole("banner").getByRole("link", { name: "Acme" }).waitFor();
      await expect.poll(() => tokenOf(page, "--color-solid")).toContain(COLORS.neon);

      // Globex is in German alone, in the colors of the service.
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: /Globex/ }).click();
      await page.getByRole("heading", { level: 1, name: "Übersicht" }).waitFor();
      await expect.poll(() => page.evaluate("document.documentElement.style.length")).toBe(0);
      await expect.poll(() => page.getByRole("group", { name: "Sprache" }).count()).toBe(0);
      await page.getByRole("button", { name: "Menü" }).click();
      await page.getByRole("button", { name: /Acme/ }).click();
      await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to your affiliate portal" }).waitFor();
      await page.getByRole("banner").getByText("Acme", { exact: true }).waitFor();
      await closePage(page);
    },
  );

  it("lets people join at the address that the dashboard shows", async () => {
    const [{ id }] = await service.database<
      [{ id: string }]
    >`select id from campaigns where organization_id = ${acme.organization_id}`;
    const { page } = await open(`/portal/acme/${id}/join`);
    await page.getByRole("heading", { level: 1, name: /^Join / }).waitFor();
    await expect.poll(() => tokenOf(page, "--color-solid")).toContain("#");
    await closePage(page);
  });

  it("greets strangers in a language that the organization offers", async () => {
    const { page } = await open("/portal/sign-in?organization=globex", { host: "app.localhost" });
    await page.getByRole("button", { name: "Code senden" }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("de");
    await closePage(page);
  });

  /** In every frame that has the button, it has the color. */
  async function expectSameColors(page: Page, color: string): Promise<void> {
    const context = await browser.newContext();
    const fresh = await context.newPage();
    await fresh.addInitScript(`
      window.painted = [];
      const look = () => {
        const button = document.querySelector("button[type=submit]");
        if (button !== null) window.painted.push(getComputedStyle(button).backgroundColor);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);`);
    await fresh.goto(page.url(), { waitUntil: "networkidle" });
    await fresh.waitForFunction("window.painted.length > 2");
    const painted = (await fresh.evaluate("[...new Set(window.painted)]")) as string[];
    const number = Number.parseInt(color.slice(1), 16);
    expect(painted).toEqual([`rgb(${number >> 16}, ${(number >> 8) & 255}, ${number & 255})`]);
    await context.close();
  }
});

function tokenOf(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`document.documentElement.style.getPropertyValue(${JSON.stringify(name)})`);
}
