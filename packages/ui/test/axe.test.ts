import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeProblems } from "./axe.ts";
import { borrowChromium, has_chromium, without_chromium } from "./chromium.ts";

describe.skipIf(!has_chromium)(`the check of accessibility${without_chromium}`, () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await borrowChromium();
    page = await browser.newPage();
  });

  afterAll(() => browser?.close());

  /** The rules that a page with this content breaks. */
  async function brokenBy(content: string, rules: "all" | "colors" = "all"): Promise<string[]> {
    await page.setContent(
      `<html lang="en"><title>Check</title><main><h1>Texts</h1><p>Legible</p>${content}</main></html>`,
    );
    return (await axeProblems(page, rules)).map((problem) => problem.split(":")[0] ?? "");
  }

  it("finds texts without contrast, of any origin, as often as they occur", async () => {
    expect(await brokenBy("<p>Legible, too</p>")).toEqual([]);
    for (const illegible of [
      `<p style="color: #ccc">Pale</p>`,
      `<div style="background: #222"><p>Dark</p></div>`,
      `<div style="opacity: 0.3"><p>Faint</p></div>`,
      `<input aria-label="Name" value="Jane" style="color: #ccc; background: #fff">`,
    ]) {
      expect(await brokenBy(illegible)).toEqual(["color-contrast"]);
      expect(await brokenBy(illegible, "colors")).toEqual(["color-contrast"]);
    }
  });

  it("finds them beside a covered text of the same colors", async () => {
    const covered = `<div style="position: relative"><p style="color: #bbb">Covered</p>
      <div style="position: absolute; inset: 0; background: #fff"></div></div>`;
    expect(await brokenBy(covered)).toEqual([]);
    expect(await brokenBy(`${covered}<p style="color: #bbb">Pale</p>`)).toEqual(["color-contrast"]);
  });

  it("allows large texts less contrast than small ones", async () => {
    expect(await brokenBy(`<p style="color: #888; font-size: 30px">Large</p>`)).toEqual([]);
    expect(await brokenBy(`<p style="color: #888; font-size: 12px">Small</p>`)).toEqual(["color-contrast"]);
  });

  it("finds what is not a matter of colors", async () => {
    expect(await brokenBy(`<button></button>`)).toEqual(["button-name"]);
    expect(await brokenBy(`<p style="color: #ccc">Pale <input></p>`)).toEqual(["label", "color-contrast"]);
  });
});
