import { execFile } from "node:child_process";
import type { Server } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeProblems } from "./axe.ts";
import { borrowChromium, has_chromium, VIEWPORTS, without_chromium } from "./chromium.ts";
import { serveFolder } from "./gallery-server.ts";
import { checkScreen } from "./screens.ts";
import { closePage, openWatched, type WatchedPage } from "./watched-page.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGES = ["buttons", "forms", "lists", "overlays", "states", "charts"];

let server: Server;
let url: string;
let browser: Browser;

describe.skipIf(!has_chromium)(`the gallery${without_chromium}`, () => {
  beforeAll(async () => {
    // A production build, as users get it: the NODE_ENV of tests would select React's development code.
    await promisify(execFile)(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: "production" },
    });
    ({ server, url } = await serveFolder(join(ROOT, "dist/gallery")));
    browser = await borrowChromium();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(
    name: string,
    viewport: keyof typeof VIEWPORTS = "wide",
    colorScheme: "light" | "dark" = "light",
  ): Promise<WatchedPage> {
    const options = { viewport: VIEWPORTS[viewport], colorScheme };
    return await openWatched(browser, `${url}/?page=/${name}`, options);
  }

  async function finish({ page, complaints }: WatchedPage): Promise<void> {
    expect(complaints).toEqual([]);
    await closePage(page);
  }

  it.runIf(FULL_TESTS)("fits the window and violates no axe rule on any page", async () => {
    const { page, complaints } = await open("buttons");
    for (const name of casesOf(PAGES, { short: 5 })) {
      await page.goto(`${url}/?page=/${name}`, { waitUntil: "networkidle" });
      await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
      await checkScreen(page, `gallery-${name}`);
    }
    await finish({ page, complaints });
  });

  it("shows which button is disabled", async () => {
    const watched = await open("buttons");
    const styleOf = (name: string) =>
      watched.page.getByRole("button", { name, exact: true }).evaluate((button) => {
        const style = button.ownerDocument.defaultView?.getComputedStyle(button);
        return { color: style?.color, background: style?.backgroundColor };
      });
    const [plain, disabled] = [await styleOf("Plain"), await styleOf("Disabled")];
    expect(disabled.color).not.toBe(plain.color);
    expect(disabled.background).not.toBe(plain.background);
    await finish(watched);
  });

  describe("a menu", () => {
    it("rings the item that the keyboard is at, and none under the pointer", async () => {
      const watched = await open("overlays", "wide", "dark");
      const { page } = watched;
      const trigger = page.getByRole("button", { name: "Actions", exact: true });
      const ringOf = (item: Locator) =>
        item.evaluate((node) => node.ownerDocument.defaultView?.getComputedStyle(node).outlineStyle);
      const items = page.getByRole("menuitem");
      await trigger.click();
      await items.first().hover();
      await expect.poll(() => items.first().getAttribute("data-highlighted")).toBe("");
      expect(await ringOf(items.first())).toBe("none");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => ringOf(items.nth(1))).toBe("solid");
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("opens with the keyboard at its first item, and restores the focus", async () => {
      const watched = await open("overlays");
      const { page } = watched;
      const trigger = page.getByRole("button", { name: "Actions", exact: true });
      await trigger.focus();
      await page.keyboard.press("Enter");
      await expectFocus(page, "Send a test");
      await page.keyboard.press("ArrowDown");
      await expectFocus(page, "Log");
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expectFocus(page, "Actions");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("closes with a second click on its trigger", async () => {
      const watched = await open("overlays");
      const trigger = watched.page.getByRole("button", { name: "Actions", exact: true });
      await trigger.click();
      await watched.page.getByRole("menuitem", { name: "Send a test" }).waitFor();
      await trigger.click();
      await watched.page.getByRole("menu").waitFor({ state: "detached" });
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("loads its code when the pointer first reaches a trigger", async () => {
      const requested: string[] = [];
      const watched = await open("overlays");
      watched.page.on("request", (request) => requested.push(request.url()));
      const loaded = () => requested.filter((address) => address.includes("overlays")).length;
      const before = await watched.page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => entry.name)",
      );
      expect(String(before)).not.toContain("overlays");
      await watched.page.getByRole("button", { name: "Actions", exact: true }).hover();
      await expect.poll(loaded).toBe(1);
      await finish(watched);
    });
  });

  describe("a dialog", () => {
    it("traps the focus, and restores it afterwards", async () => {
      const watched = await open("overlays");
      const { page } = watched;
      await page.getByRole("button", { name: "Open a dialog" }).click();
      const dialog = page.getByRole("dialog", { name: "Start the payout run" });
      await dialog.waitFor();
      for (let index = 0; index < 12; index += 1) {
        await page.keyboard.press("Tab");
        const inside = await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        );
        expect(inside).toBe(true);
      }
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await expectFocus(page, "Open a dialog");
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("shows toasts and menus above itself, and lets them be clicked", async () => {
      const watched = await open("overlays", "narrow");
      const { page } = watched;
      await page.getByRole("button", { name: "Open a dialog" }).click();
      await page.getByRole("button", { name: "Actions in it" }).click();
      await page.getByRole("menuitem", { name: "Send a test" }).click();
      const toast = page.getByRole("status").filter({ hasText: "Test sent" });
      await toast.waitFor();
      await toast.getByRole("button", { name: "Close" }).click();
      await toast.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Open another" }).click();
      await page.getByRole("dialog", { name: "Another dialog" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Start the payout run" }).waitFor();
      await finish(watched);
    });

    it("leaves toasts from before behind it, and shows its own", async () => {
      const watched = await open("overlays", "narrow");
      const { page } = watched;
      await page.getByRole("button", { name: "Show a toast" }).click();
      await page.getByText("12 affiliates approved").hover();
      await page.getByRole("button", { name: "Open a dialog" }).click();
      const dialog = page.getByRole("dialog", { name: "Start the payout run" });
      await dialog.getByRole("button", { name: "Actions in it" }).click();
      await page.getByRole("menuitem", { name: "Send a test" }).click();
      await dialog.getByText("Test sent").waitFor();
      expect(await dialog.getByText("12 affiliates approved").count()).toBe(0);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("closes with a click outside", async () => {
      const watched = await open("overlays");
      const { page } = watched;
      await page.getByRole("button", { name: "Open a dialog" }).click();
      await page.getByRole("dialog", { name: "Start the payout run" }).waitFor();
      await page.mouse.click(8, 8);
      await page.getByRole("dialog", { name: "Start the payout run" }).waitFor({ state: "hidden" });
      await finish(watched);
    });
  });

  it.runIf(FULL_TESTS)(
    "keeps a toast open under the pointer, and undoes an action with its button",
    async () => {
      const watched = await open("overlays");
      const { page } = watched;
      await page.getByRole("button", { name: "Show a toast" }).click();
      const toast = page.getByRole("status").filter({ hasText: "12 affiliates approved" });
      await toast.getByText("12 affiliates approved").hover();
      expect(await axeProblems(page)).toEqual([]);
      await toast.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone").waitFor();
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("selects an option of a combobox by typing", async () => {
    const watched = await open("forms");
    const { page } = watched;
    const combobox = page.getByRole("button", { name: /^Affiliate/ });
    await combobox.focus();
    await page.keyboard.press("Enter");
    await page.getByPlaceholder("Search").fill("Affiliate 37");
    await page.getByRole("option").filter({ hasText: "a37@example.com" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => combobox.textContent()).toBe("Affiliate 37");
    await expectFocus(page, "Affiliate 37");
    await finish(watched);
  });

  it("shows the whole focus ring of the command palette", async () => {
    const watched = await open("buttons");
    const { page } = watched;
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await expect
      .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    const cut = await field.evaluate((input) => {
      const style = input.ownerDocument.defaultView?.getComputedStyle(input);
      const ring =
        Number.parseFloat(style?.outlineOffset ?? "") + Number.parseFloat(style?.outlineWidth ?? "");
      const top = input.closest(".overflow-y-auto")?.getBoundingClientRect().top ?? Number.NaN;
      return top - (input.getBoundingClientRect().top - ring);
    });
    expect(cut).toBeLessThanOrEqual(0);
    await finish(watched);
  });

  it("shows few points as bars with whole values, and marks the last one that is not over", async () => {
    const watched = await open("charts");
    const { page } = watched;
    const chart = (name: string) => page.locator("figure", { hasText: name }).getByRole("img");
    await chart("Sign-ups").waitFor();
    expect(await chart("Sign-ups").locator("text").allTextContents()).toEqual(
      expect.arrayContaining(["0", "1", "2", "3"]),
    );
    expect((await chart("Sign-ups").locator("text").allTextContents()).join(" ")).not.toContain("0.5");
    expect(await chart("Sign-ups").locator("rect").count()).toBe(5);
    expect(await chart("Sign-ups").locator("path").count()).toBe(0);
    for (const name of ["Sign-ups", "Last 30 days"]) {
      expect(await chart(name).locator("[data-open]").count()).toBe(1);
    }
    expect(await chart("400 days").locator("[data-open]").count()).toBe(0);
    const cursor = page.getByRole("slider", { name: "Sign-ups" });
    await cursor.focus();
    await expect.poll(() => cursor.getAttribute("aria-valuetext")).toContain("Nov 30, so far: 2");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("opens a page from the command palette", async () => {
    const watched = await open("buttons");
    const { page } = watched;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("charts");
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Charts" }).waitFor();
    await finish(watched);
  });

  describe("a list", () => {
    it("moves and selects with the keyboard", async () => {
      const watched = await open("lists");
      const { page } = watched;
      for (const key of ["j", "j", "x", "j", "j", "Shift+X"]) await page.keyboard.press(key);
      await page.getByText("3 selected").waitFor();
      await page.keyboard.press("k");
      await expectFocus(page, "Nov 20, 7:30 PM");
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).toContain("row%3D");
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("selects neither locked nor hidden rows", async () => {
      const watched = await open("lists");
      const { page } = watched;
      await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
      await page.getByText("22 selected").waitFor();
      await page.getByRole("textbox", { name: "Customer's email" }).fill("customer1");
      await page.getByText("9 selected").waitFor();
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("searches after `/`, and reports that nothing matches", async () => {
      const watched = await open("lists");
      const { page } = watched;
      await page.keyboard.press("/");
      await page.keyboard.type("nobody@");
      await page.getByText('No payment matches "nobody@"').waitFor();
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByText("customer0@example.com").waitFor();
      await finish(watched);
    });

    it.runIf(FULL_TESTS)("remains a table for screen readers on a phone", async () => {
      const watched = await open("lists", "narrow");
      const session = await watched.page.context().newCDPSession(watched.page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const roles = nodes.map(({ role }) => role?.value);
      expect(roles).toContain("table");
      expect(roles.filter((role) => role === "row").length).toBeGreaterThan(20);
      await finish(watched);
    });
  });

  it.runIf(FULL_TESTS)("takes keys as soon as a page has its elements, before it is painted", async () => {
    const watched = await open("buttons");
    const { page } = watched;
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector("search input") === null) return;
      observer.disconnect();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "/" }));
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${url}/?page=/lists`, { waitUntil: "networkidle" });
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Customer's email");
    expect(watched.complaints).toEqual([]);
    await page.context().close();
  });

  it.runIf(FULL_TESTS)("lists the shortcuts with `?`, and turns them off", async () => {
    const watched = await open("lists");
    const { page } = watched;
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Next row").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Ann" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Shortcuts of single keys" }).click();
    await page.keyboard.press("?");
    await page.keyboard.press("g");
    await page.keyboard.press("1");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Lists");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows the values of a chart with the arrow keys and as a table", async () => {
    const watched = await open("charts");
    const { page } = watched;
    const cursor = page.getByRole("slider", { name: "Revenue" });
    await cursor.focus();
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(() => cursor.getAttribute("aria-valuetext"))
      .toMatch(/^Nov 29: \$[\d,.]+, previous period \$/);
    await page.getByRole("button", { name: "Table" }).first().click();
    await page.getByRole("row", { name: /^Nov 29/ }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "moves the focus to the content with the skip link, and to the heading with a page's link",
    async () => {
      const watched = await open("buttons");
      const { page } = watched;
      await page.keyboard.press("Tab");
      await expectFocus(page, "Skip to content");
      await page.getByRole("banner").getByRole("link", { name: "States" }).click();
      await expectFocus(page, "States");
      await expect.poll(() => page.title()).toBe("States · Gallery");
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)("lists all pages in a sheet on a phone", async () => {
    const watched = await open("buttons", "narrow");
    const { page } = watched;
    await page.getByRole("button", { name: "More" }).click();
    const sheet = page.getByRole("dialog", { name: "Menu" });
    expect(await axeProblems(page)).toEqual([]);
    await sheet.getByRole("link", { name: "States" }).click();
    await page.getByRole("heading", { level: 1, name: "States" }).waitFor();
    await sheet.waitFor({ state: "hidden" });
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("prefers the class of <html> to the system's color scheme", async () => {
    const watched = await open("buttons", "wide", "light");
    const background = () => watched.page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(255, 255, 255)");
    await watched.page.evaluate("document.documentElement.className = 'dark'");
    expect(await background()).toBe("rgb(17, 17, 16)");
    await finish(watched);
  });
});

/** Waits until the element with this text has the focus. */
async function expectFocus(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain(text);
}
