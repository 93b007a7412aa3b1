import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import type { Page, ViewportSize } from "playwright-core";
import { expect } from "vitest";
import { axeProblems } from "./axe.ts";
import { VIEWPORTS } from "./chromium.ts";
import { fitsWindow, settle } from "./watched-page.ts";

/** A folder for pictures of all screens; without it, none are taken. */
const PICTURES = process.env.SCREEN_PICTURES;

type Viewports = Record<"wide" | "narrow", ViewportSize>;

/** Whether each screen is checked in both widths and themes. Pictures are of all of them. */
const HAS_ALL_STATES = FULL_TESTS || PICTURES !== undefined;

/** The markup that only narrow windows showed, and that broke no rule. */
const checked_narrow = new Set<string>();

/**
 * Checks that a page fits the window, wide and narrow, and breaks no rule of axe. In the full form of tests it does so in both widths
 * and themes, and takes pictures; in the short one, the rules are those of a wide window in light colors.
 */
export async function checkScreen(page: Page, name: string, viewports: Viewports = VIEWPORTS): Promise<void> {
  if (HAS_ALL_STATES) return await checkAllStates(page, name, viewports);
  await checkWidth(page, name, viewports.wide);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await axeProblems(page), name).toEqual([]);
  await checkScreenAgain(page, name, viewports);
}

/**
 * Checks a screen that resembles one of another test: the short form of tests checks only that it fits a
 * narrow window.
 */
export async function checkScreenAgain(
  page: Page,
  name: string,
  viewports: Viewports = VIEWPORTS,
): Promise<void> {
  if (HAS_ALL_STATES) return await checkAllStates(page, name, viewports);
  await checkWidth(page, name, viewports.narrow);
  await page.setViewportSize(viewports.wide);
}

async function checkWidth(page: Page, name: string, viewport: ViewportSize): Promise<void> {
  await page.setViewportSize(viewport);
  await settle(page);
  await fitsWindow(page, `${name} ${viewport.width} pixels wide`);
}

async function checkAllStates(page: Page, name: string, viewports: Viewports): Promise<void> {
  for (const viewport of ["wide", "narrow"] as const) {
    await checkWidth(page, name, viewports[viewport]);
    const narrow_only = viewport === "narrow" ? await page.evaluate<string[]>(NEWLY_VISIBLE) : [];
    // Parts that both widths show break the same rules in both, unless they scroll in one of them.
    const is_checked = viewport === "narrow" && narrow_only.every((markup) => checked_narrow.has(markup));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const state = `${viewports[viewport].width}-${colorScheme}`;
      await takePicture(page, `${name}-${state}`, viewport === "narrow");
      // The themes differ in their colors only.
      const rules = colorScheme === "dark" ? "colors" : is_checked ? "scrolling" : "all";
      if (rules === "colors" && is_checked) continue;
      expect(await axeProblems(page, rules), `${name} ${state}`).toEqual([]);
    }
    if (viewport === "wide") await page.evaluate(REMEMBER_VISIBLE);
    for (const markup of narrow_only) checked_narrow.add(markup);
  }
  await page.setViewportSize(viewports.wide);
}

const VISIBLE =
  "[...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility({ visibilityProperty: true }))";
const REMEMBER_VISIBLE = `window.visible_before = new WeakSet(${VISIBLE})`;
/** The markup of the outermost elements that were not visible before, without addresses. */
const NEWLY_VISIBLE = `(() => {
  const added = new Set(${VISIBLE}.filter((element) => !window.visible_before.has(element)));
  const outermost = [...added].filter((element) => !added.has(element.parentElement));
  return outermost.map(({ outerHTML }) => outerHTML.replaceAll(/ href="[^"]*"/g, ""));
})()`;

/** Takes a picture, if a folder is set. */
export async function takePicture(page: Page, name: string, is_whole = false): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: is_whole });
}
