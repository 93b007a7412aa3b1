import type { TestService } from "@findersfee/api/testing/test-service";
import type { Database } from "@findersfee/database/connect";
import { has_chromium, launchChromium, VIEWPORTS, without_chromium } from "@findersfee/ui/testing/chromium";
import type { WatchedPage } from "@findersfee/ui/testing/watched-page";
import { closePage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createPlace, type Place, startDashboard, type Visit, visit } from "./program.ts";

interface Started {
  service: TestService;
  browser: Browser;
  place: Place;
}

/** A service with the dashboard, an organization, and the browser that opens its pages. */
export class BrowserDashboard {
  #started: Started | null = null;
  readonly #tabs = new Map<Place, WatchedPage>();

  async start(): Promise<void> {
    const service = await startDashboard();
    try {
      this.#started = {
        service,
        browser: await launchChromium(),
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

  /** Opens a page in the one tab of an organization, which takes a third of the time of a page in a context of its own. */
  async openInTab(path: string, at = this.place): Promise<WatchedPage> {
    const tab = this.#tabs.get(at);
    if (tab === undefined) {
      const opened = await this.visit(path, { at });
      this.#tabs.set(at, opened);
      return opened;
    }
    await tab.page.setViewportSize(VIEWPORTS.wide);
    await tab.page.goto(`${this.service.url}${path}`, { waitUntil: "networkidle" });
    return tab;
  }

  /** Opens any page, as a new member of the organization or of another one. */
  readonly visit = (path: string, { at = this.place, ...options }: Visit & { at?: Place } = {}) =>
    visit(this.browser, { service: this.service, place: at, path }, options);
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

/** Closes a page that has only expected complaints, given by parts of the messages. */
export async function finish(
  { page, complaints }: WatchedPage,
  expected: readonly string[] = [],
): Promise<void> {
  const unexpected = complaints.filter((text) => !expected.some((part) => text.includes(part)));
  expect(unexpected).toEqual([]);
  await closePage(page);
}
