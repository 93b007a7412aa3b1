import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Waits until nothing cuts or breaks an amount of millions or more: a page that has another width fits its columns when it is drawn next.
 * Fails with those that are left, the width of the window and their place.
 */
export async function showsAmountsWhole(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<string[]>(CUT)).toEqual([]);
}

const CUT = `(() => {
  const isCut = (range, element) => {
    const { left, right, top, bottom } = range.getBoundingClientRect();
    for (let one = element; one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      if (box.width <= 1) return false;
      const hides = (overflow) => overflow === "hidden" || overflow === "clip";
      if (hides(overflowX) && (left < box.left - 1 || right > box.right + 1)) return true;
      if (hides(overflowY) && (top < box.top - 1 || bottom > box.bottom + 1)) return true;
      if (getComputedStyle(one).textOverflow === "ellipsis" && right > box.right + 1) return true;
    }
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size > 1;
  };
  const found = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    for (const match of text.data.matchAll(/\\S*\\d,\\d{3},\\d{3}\\S*/g)) {
      const range = document.createRange();
      range.setStart(text, match.index);
      range.setEnd(text, match.index + match[0].length);
      if (range.getClientRects().length > 0 && isCut(range, text.parentElement))
        found.push(innerWidth + ": " + match[0] + " in " + text.parentElement.closest("td, dd, p, li, span")?.textContent);
    }
  }
  return found;
})()`;
