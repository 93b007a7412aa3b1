import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page, ViewportSize } from "playwright-core";
import { expect } from "vitest";
import { VIEWPORTS } from "./chromium.ts";
import { axeProblems, overflowOf } from "./watched-page.ts";

/** A folder for pictures of all screens; without it, none are taken. */
const PICTURES = process.env.SCREEN_PICTURES;

/** Checks that a page fits the window and breaks no rule of axe, wide and narrow, light and dark, and takes its pictures. */
export async function checkScreen(
  page: Page,
  name: string,
  viewports: Record<"wide" | "narrow", ViewportSize> = VIEWPORTS,
): Promise<void> {
  for (const viewport of ["wide", "narrow"] as const) {
    await page.setViewportSize(viewports[viewport]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const state = `${viewports[viewport].width}-${colorScheme}`;
      await takePicture(page, `${name}-${state}`, viewport === "narrow");
      // The themes differ in their colors only.
      const rules = colorScheme === "light" ? "all" : "colors";
      expect(await axeProblems(page, rules), `${name} ${state}`).toEqual([]);
    }
    expect(await overflowOf(page), `${name} ${viewport}`).toBe(0);
  }
  await page.setViewportSize(viewports.wide);
}

/** Takes a picture, if a folder is set. */
export async function takePicture(page: Page, name: string, is_whole = false): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: is_whole });
}
