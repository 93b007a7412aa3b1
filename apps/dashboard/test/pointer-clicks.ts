import type { Page } from "playwright-core";

/** A key that presses a button is a click without a detail. */
const COUNT = `{
  window.counted_clicks ?? addEventListener("click", ({ isTrusted, detail }) => {
    if (isTrusted && detail > 0) window.counted_clicks += 1;
  }, true);
  window.counted_clicks = 0;
}`;

/** Counts clicks of the pointer from now on, until the page is loaded again. */
export async function countClicks(page: Page): Promise<void> {
  await page.evaluate(COUNT);
}

export async function clicksOf(page: Page): Promise<unknown> {
  return await page.evaluate("window.counted_clicks");
}
