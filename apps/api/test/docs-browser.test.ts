import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pages } from "../src/docs/pages.ts";
import { startTestService, type TestService } from "./test-service.ts";

const executable = [
  process.env.CHROMIUM_PATH ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path));

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

let service: TestService;
let browser: Browser;
let context: BrowserContext;

/** What went wrong in a page: errors, what its policy forbade, and requests to anybody else. */
const complaints: string[] = [];

const without = executable === undefined ? ": skipped, there is no Chromium (CHROMIUM_PATH names one)" : "";

describe.skipIf(executable === undefined)(`in a browser${without}`, () => {
  beforeAll(async () => {
    service = await startTestService();
    browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      // As root, in a container, Chromium cannot set up its own one.
      args: ["--no-sandbox"],
    });
    context = await browser.newContext();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(path: string, viewport = WIDE, visitor = context): Promise<Page> {
    const page = await visitor.newPage();
    await page.setViewportSize(viewport);
    complaints.length = 0;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:" && origin !== service.url) complaints.push(request.url());
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${service.url}/docs/${path}`, { waitUntil: "load" });
    return page;
  }

  async function overflowOf(page: Page): Promise<unknown> {
    return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  it.each(pages.map(({ slug }) => slug))("shows /docs/%s, wide and narrow", async (slug) => {
    const page = await open(slug);
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      expect(await page.getByRole("searchbox").isVisible()).toBe(true);
      expect(await overflowOf(page), `${viewport.width} pixels`).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows the reference with its document, wide and narrow", async () => {
    const page = await open("reference");
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      await page.getByText("Create a commission", { exact: true }).waitFor();
      expect(await overflowOf(page), `${viewport.width} pixels`).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("finds a word, by keyboard alone, and goes there", async () => {
    const page = await open("concepts");
    await page.keyboard.press("/");
    await page.keyboard.type("idempotency");
    await page.locator("#results a").first().waitFor();
    expect(await page.locator("#results a strong").first().textContent()).toBe("Idempotency");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.url}/docs/idempotency`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Idempotency");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("finds headings, mistyped words and error codes, says when there is nothing, and closes", async () => {
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
    await page.getByText("Nothing is said of “xyzzyplugh”.").waitFor();
    await search.press("Escape");
    expect(await page.locator("#results").isVisible()).toBe(false);
    await page.close();
  });

  it("opens and closes the navigation on a narrow screen", async () => {
    const page = await open("quick-start", NARROW);
    const navigation = page.getByRole("navigation", { name: "Pages" });
    expect(await navigation.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Pages" }).click();
    await navigation.getByRole("link", { name: "A first webhook" }).click();
    expect(await navigation.isVisible()).toBe(false);
    expect(page.url()).toMatch(/#a-first-webhook$/);
    await page.close();
  });

  it("can be read without JavaScript", async () => {
    const visitor = await browser.newContext({ javaScriptEnabled: false });
    const page = await open("quick-start", NARROW, visitor);
    expect(await page.getByRole("heading", { name: "A first webhook" }).isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").count()).toBe(0);
    await page.getByRole("button", { name: "Pages" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Errors" }).click();
    await page.waitForURL(`${service.url}/docs/errors`);
    await visitor.close();
  });

  it("leads old links to operations to where these are now", async () => {
    const page = await open("#/Commissions");
    await page.waitForURL(`${service.url}/docs/reference#/Commissions`);
    await page.close();
  });
});
