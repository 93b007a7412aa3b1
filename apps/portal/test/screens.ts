import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen, checkScreenAgain, takePicture } from "@findersfee/ui/testing/screens";
import { fitsWindow, settle } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";

/** The least width that the portal supports. */
const LEAST = { width: 320, height: 640 };
const WIDE = { width: 1440, height: 900 };
/** In the short form of tests, the least width stands for all narrow ones. */
const VIEWPORTS = { wide: WIDE, narrow: FULL_TESTS ? { width: 360, height: 740 } : LEAST };

/** Checks a screen of the portal at its sizes. */
export async function checkPortalScreen(page: Page, name: string): Promise<void> {
  await checkScreen(page, name, VIEWPORTS);
  await checkLeastWidth(page, name);
}

/** Checks a screen that resembles one of another test, as `checkScreenAgain` does. */
export async function checkPortalScreenAgain(page: Page, name: string): Promise<void> {
  await checkScreenAgain(page, name, VIEWPORTS);
  await checkLeastWidth(page, name);
}

async function checkLeastWidth(page: Page, name: string): Promise<void> {
  if (VIEWPORTS.narrow === LEAST) return;
  await page.setViewportSize(LEAST);
  await settle(page);
  await fitsWindow(page, `${name} at 320 pixels`);
  await takePicture(page, `${name}-320-dark`, true);
  await page.setViewportSize(WIDE);
}
