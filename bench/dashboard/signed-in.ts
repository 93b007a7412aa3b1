import { VIEWPORTS } from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext } from "playwright-core";
import type { Subject } from "./subject.ts";

/** A new browser, without a cache, of the person who is signed in. */
export async function signedIn(
  browser: Browser,
  { cookie }: Pick<Subject, "cookie">,
): Promise<BrowserContext> {
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({ viewport: VIEWPORTS.wide });
  await context.addCookies([{ name, value, domain: "127.0.0.1", path: "/" }]);
  return context;
}
