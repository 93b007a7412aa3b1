import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { LOAD_MILLISECONDS } from "./chromium.ts";

/** A page, or a frame in it. */
type Evaluating = Pick<Page, "evaluate">;

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** A page that collects its errors, warnings, policy violations and foreign requests in `complaints`. */
export interface WatchedPage {
  page: Page;
  complaints: string[];
}

/** Pages that were closed, by their browsers and the options of their contexts. */
const closed_pages = new WeakMap<Browser, Map<string, Page[]>>();
const options_of = new WeakMap<BrowserContext, string>();

/** How many times longer pages compute, for tests that a slow machine breaks. */
const SLOWDOWN = Number(process.env.SLOW_PAGES ?? 1);
const SLOW_LATENCY_MILLISECONDS = 200;

async function slowDown(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const network = {
    offline: false,
    latency: SLOW_LATENCY_MILLISECONDS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  };
  await protocol.send("Network.emulateNetworkConditions", network);
}

/** An application's heading, or a document of no application: scripts of a slow machine can outlast the wait of "networkidle". */
const SHOWN = "h1, html:not(:has(#root))";

/**
 * Opens an address in a context without anything of other pages. `closePage` closes it. Another address in the same page takes less
 * processor time.
 */
export async function openWatched(
  browser: Browser,
  address: string,
  { storageState, ...options }: BrowserContextOptions & { storageState?: StorageState } = {},
): Promise<WatchedPage> {
  const key = JSON.stringify(options);
  const before = closed_pages.get(browser)?.get(key)?.pop();
  const context = before?.context() ?? (await browser.newContext(options));
  options_of.set(context, key);
  if (before !== undefined) await forgetStorage(before, new URL(address).origin);
  await context.addCookies(storageState?.cookies ?? []);
  // Shorter than a test, so that a failure says which step it was.
  context.setDefaultTimeout(LOAD_MILLISECONDS / 2);
  const page = await context.newPage();
  if (SLOWDOWN > 1) await slowDown(page);
  // The process of the page before it goes on to serve this one.
  await before?.close();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(address).origin) complaints.push(request.url());
  });
  await page.goto(address, { waitUntil: "networkidle", timeout: LOAD_MILLISECONDS });
  await page.locator(SHOWN).first().waitFor({ state: "attached", timeout: LOAD_MILLISECONDS });
  return { page, complaints };
}

/**
 * Leaves the application and its session. In this order: an open page would see on its next request that it has no session, and go to
 * the sign-in page while the test goes elsewhere.
 */
export async function leave(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

async function forgetStorage(page: Page, origin: string): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage" });
  // The browser keeps public answers of the service for a minute, and tests change their data in it.
  await protocol.send("Network.clearBrowserCache");
}

/** Closes a page of `openWatched`, and forgets what its context stored: the next page needs no process of its own. */
export async function closePage(page: Page): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  const key = options_of.get(context);
  // A slowed page uses a processor until it closes.
  const is_disposable = browser === null || key === undefined || context.pages().length > 1 || SLOWDOWN > 1;
  if (is_disposable) return await context.close();
  await leave(page);
  const free = closed_pages.get(browser) ?? new Map<string, Page[]>();
  closed_pages.set(browser, free.set(key, [...(free.get(key) ?? []), page]));
}

/** Waits until animations have ended: colors in between have too little contrast. */
export async function settle(page: Evaluating): Promise<void> {
  const running =
    "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 9).length";
  await expect.poll(() => page.evaluate(running)).toBe(0);
}

const OVERFLOW = "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)";

/** Waits until the content is not wider than the window: charts are drawn again after it has a new size. */
export async function fitsWindow(page: Page, screen = "the page"): Promise<void> {
  await expect
    .poll(() => page.evaluate(OVERFLOW), { message: `pixels that ${screen} is wider than the window` })
    .toBe(0);
}

/** Hides the page as another tab in front of it does, or shows it again. */
export async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);
}
