import { checkScreen, takePicture } from "@findersfee/ui/testing/screens";
import { fitsWindow, settle } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";

const VIEWPORTS = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };
/** The least width that the portal supports. */
const LEAST = { width: 320, height: 640 };

/** Checks a screen of the portal at its sizes. */
export async function checkPortalScreen(page: Page, name: string): Promise<void> {
  await checkScreen(page, name, VIEWPORTS);
  await page.setViewportSize(LEAST);
  await settle(page);
  await fitsWindow(page, `${name} at 320 pixels`);
  await takePicture(page, `${name}-320-dark`, true);
  await page.setViewportSize(VIEWPORTS.wide);
}
