import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Locator,
  Page,
} from "playwright-core";
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
/** The listeners that tests add to pages, and that the next test must not find. */
const LISTENED = ["console", "dialog", "download", "pageerror", "popup", "request", "response"] as const;

/** How many times longer pages compute, for tests that a slow machine breaks. */
const SLOWDOWN = Number(process.env.SLOW_PAGES ?? 1);
const SLOW_LATENCY_MILLISECONDS = 200;
/** The longest time after which an open page asks the service again. */
const ASKS_AGAIN_MILLISECONDS = 10_000;
/** That of contexts without another one. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

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
  const before = await takeClosed(browser, key, new URL(address).origin);
  const context = before?.context() ?? (await browser.newContext(options));
  options_of.set(context, key);
  // Shorter than a test, so that a failure says which step it was.
  context.setDefaultTimeout(LOAD_MILLISECONDS / 2);
  if (before !== undefined) await restore(before, options, new URL(address));
  await context.addCookies(storageState?.cookies ?? []);
  const page = before ?? (await context.newPage());
  if (SLOWDOWN > 1) await slowDown(page);
  const complaints = complaintsOf(page, new URL(address).origin);
  if (before !== undefined) {
    // The former page sees that it has no session as soon as its scripts run, and goes to the sign-in page meanwhile.
    await before.goto("about:blank");
    await setScripts(before, "on");
  }
  await page.goto(address, { waitUntil: "networkidle", timeout: LOAD_MILLISECONDS });
  await page.locator(SHOWN).first().waitFor({ state: "attached", timeout: LOAD_MILLISECONDS });
  return { page, complaints };
}

/** Takes a closed page of an origin. Pages of other origins would keep the data that they stored there. */
async function takeClosed(browser: Browser, key: string, origin: string): Promise<Page | undefined> {
  const pages = closed_pages.get(browser)?.get(key);
  let page = pages?.pop();
  // Those of a former test file.
  while (page?.isClosed()) page = pages?.pop();
  if (page === undefined || new URL(page.url()).origin === origin) return page;
  await page.context().close();
  return undefined;
}

function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) complaints.push(request.url());
  });
  return complaints;
}

/**
 * Leaves the application and its session. In this order: an open page would see on its next request that it has no session, and go to
 * the sign-in page while the test goes elsewhere.
 */
export async function leave(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/**
 * Closes a page of `openWatched`. The next one with the same options goes on from it, which spares a page and the compilation of its
 * scripts. A page with a clock, a script or an authenticator of its own is closed with its context instead.
 */
export async function closePage(page: Page): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  const key = options_of.get(context);
  // A slowed page uses a processor until it closes.
  const is_disposable = browser === null || key === undefined || context.pages().length > 1 || SLOWDOWN > 1;
  if (is_disposable) return await context.close();
  for (const event of LISTENED) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await setScripts(page, "off");
  const free = closed_pages.get(browser) ?? new Map<string, Page[]>();
  closed_pages.set(browser, free.set(key, [...(free.get(key) ?? []), page]));
}

const protocols = new WeakMap<Page, Promise<CDPSession>>();

function protocolOf(page: Page): Promise<CDPSession> {
  const known = protocols.get(page) ?? page.context().newCDPSession(page);
  protocols.set(page, known);
  return known;
}

/** A closed page runs no scripts until the next one leaves it: it neither works nor asks the service for anything. */
async function setScripts(page: Page, state: "on" | "off"): Promise<void> {
  await (await protocolOf(page)).send("Emulation.setScriptExecutionDisabled", { value: state === "off" });
}

/** Deletes the data that the former page stored, and resets sizes, media and connection that a test set. */
async function restore(page: Page, options: BrowserContextOptions, next: URL): Promise<void> {
  const context = page.context();
  const protocol = await protocolOf(page);
  await context.clearCookies();
  await context.setOffline(false);
  await protocol.send("Storage.clearDataForOrigin", { origin: next.origin, storageTypes: "local_storage" });
  // The browser keeps public answers about programs for a minute, and tests change their data in it. Other pages have none, and keep
  // the cache: without its scripts, opening them takes half as long again.
  if (next.pathname.startsWith("/portal")) await protocol.send("Network.clearBrowserCache");
  await page.evaluate("sessionStorage.clear()");
  const { colorScheme = "light", viewport = DEFAULT_VIEWPORT } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: null });
  if (viewport !== null) await page.setViewportSize(viewport);
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

/**
 * Waits for what a page shows by itself when it asks again, and lets time pass faster meanwhile. The page was loaded after
 * `page.clock.install()`.
 */
export async function showsInTime(page: Page, shown: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(ASKS_AGAIN_MILLISECONDS);
        return await shown.first().isVisible();
      },
      { interval: 500 },
    )
    .toBe(true);
}

/** Hides the page as another tab in front of it does, or shows it again. */
export async function setVisibility(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);
}
