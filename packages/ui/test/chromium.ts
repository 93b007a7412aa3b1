import { existsSync } from "node:fs";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { type Browser, chromium } from "playwright-core";

const EXECUTABLE = [
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

/** Starts the installed Chromium with these further arguments. */
export async function launchChromium(parameters: readonly string[] = []): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error("no Chromium was found; set CHROMIUM_PATH");
  return await chromium.launch({
    executablePath: EXECUTABLE,
    timeout: LOAD_MILLISECONDS,
    args: [...FEW_PROCESSES, ...UNOPTIMIZED, ...MOTION, ...parameters],
  });
}

export const VIEWPORTS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
