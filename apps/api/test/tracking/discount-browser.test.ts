/* The scripts of a page with a discount for visitors who come by a link, in a real browser. */
import { TRACKING_SNIPPET } from "@findersfee/contract/tracking/snippet";
import { eventually } from "@findersfee/database/testing/eventually";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDiscountedProgram, LINK_DISCOUNT, makeCodeReady } from "../discounted-program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import type { TrackedProgram } from "../tracking-program.ts";
import { Website } from "./website.ts";

const BANNER = "<findersfee-discount></findersfee-discount>";
const PICTURES = process.env.SCREEN_PICTURES;

let service: TestService;
let website: Website;
let program: TrackedProgram;

describe.skipIf(!has_chromium)(`in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startTestService();
    website = await Website.start();
  });

  beforeEach(async () => {
    program = await createDiscountedProgram(service, { website_url: "https://www.shop.test/" });
    website.html = page();
    await website.visit();
  });

  afterEach(() => website.leave());

  afterAll(async () => {
    await website?.close();
    await service?.close();
  });

  function page({ body = BANNER, attributes = "", language = "en", snippet = "" } = {}): string {
    const { publishable_key } = program.organization;
    return `<!doctype html><html lang="${language}"><title>Shop</title><link rel="icon" href="data:,">
      ${snippet}<script async src="${service.url}/tracker.js" data-key="${publishable_key}" ${attributes}></script>
      <script defer src="${service.url}/discount.js"></script><body style="margin:0">${body}`;
  }

  const bannerOf = (opened: Page): Locator => opened.locator("findersfee-discount [part=banner]");

  const styleOf = (opened: Page, name: string) =>
    opened.evaluate(
      `getComputedStyle(document.querySelector("findersfee-discount").shadowRoot.firstChild).${name}`,
    );

  const readDiscount = (opened: Page) => opened.evaluate("findersfee.discount()");

  it("gives the page and the checkout the affiliate and the discount", async () => {
    const opened = await website.open("/?via=jane");
    expect(await readDiscount(opened)).toEqual({
      affiliate: { name: "Jane Doe", code: "jane" },
      discount: { promotion_code: "promo_jane", code: "JANE20", description: "20% off your first year" },
      reason: null,
    });
    // Also on a later page, by the click in the cookie.
    expect(await readDiscount(await website.open("/checkout"))).toMatchObject({
      discount: { code: "JANE20" },
    });
    expect(website.complaints).toEqual([]);
  });

  it.each(["", TRACKING_SNIPPET])("gives visitors without a link nothing (%#)", async (snippet) => {
    website.html = page({ snippet });
    const opened = await website.open("/");
    expect(await readDiscount(opened)).toBeNull();
    expect(await bannerOf(opened).count()).toBe(0);
    expect(website.complaints).toEqual([]);
  });

  it("adds the promo code to Payment Links, including later ones, and keeps those of the page", async () => {
    website.html = page({
      snippet: TRACKING_SNIPPET,
      body: `<a id="link" href="https://buy.stripe.com/abc">Buy</a>
        <a id="own-domain" href="https://pay.shop.test/b/abc" data-findersfee-checkout>Buy</a>
        <a id="other" href="https://example.com/abc">Other</a>
        <a id="taken" href="https://buy.stripe.com/abc?prefilled_promo_code=SUMMER">Summer</a>`,
    });
    const opened = await website.open("/?via=jane");
    const click_id = await opened.evaluate("findersfee.ready");
    const queryOf = async (id: string) => {
      const href = await opened.locator(`#${id}`).getAttribute("href");
      return Object.fromEntries(new URL(href ?? "").searchParams);
    };
    const both = { client_reference_id: click_id, prefilled_promo_code: "JANE20" };
    await eventually(async () => expect(await queryOf("link")).toEqual(both));
    expect(await queryOf("own-domain")).toEqual(both);
    expect(await queryOf("other")).toEqual({});
    expect(await queryOf("taken")).toEqual({ ...both, prefilled_promo_code: "SUMMER" });
    await opened.evaluate(`document.body.insertAdjacentHTML("beforeend",
      '<a id="late" href="https://buy.stripe.com/late">Buy</a>')`);
    await eventually(async () => expect(await queryOf("late")).toEqual(both));
    expect(website.complaints).toEqual([]);
  });

  it("gives no discount while the promo code is not ready", async () => {
    program = await createDiscountedProgram(service, {
      website_url: "https://www.shop.test/",
      is_ready: false,
    });
    website.html = page({ body: `${BANNER}<a id="link" href="https://buy.stripe.com/abc">Buy</a>` });
    const opened = await website.open("/?via=jane");
    expect(await readDiscount(opened)).toMatchObject({ discount: null, reason: "not_ready" });
    expect(await bannerOf(opened).count()).toBe(0);
    expect(await opened.locator("#link").getAttribute("href")).not.toContain("prefilled_promo_code");
    await makeCodeReady(service, program, "promo_jane");
    await eventually(async () => expect(await bannerOf(await website.open("/")).count()).toBe(1));
    expect(website.complaints).toEqual([]);
  });

  describe("the banner", () => {
    it.each([
      [
        "en",
        "20% off your first year Recommended by Jane Doe. Code JANE20 is applied at checkout.",
        "Dismiss",
      ],
      [
        "de-AT",
        "20% off your first year Empfohlen von Jane Doe. Der Gutscheincode JANE20 wird beim Bezahlen angewendet.",
        "Schließen",
      ],
      [
        "fr",
        "20% off your first year Recommended by Jane Doe. Code JANE20 is applied at checkout.",
        "Dismiss",
      ],
    ])("speaks the page's language, %s, and is accessible", async (language, text, dismiss) => {
      website.html = page({ language, body: `<main>${BANNER}<h1>Shop</h1></main>` });
      const opened = await website.open("/?via=jane");
      await bannerOf(opened).waitFor();
      expect(await opened.getByRole("status").textContent()).toBe(text);
      expect(await opened.getByRole("button", { name: dismiss }).count()).toBe(1);
      expect(await axeProblems(opened)).toEqual([]);
      expect(website.complaints).toEqual([]);
    });

    it("says only what the organization allows, and asks for the code where customers type it", async () => {
      const { trpc } = program.organization;
      const link_discount = { ...LINK_DISCOUNT, description: null, show_affiliate: false };
      await trpc.campaigns.update.mutate({ id: program.campaign.id, link_discount });
      website.html = page({ body: "<findersfee-discount enter-code></findersfee-discount>" });
      const opened = await website.open("/?via=jane");
      await bannerOf(opened).waitFor();
      expect(await opened.getByRole("status").textContent()).toBe(
        "You get a discount Enter code JANE20 at checkout.",
      );
    });

    it("is dismissed by keyboard in this tab, also on later pages", async () => {
      const opened = await website.open("/?via=jane");
      await bannerOf(opened).waitFor();
      await opened.evaluate(
        "document.querySelector('findersfee-discount').addEventListener('dismiss', () => { window.dismissed = true; })",
      );
      await opened.keyboard.press("Tab");
      await opened.keyboard.press("Enter");
      await bannerOf(opened).waitFor({ state: "detached" });
      expect(await opened.evaluate("window.dismissed")).toBe(true);
      await opened.reload();
      expect(await readDiscount(opened)).toMatchObject({ discount: { code: "JANE20" } });
      expect(await bannerOf(opened).count()).toBe(0);
      await bannerOf(await website.open("/")).waitFor();
    });

    it("needs no inline styles or scripts under a strict CSP with trusted types", async () => {
      website.headers = {
        "content-security-policy": `default-src 'none'; img-src data:; script-src ${service.url}; connect-src ${service.url}; style-src 'none'; require-trusted-types-for 'script'`,
      };
      website.html = page().replace(' style="margin:0"', "");
      const opened = await website.open("/?via=jane");
      await bannerOf(opened).waitFor();
      expect(await styleOf(opened, "display")).toBe("flex");
      expect(website.complaints).toEqual([]);
    });

    it("takes the page's colors and its color scheme", async () => {
      await website.visit({ colorScheme: "dark" });
      const light = await website.open("/?via=jane");
      await bannerOf(light).waitFor();
      expect(await styleOf(light, "backgroundColor")).toBe("rgb(232, 234, 255)");
      website.html = page({ body: `<style>:root { color-scheme: light dark }</style>${BANNER}` });
      const dark = await website.open("/");
      await bannerOf(dark).waitFor();
      expect(await styleOf(dark, "backgroundColor")).toBe("rgb(39, 36, 92)");
      expect(await axeProblems(dark, "colors")).toEqual([]);
      website.html = page({
        body: `<style>findersfee-discount { --findersfee-background: #fff; --findersfee-color: #000 }</style>${BANNER}`,
      });
      const themed = await website.open("/");
      await bannerOf(themed).waitFor();
      expect(await styleOf(themed, "backgroundColor")).toBe("rgb(255, 255, 255)");
    });

    it.each([320, 1440])("fits into %i pixels", async (width) => {
      await website.visit({ viewport: { width, height: 400 }, colorScheme: "light" });
      const opened = await website.open("/?via=jane");
      await bannerOf(opened).waitFor();
      expect(await opened.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const box = await opened.getByRole("button").boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(44);
      if (PICTURES) await opened.screenshot({ path: `${PICTURES}/discount-banner-${width}.png` });
    });
  });

  it("waits for consent, and ends with its withdrawal", async () => {
    website.html = page({ snippet: TRACKING_SNIPPET, attributes: 'data-consent="wait"' });
    const opened = await website.open("/?via=jane");
    await opened.waitForFunction("window.findersfee.discount");
    expect(await bannerOf(opened).count()).toBe(0);
    await opened.evaluate("void findersfee.consent(true)");
    await bannerOf(opened).waitFor();
    await opened.evaluate("void findersfee.consent(false)");
    await bannerOf(opened).waitFor({ state: "detached" });
    expect(website.complaints).toEqual([]);
  });

  it("stays silent without the tracking script's answer", async () => {
    await website.visitor.route("**/track/discount", (route) => route.abort());
    const opened = await website.open("/?via=jane");
    expect(await readDiscount(opened)).toBeNull();
    await website.visitor.unroute("**/track/discount");
    expect(await readDiscount(opened)).toMatchObject({ discount: { code: "JANE20" } });
  });
});
