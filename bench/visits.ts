/* Visits of pages in Chromium. */
import type { Browser, Page } from "playwright-core";
import { signedIn } from "./dashboard/signed-in.ts";

export interface Visit {
  usable: number;
  bytes: number;
  requests: number;
}

/** Opens a page with an empty cache, as the person of a session. */
export async function visitCold(
  browser: Browser,
  { port, cookie }: { port: number; cookie: string },
  path: string,
  processor_slowdown = 1,
): Promise<Visit> {
  const context = await signedIn(browser, { cookie });
  const page = await context.newPage();
  const inspector = await context.newCDPSession(page);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: processor_slowdown });
  let bytes = 0;
  let requests = 0;
  await inspector.send("Network.enable");
  inspector.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  await page.goto(`http://127.0.0.1:${port}${path}`, { waitUntil: "networkidle" });
  const usable = await markAfter(page, 0);
  await context.close();
  return { usable, bytes, requests };
}

/** The time of the mark that an application sets when the content can be used, if it is later than another time. */
export async function markAfter(page: Page, began: number): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve, reject) => {
      const from = performance.now();
      const look = () => {
        if (performance.now() - from > 30_000) return reject(new Error("the page was not usable within 30 s"));
        const mark = performance.getEntriesByName("usable").at(-1)?.startTime ?? 0;
        if (mark > ${began}) resolve(mark);
        else requestAnimationFrame(look);
      };
      look();
    })`),
  );
}
