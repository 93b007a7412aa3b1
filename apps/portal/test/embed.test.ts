import type { TestClient, TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { axeProblems } from "@findersfee/ui/testing/axe";
import {
  has_chromium,
  LOAD_MILLISECONDS,
  launchChromium,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { takePicture } from "@findersfee/ui/testing/screens";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addOrganization, startPortal } from "./portal.ts";
import { type Product, startProduct } from "./product.ts";
import { checkPortalScreen } from "./screens.ts";

describe.skipIf(!has_chromium)(`the portal in a frame${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;
  let acme: TestClient;
  let affiliate_id: string;
  /** The organization's product, and a site that frames its portal without being listed. */
  let product: Product;
  let foreign: Product;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    service = await startPortal();
    acme = await addOrganization(service, "Acme");
    affiliate_id = (await acme.trpc.affiliates.create.mutate({ email: "jane@example.com" })).id;
    const owned = { affiliate_id, service_origin: service.origin };
    [product, foreign] = [await startProduct(acme, owned), await startProduct(acme, owned)];
    const staff = await service.staff(acme.organization_id);
    await staff.trpc.dashboard.portal.update.mutate({ frame_origins: [product.origin] });
    // As browsers do that give frames of other sites no cookies.
    browser = await launchChromium(["--test-third-party-cookie-phaseout"]);
    const context = await browser.newContext({ locale: "en-US", viewport: { width: 1100, height: 800 } });
    context.setDefaultTimeout(LOAD_MILLISECONDS / 2);
    page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
  });

  afterAll(async () => {
    await browser?.close();
    for (const closed of [product, foreign, service]) await closed?.close();
  });

  async function open(address: string): Promise<void> {
    complaints = [];
    await page.goto(address);
  }

  const shown = (name: string) =>
    page.frameLocator("iframe").getByRole("heading", { level: 1, name }).waitFor();

  function frame(): Frame {
    const found = page.frames().find((candidate) => candidate.url().includes("/portal/embed/"));
    if (found === undefined) throw new Error("there is no frame");
    return found;
  }

  const heightOf = async () => (await page.locator("iframe").boundingBox())?.height ?? 0;

  it("shows the affiliate's pages, without a cookie, as high as they are", async () => {
    await open(product.origin);
    await shown("Home");
    expect(product.asked()).toBe(1);
    expect(frame().url()).not.toContain("#");
    await expect
      .poll(async () =>
        Math.abs((await heightOf()) - Number(await frame().evaluate("document.body.clientHeight"))),
      )
      .toBeLessThan(2);
    expect(await page.context().cookies()).toEqual([]);
    const is_in_memory = "[localStorage, sessionStorage].every((storage) => !(storage instanceof Storage))";
    await expect.poll(() => frame().evaluate(is_in_memory)).toBe(true);
    expect(complaints).toEqual([]);
    for (const [width, theme] of [
      [1100, "light"],
      [390, "light"],
      [1100, "dark"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      await takePicture(page, `embed-home-${width}-${theme}`, true);
      expect(await axeProblems(frame())).toEqual([]);
    }
    await page.setViewportSize({ width: 1100, height: 800 });

    // Nothing there leads out, or concerns other programs and sessions.
    const texts = await frame().locator("body").textContent();
    expect(texts).not.toMatch(/sign out|signed in|session/i);

    // The account is not there, and its address leads to no page.
    await expect(page.frameLocator("iframe").getByRole("link", { name: "Settings" }).count()).resolves.toBe(
      0,
    );
    await frame().getByRole("link", { name: "Payouts" }).click();
    await shown("Payouts");
    await frame().getByRole("link", { name: "Home" }).click();
    await shown("Home");

    // A frame that is loaded again has forgotten its session, and asks for another one.
    await frame().evaluate("location.reload()");
    await expect.poll(product.asked).toBe(2);
    await shown("Home");
  });

  it("has the language and the theme that the page asks for, also on other pages that are loaded again", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await open(`${product.origin}/?language=de&theme=dark`);
    await shown("Übersicht");
    const chosen = () =>
      frame().evaluate("[document.documentElement.lang, document.documentElement.className]");
    expect(await chosen()).toEqual(["de", "dark"]);
    await takePicture(page, "embed-home-de-dark", true);
    await frame().getByRole("link", { name: "Auszahlungen" }).click();
    await shown("Auszahlungen");
    const asked = product.asked();
    await frame().evaluate("location.reload()");
    await expect.poll(product.asked).toBe(asked + 1);
    await shown("Auszahlungen");
    expect(await chosen()).toEqual(["de", "dark"]);
  });

  it.runIf(FULL_TESTS)("goes on with a new session when the old one has ended", async () => {
    await open(product.origin);
    await shown("Home");
    const before = product.asked();
    await service.database`delete from portal_sessions`;
    // Each process knows a session for a second.
    await expect
      .poll(async () => {
        await page.frameLocator("iframe").getByRole("link", { name: "Missing sale" }).click();
        await page.frameLocator("iframe").getByRole("link", { name: "Home" }).click();
        return product.asked();
      })
      .toBe(before + 1);
    await shown("Home");
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  it.runIf(FULL_TESTS)(
    "shows a banned affiliate what is owed, and nothing that only the affiliate may do",
    async () => {
      const { id } = await acme.trpc.affiliates.create.mutate({ email: "max@example.com" });
      await acme.trpc.affiliates.update.mutate({ id, banned: true });
      product.prepared.push(await acme.trpc.portal_tokens.create.mutate({ affiliate_id: id }));
      await open(product.origin);
      await shown("Acme closed your account");
      await page
        .frameLocator("iframe")
        .getByRole("link", { name: /payouts/i })
        .waitFor();
      await expect.poll(() => frame().getByRole("button").count()).toBe(0);
      await takePicture(page, "embed-closed", true);
      expect(await axeProblems(frame())).toEqual([]);
    },
  );

  it("refuses a token that was used, and asks the page for another one", async () => {
    const used = await acme.trpc.portal_tokens.create.mutate({ affiliate_id });
    await service.database`update portal_tokens set used_at = now() where id = ${used.id}`;
    product.prepared.push(used);
    await open(product.origin);
    await shown("Your portal couldn’t be opened");
    await expect.poll(heightOf).toBeGreaterThan(100);
    await takePicture(page, "embed-refused", true);
    expect(await axeProblems(frame())).toEqual([]);
    const before = product.asked();
    await page.frameLocator("iframe").getByRole("button", { name: "Try again" }).click();
    await shown("Home");
    expect(product.asked()).toBe(before + 1);
  });

  it.runIf(FULL_TESTS)("ignores messages of others, also of other frames in the page", async () => {
    await open(product.origin);
    await shown("Home");
    const exchanges: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/portal/auth/embed")) exchanges.push(request.url());
    });
    const { id, token } = await acme.trpc.portal_tokens.create.mutate({ affiliate_id });
    // A frame of another site in the page, and the frame itself.
    const meddler = JSON.stringify(`${foreign.origin}/meddler#${token}`);
    await page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement("iframe"), { src: ${meddler}, onload: resolve });
      document.body.append(frame);
    }).then(() => null)`);
    const message = JSON.stringify({ type: "findersfee:token", token });
    await frame().evaluate(`window.postMessage(${message}, "*")`);
    // The page's own messages come after them.
    await page.evaluate(`{
      const portal = window.frames[0];
      portal.postMessage({ type: "findersfee:unknown" }, "*");
      portal.postMessage({ type: "findersfee:token", token: 1 }, "*");
      portal.postMessage(${message}, "*");
    }`);
    const used = () => service.database`select from portal_tokens where id = ${id} and used_at is not null`;
    await expect.poll(used).toHaveLength(1);
    expect(exchanges).toHaveLength(1);
  });

  it("says where it belongs when it is opened without a frame, and leaves the token unused", async () => {
    const { id, url } = await acme.trpc.portal_tokens.create.mutate({ affiliate_id });
    await open(url);
    await page.getByRole("heading", { name: "This page only works inside another site" }).waitFor();
    await checkPortalScreen(page, "embed-alone");
    const [row] = await service.database`select used_at from portal_tokens where id = ${id}`;
    expect(row).toEqual({ used_at: null });
  });

  it("is not shown by pages of origins that are not listed, which learn why in seconds", async () => {
    await page.clock.install();
    await open(foreign.origin);
    await expect.poll(() => complaints.join("\n")).toMatch(/frame-ancestors|refused to (frame|display)/i);
    const inside = page.frames().find((candidate) => candidate !== page.mainFrame());
    await expect.poll(() => inside?.evaluate("document.querySelector('#root')")).toBeNull();
    // Only as much time passes in the page.
    await page.clock.pauseAt(Date.now() + 8_000);
    await expect
      .poll(() => page.evaluate("failures"))
      .toEqual([expect.stringContaining(`Add ${foreign.origin} to the portal's frame origins`)]);
  });
});
