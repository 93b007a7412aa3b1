import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page, ViewportSize } from "playwright-core";
import { expect } from "vitest";
import { axeProblems } from "./axe.ts";
import { VIEWPORTS } from "./chromium.ts";
import { fitsWindow, settle } from "./watched-page.ts";

/** A folder for pictures of all screens; without it, none are taken. */
const PICTURES = process.env.SCREEN_PICTURES;

/** What narrow windows alone showed, by its markup, and broke no rule. */
const checked_narrow = new Set<string>();

/** Checks that a page fits the window and breaks no rule of axe, wide and narrow, light and dark, and takes its pictures. */
export async function checkScreen(
  page: Page,
  name: string,
  viewports: Record<"wide" | "narrow", ViewportSize> = VIEWPORTS,
): Promise<void> {
  for (const viewport of ["wide", "narrow"] as const) {
    await page.setViewportSize(viewports[viewport]);
    await settle(page);
    await fitsWindow(page, `${name} ${viewport}`);
    const narrow_only = viewport === "narrow" ? await page.evaluate<string[]>(NEWLY_VISIBLE) : [];
    // What both widths show breaks the same rules in both, unless it scrolls in one of them.
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
