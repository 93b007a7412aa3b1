import type { TestService } from "@findersfee/api/testing/test-service";
import type { Database } from "@findersfee/database/postgres/connect";
import { borrowChromium, has_chromium, VIEWPORTS, without_chromium } from "@findersfee/ui/testing/chromium";
import type { WatchedPage } from "@findersfee/ui/testing/watched-page";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createPlace, type Place, startDashboard, type Visit, visit } from "./program.ts";

/** Pages that are a document of their own. */
const ENTRANCE = /^\/(sign-in|reset)/;
const TWO_FRAMES =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

interface Started {
  service: TestService;
  browser: Browser;
  place: Place;
}

/** The functions that return tabs to the pool. */
const given_back = new WeakMap<Page, () => void>();

/** A service with the dashboard, an organization, and the browser that opens its pages. */
export class BrowserDashboard {
  #started: Started | null = null;
  /** The tabs in which no test is at work. */
  readonly #tabs = new Map<Place, WatchedPage>();

  async start(): Promise<void> {
    const service = await startDashboard();
    try {
      this.#started = {
        service,
        browser: await borrowChromium(),
        place: await createPlace(service.database),
      };
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#started?.browser.close();
    await this.#started?.service.close();
  }

  get service(): TestService {
    return this.#running.service;
  }

  get database(): Database {
    return this.service.database;
  }

  get browser(): Browser {
    return this.#running.browser;
  }

  get place(): Place {
    return this.#running.place;
  }

  get #running(): Started {
    if (this.#started === null) throw new Error("the dashboard has not started");
    return this.#started;
  }

  /** Opens a page of the organization, or of another one, as a new member of it. */
  readonly open = (path: string, { at = this.place, ...options }: Visit & { at?: Place } = {}) =>
    this.visit(`${at.home}${path}`, { at, ...options });

  /**
   * Opens a page of the organization, or of another one, in its one tab, as a link in the application does: opening takes three times
   * the processor time. `finish` gives the tab back, to tests of the same owner; a test that fails keeps it.
   */
  readonly openInTab = (path: string, at = this.place) => this.visitInTab(`${at.home}${path}`, at);

  /** Opens any page in the one tab of an organization. */
  async visitInTab(path: string, at = this.place): Promise<WatchedPage> {
    const tab = this.#tabs.get(at);
    this.#tabs.delete(at);
    if (tab === undefined) {
      const opened = await this.visit(path, { at, viewport: VIEWPORTS.wide });
      given_back.set(opened.page, () => this.#tabs.set(at, opened));
      return opened;
    }
    await tab.page.setViewportSize(VIEWPORTS.wide);
    await turnTo(tab.page, `${this.service.url}${path}`);
    return tab;
  }

  /** Goes to another page of an organization in an open page, as a link in the application does. */
  readonly turn = (page: Page, path: string, at = this.place) =>
    turnTo(page, `${this.service.url}${at.home}${path}`);

  /** Opens any page, as a new member of the organization or of another one. */
  readonly visit = (path: string, { at = this.place, ...options }: Visit & { at?: Place } = {}) =>
    visit(this.browser, { service: this.service, place: at, path }, options);
}

/** Whether the router has turned the page, its code and data are there, and nothing stands in place of them. */
const IS_SHOWN = `(() => {
  const { state, options } = window.__TSR_ROUTER__;
  const is_waiting = document.querySelector(".appear-late, [aria-busy=true]") !== null;
  return state.status === "idle" && options.context.client.isFetching() === 0 && !is_waiting;
})()`;

/** Goes to an address, within the application where it is open and has that page. */
export async function turnTo(page: Page, address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  const has_router = await page.evaluate("'__TSR_ROUTER__' in window");
  if (has_router !== true || ENTRANCE.test(pathname)) {
    await page.goto(address, { waitUntil: "networkidle" });
    return;
  }
  await page.evaluate(`window.__TSR_ROUTER__.navigate({ href: ${JSON.stringify(pathname + search)} })`);
  // A page asks for data, and for code, once it was drawn.
  const isShown = async () => {
    await page.evaluate(TWO_FRAMES);
    return await page.evaluate(IS_SHOWN);
  };
  await expect.poll(async () => (await isShown()) && (await isShown())).toBe(true);
}

/** A block of tests with a dashboard in Chromium; skipped where there is no Chromium. */
export function describeInBrowser(name: string, tests: (dashboard: BrowserDashboard) => void): void {
  describe.skipIf(!has_chromium)(`${name}${without_chromium}`, () => {
    const dashboard = new BrowserDashboard();
    beforeAll(() => dashboard.start());
    afterAll(() => dashboard.close());
    tests(dashboard);
  });
}

/** Closes a page, or gives back a tab, that has only expected complaints, given by parts of the messages. */
export async function finish(
  { page, complaints }: WatchedPage,
  expected: readonly string[] = [],
): Promise<void> {
  const unexpected = complaints.splice(0).filter((text) => !expected.some((part) => text.includes(part)));
  expect(unexpected).toEqual([]);
  const giveBack = given_back.get(page);
  if (giveBack === undefined) return await closePage(page);
  await page.unrouteAll();
  giveBack();
}
