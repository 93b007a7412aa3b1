import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pages, reference_pages } from "../../src/docs/pages.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { openSlowLink } from "../tracking/slow-link.ts";

const WIDE = { width: 1440, height: 900 };
const SLUGS = pages.map(({ slug }) => slug);
const REFERENCE_SLUGS = reference_pages.map(({ slug }) => slug);
const NARROW = { width: 390, height: 844 };

let service: TestService;
let browser: Browser;
let context: BrowserContext;

/** Problems in a page: errors, policy violations, and requests to other hosts. */
const complaints: string[] = [];

describe.skipIf(!has_chromium)(`in a browser${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startTestService();
    browser = await borrowChromium();
    context = await browser.newContext();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(path: string, viewport = WIDE, visitor = context, url = service.url): Promise<Page> {
    const page = await visitor.newPage();
    await page.setViewportSize(viewport);
    complaints.length = 0;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:" && origin !== url) complaints.push(request.url());
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${url}/docs/${path}`, { waitUntil: "load", timeout: LOAD_MILLISECONDS });
    return page;
  }

  async function overflowOf(page: Page): Promise<unknown> {
    return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  it.each(casesOf(SLUGS, { short: 2 }))("shows /docs/%s, wide and narrow", async (slug) => {
    const page = await open(slug);
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      await expect.poll(() => page.getByRole("searchbox").isVisible()).toBe(true);
      expect(await overflowOf(page), `${viewport.width} pixels`).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** How far visible content has shifted since the page began to load. */
  async function shiftOf(page: Page): Promise<unknown> {
    return await page.evaluate("window.shifted");
  }

  it.each(casesOf(REFERENCE_SLUGS, { short: 2 }))(
    "shows /docs/%s, wide and narrow, light and dark",
    async (slug) => {
      const page = await open(slug);
      for (const viewport of [WIDE, NARROW]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          await expect.poll(() => page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
          expect(await overflowOf(page), `${viewport.width} pixels`).toBe(0);
        }
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it.each(
    casesOf(["reference/commissions#createCommission", "quick-start", "webhooks#retries"], { short: 1 }),
  )(
    "shifts no content while /docs/%s loads with a stored language",
    async (address) => {
      const visitor = await browser.newContext();
      await visitor.addInitScript(`
        localStorage.setItem("findersfee-docs-language", "go");
        window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) window.shifted += value;
        }).observe({ type: "layout-shift", buffered: true });
      `);
      // A page arrives in chunks, which the browser paints as they arrive.
      const link = await openSlowLink(service.url);
      for (const viewport of [WIDE, NARROW]) {
        const page = await open(address, viewport, visitor, link.url);
        await page.waitForLoadState("networkidle");
        expect(await shiftOf(page)).toBe(0);
        await page.close();
      }
      await visitor.close();
      await link.close();
    },
    4 * LOAD_MILLISECONDS,
  );

  it("opens an operation by its permalink", async () => {
    const page = await open("reference/commissions#createCommission");
    const heading = page.getByRole("heading", { name: "Create a commission" });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeLessThan(WIDE.height / 4);
    await heading.getByRole("link").click();
    await expect.poll(() => page.url()).toMatch(/#createCommission$/);
    await page.close();
  });

  it("changes the language of all samples by keyboard, without scrolling, and stores it", async () => {
    const visitor = await browser.newContext();
    const page = await open("reference/commissions#createCommission", NARROW, visitor);
    const choices = page.getByRole("group", { name: "Create a commission" });
    const ruby = choices.getByRole("button", { name: "Ruby" });
    await expect.poll(() => page.locator('[data-sample="sh"]').first().isVisible()).toBe(true);
    await ruby.focus();
    const before = (await ruby.boundingBox())?.y ?? 0;
    await page.keyboard.press("Enter");
    expect(Math.abs(((await ruby.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
    await expect.poll(() => ruby.getAttribute("aria-pressed")).toBe("true");
    await page.goto(`${service.url}/docs/reference/affiliates`, { timeout: LOAD_MILLISECONDS });
    await expect.poll(() => page.locator('[data-sample="ruby"]').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('[data-sample="sh"]').first().isVisible()).toBe(false);
    const pressed = page.getByRole("button", { pressed: true });
    await expect.poll(() => pressed.first().textContent()).toBe("Ruby");
    expect(complaints).toEqual([]);
    await visitor.close();
  });

  it.runIf(FULL_TESTS)("copies every code block unchanged", async () => {
    const visitor = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    for (const address of ["quick-start", "reference/campaigns"]) {
      const page = await open(address, WIDE, visitor);
      const blocks = page.locator(".code:visible");
      await expect
        .poll(() => page.locator("pre").count())
        .toBe(await page.locator(".code > .copy + pre").count());
      for (const block of await blocks.all()) {
        await block.getByRole("button", { name: "Copy" }).click();
        await block.getByRole("button", { name: "Copied" }).waitFor();
        const copied = await page.evaluate("navigator.clipboard.readText()");
        expect(copied).toBe(await block.locator("pre").textContent());
      }
      await page.close();
    }
    await visitor.close();
  });

  it.runIf(FULL_TESTS)("copies without clipboard access, as without TLS", async () => {
    const visitor = await browser.newContext();
    await visitor.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const page = await open("quick-start", WIDE, visitor);
    await page.locator(".code .copy").first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(complaints).toEqual([]);
    await visitor.close();
  });

  it.runIf(FULL_TESTS)("opens the fields of an object by keyboard", async () => {
    const page = await open("reference/campaigns#createCampaign");
    const summary = page
      .locator("section", { has: page.locator("#createCampaign") })
      .locator("summary")
      .first();
    await summary.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => summary.locator("..").locator("li").first().isVisible()).toBe(true);
    await page.close();
  });

  it.runIf(FULL_TESTS)("finds operations by name, request and operation id, from any page", async () => {
    const page = await open("reference/campaigns");
    for (const typed of ["create a commission", "POST /v1/commissions", "createCommission"]) {
      await page.getByRole("searchbox").fill(typed);
      await page.locator("#results a", { hasText: "Commissions: Create a commission" }).first().waitFor();
    }
    await page.locator("#results a", { hasText: "POST /v1/commissions" }).first().click();
    await page.waitForURL(`${service.url}/docs/reference/commissions#createCommission`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("finds a word by keyboard and opens the result", async () => {
    const page = await open("concepts");
    await page.keyboard.press("/");
    await page.keyboard.type("idempotency");
    await page.locator("#results a").first().waitFor();
    await expect.poll(() => page.locator("#results a strong").first().textContent()).toBe("Idempotency");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.url}/docs/idempotency`);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Idempotency");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("finds headings, mistyped words and error codes, reports no results, and closes", async () => {
    const page = await open("");
    const search = page.getByRole("searchbox");
    const results = page.locator("#results a");
    for (const [typed, expected] of [
      ["commission_locked", "Errors: commission_locked"],
      ["pgbouncr", "Self-hosting: PgBouncer"],
      ["rotating secret", "Webhooks: Rotating the secret"],
    ] as const) {
      await search.fill(typed);
      await results.filter({ hasText: expected }).first().waitFor();
    }
    await search.fill("xyzzyplugh");
    await page.getByText("No results for “xyzzyplugh”").waitFor();
    await search.press("Escape");
    await expect.poll(() => page.locator("#results").isVisible()).toBe(false);
    await page.close();
  });

  it.runIf(FULL_TESTS)("opens and closes the navigation on a narrow screen", async () => {
    const page = await open("quick-start", NARROW);
    const navigation = page.getByRole("navigation", { name: "Pages" });
    await expect.poll(() => navigation.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await navigation.getByRole("link", { name: "A first webhook" }).click();
    await expect.poll(() => navigation.isVisible()).toBe(false);
    await expect.poll(() => page.url()).toMatch(/#a-first-webhook$/);
    await page.close();
  });

  it.runIf(FULL_TESTS)("is readable without JavaScript", async () => {
    const visitor = await browser.newContext({ javaScriptEnabled: false });
    const page = await open("quick-start", NARROW, visitor);
    await expect.poll(() => page.getByRole("heading", { name: "A first webhook" }).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole("searchbox").isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("button", { name: "Copy" }).first().isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Errors" }).click();
    await page.waitForURL(`${service.url}/docs/errors`);
    await visitor.close();
  });
});
