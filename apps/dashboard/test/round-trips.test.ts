/* What a list asks the service for with its rows, before the code of its parts has arrived. */
import { readFile } from "node:fs/promises";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { beforeAll, expect, it } from "vitest";
import { buildDashboard } from "../scripts/build.ts";
import { describeInBrowser, finish } from "./in-browser.ts";

/** Each list with what it asks for at once, after the session is known. */
const LISTS: Record<string, string[]> = {
  "/affiliates": ["affiliates.list", "affiliates.count", "saved_views.list"],
  "/payments": ["payments.list", "payments.count", "saved_views.list"],
  "/settings/history": ["changes.list", "changes.count", "saved_views.list"],
};

/** The parts of lists that load after them. */
const LATE = ["src/lists/open-row-count.tsx", "src/lists/views/open-views.tsx"];

const CALL = /\/trpc\/dashboard\.(?<name>[\w.]+)/;

describeInBrowser("the round trips of lists", (dashboard) => {
  let late: string[];

  beforeAll(async () => {
    const text = await readFile(`${await buildDashboard()}/.vite/manifest.json`, "utf8");
    const manifest: Record<string, { file: string }> = JSON.parse(text);
    late = LATE.map((name) => manifest[name]?.file ?? "");
    expect(late).not.toContain("");
  });

  it.each(Object.entries(LISTS))("%s asks for views and counts with the rows", async (path, wanted) => {
    const watched = await dashboard.visit("/organizations");
    const { page } = watched;
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(CALL.exec(request.url())?.groups?.name ?? ""));
    let goOn: () => void = () => {};
    const all_asked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // Neither an answer nor the code of a late part arrives until everything was asked for.
    const isHeld = ({ pathname }: URL) => CALL.test(pathname) || late.some((file) => pathname.endsWith(file));
    await page.route(isHeld, async (route) => {
      await all_asked;
      await route.continue();
    });
    await page.goto(`${dashboard.service.url}${dashboard.place.home}${path}`, { waitUntil: "commit" });
    const missing = () => wanted.filter((name) => !asked.has(name));
    await expect.poll(missing, { timeout: LOAD_MILLISECONDS }).toEqual([]);
    goOn();
    await page.waitForLoadState("networkidle");
    await finish(watched);
  });
});
