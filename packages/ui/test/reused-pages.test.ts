import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { borrowChromium, has_chromium, without_chromium } from "./chromium.ts";
import { closePage, openWatched } from "./watched-page.ts";

/** Goes to the sign-in as soon as it may run without a session. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><h1>Page</h1><script>
  document.cookie = "session=1";
  setInterval(() => document.cookie === "" && location.assign("/sign-in?to=" + location.pathname), 1);
</script>`;

describe.skipIf(!has_chromium)(`a page that goes on from a closed one${without_chromium}`, () => {
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    browser = await borrowChromium();
    server = createServer((request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(request.url === "/former" ? PAGE : "<!doctype html><h1>Sign in</h1>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it("is not led elsewhere by that one, whose session is gone", async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let time = 0; time < 3; time++) {
      await closePage((await openWatched(browser, `${origin}/former`)).page);
      const { page } = await openWatched(browser, `${origin}/sign-in?to=/next`);
      await page.waitForLoadState("networkidle");
      expect(page.url()).toBe(`${origin}/sign-in?to=/next`);
      await closePage(page);
    }
  });
});
