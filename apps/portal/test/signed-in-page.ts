import { openPortal } from "@findersfee/api/testing/portal/affiliate-browser";
import type { TestService } from "@findersfee/api/testing/test-service";
import { openWatched, type WatchedPage } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";

/** A page of the portal in a browser in which an affiliate is signed in. */
export async function openSignedIn(
  { service, browser }: { service: TestService; browser: Browser },
  { email, path, locale }: { email: string; path: string; locale: string },
): Promise<WatchedPage> {
  return await openWatched(browser, `${service.url}/portal${path}`, {
    locale,
    storageState: { cookies: await sessionCookies(service, email), origins: [] },
  });
}

/** The cookies of a browser in which an affiliate signed in. */
export async function sessionCookies(service: TestService, email: string) {
  const { cookies } = await openPortal(service, email);
  return [...cookies].map(([name, value]) => ({
    ...{ name, value, domain: "127.0.0.1", path: "/", expires: -1 },
    ...{ httpOnly: true, secure: false, sameSite: "Lax" as const },
  }));
}
