import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";

const VIEWPORTS = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };

/** Checks a screen of the portal at its sizes. */
export async function checkPortalScreen(page: Page, name: string): Promise<void> {
  await checkScreen(page, name, VIEWPORTS);
}
