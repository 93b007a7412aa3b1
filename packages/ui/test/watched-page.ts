import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { LOAD_MILLISECONDS } from "./chromium.ts";

/** A page, or a frame in it. */
type Evaluating = Pick<Page, "evaluate">;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page that collects its errors, warnings, policy violations and foreign requests in `complaints`. */
export interface WatchedPage {
  page: Page;
  complaints: string[];
}

/**
 * Opens an address in a context of its own. The context closes with `page.context().close()`. Another address in the same
 * page takes a third of the processor time (240 ms of 750): no new process starts, and the code is compiled.
 */
export async function openWatched(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  // Shorter than a test, so that a failure says which step it was.
  context.setDefaultTimeout(LOAD_MILLISECONDS / 2);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(address).origin) complaints.push(request.url());
  });
  await page.goto(address, { waitUntil: "networkidle", timeout: LOAD_MILLISECONDS });
  return { page, complaints };
}

/** Serious and critical rules of axe that the page or frame breaks, with the elements; of all rules, or of those about colors. */
export async function axeProblems(page: Evaluating, rules: "all" | "colors" = "all"): Promise<string[]> {
  await settle(page);
  // The inspector's evaluation is not subject to the page's policy. Reading the script takes 60 ms of processor time.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const only =
    rules === "all" ? "" : ", runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }";
  const result = (await page.evaluate(`axe.run({ resultTypes: ['violations']${only} })`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  const serious = result.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`).join("; ")}`,
  );
}

/** Waits until animations have ended: colors in between have too little contrast. */
async function settle(page: Evaluating): Promise<void> {
  const running =
    "document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 9).length";
  await expect.poll(() => page.evaluate(running), { timeout: LOAD_MILLISECONDS }).toBe(0);
}

/** The pixels that the content is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return Math.max(0, Number(overflow));
}
