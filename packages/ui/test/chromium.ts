import { existsSync } from "node:fs";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { type Browser, chromium } from "playwright-core";

export const EXECUTABLE = [
  process.env.CHROMIUM_PATH ?? "",
  // Without the windows of the whole browser, it opens pages in about half the time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path));

export const has_chromium = EXECUTABLE !== undefined;

/** For the names of tests that need it. */
export const without_chromium = has_chromium ? "" : ": skipped without Chromium (set CHROMIUM_PATH)";

/** A busy machine may start the browser's processes slowly. */
export const LOAD_MILLISECONDS = 120_000;

/**
 * As root in a container, Chromium cannot set up its own sandbox. Pages of a browser share a renderer, and the browser draws for them:
 * both save a sixth of the processor time of a test, alone or together.
 */
const FEW_PROCESSES = ["--no-sandbox", "--renderer-process-limit=1", "--in-process-gpu"];

/** Scripts of tests run too rarely to repay their optimization. */
const UNOPTIMIZED = ["--js-flags=--no-opt"];

/** Frames of animations take a tenth of the processor time of a test. The full form has them. */
const MOTION = FULL_TESTS ? [] : ["--force-prefers-reduced-motion"];

/** Chromium prints this if it crashes before it opens a page, which it did once in a day of runs. */
const CRASHED = "Segmentation fault";

/** Starts the installed Chromium with these further arguments, once more if it crashed at its start. */
export async function launchChromium(parameters: readonly string[] = []): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error("no Chromium was found; set CHROMIUM_PATH");
  const options = {
    executablePath: EXECUTABLE,
    timeout: LOAD_MILLISECONDS,
    args: [...FEW_PROCESSES, ...UNOPTIMIZED, ...MOTION, ...parameters],
  };
  return await chromium.launch(options).catch(async (error: unknown) => {
    if (!String(error).includes(CRASHED)) throw error;
    return await chromium.launch(options);
  });
}

/** The browser of this process, while no test file uses it. */
let idle: Browser | null = null;

/**
 * Returns a browser without any page, which resolves `*.test` to this machine. Its `close` closes its pages, and leaves it to the
 * next test file of the process: a start takes two seconds of processor time. The browser ends with the process.
 */
export async function borrowChromium(): Promise<Browser> {
  const former = idle;
  idle = null;
  if (former?.isConnected()) return former;
  const browser = await launchChromium(["--host-resolver-rules=MAP *.test 127.0.0.1"]);
  const end = browser.close.bind(browser);
  browser.close = async () => {
    for (const context of browser.contexts()) await context.close();
    if (idle === null) idle = browser;
    else await end();
  };
  return browser;
}

export const VIEWPORTS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
