/* Frequent tasks of an owner, in clicks. Typing and keys are not counted. */

import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { clicksOf, countClicks } from "./pointer-clicks.ts";
import { fillPlace } from "./program.ts";

describeInBrowser("an owner's tasks", (dashboard) => {
  beforeAll(() => fillPlace(dashboard.place));

  /** Opens the overview, from which the clicks count. */
  async function openOverview() {
    const watched = await dashboard.openInTab("");
    await watched.page.getByRole("heading", { level: 1 }).waitFor();
    await countClicks(watched.page);
    return watched;
  }

  async function find(page: Page, text: string): Promise<void> {
    await page.getByRole("button", { name: /^Search/ }).click();
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }

  it("find a customer with one click, by a part of the address", async () => {
    const watched = await openOverview();
    const { page } = watched;
    await find(page, "omer3@exam");
    await page.getByRole("heading", { level: 1, name: "customer3@example.com" }).waitFor();
    expect(await clicksOf(page)).toBe(1);
    await finish(watched);
  });

  it("credit a payment with three clicks, once it is found", async () => {
    const watched = await openOverview();
    const { page } = watched;
    await find(page, "in_8");
    await page.getByRole("button", { name: "Credit an affiliate…" }).waitFor();
    expect(await clicksOf(page)).toBe(1);
    await page.getByRole("button", { name: "Credit an affiliate…" }).click();
    const dialog = page.getByRole("dialog", { name: "Credit an affiliate for this payment" });
    await page.getByRole("option", { name: /Jane Doe/ }).click();
    await dialog.getByRole("button", { name: /^Affiliate Jane Doe/ }).waitFor();
    const reason = dialog.getByRole("textbox", { name: "Reason" });
    for (let tabs = 0; tabs < 3; tabs += 1) {
      if (await reason.evaluate((input) => input === input.ownerDocument.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("A friend told him.");
    await dialog.getByRole("button", { name: "Credit affiliate" }).click();
    await page.getByText("Credited to Jane Doe by Jane Doe").waitFor();
    expect(await clicksOf(page)).toBe(1 + 3);
    await finish(watched);
  });
});
