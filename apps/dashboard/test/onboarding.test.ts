/* A new person, with only the texts on the screen: from the setup link to the story of a commission. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestService } from "@findersfee/api/testing/test-service";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { makeFirstSetupLink } from "@findersfee/domain/identity/setup/links";
import { STRIPE_SECRET, stripeHeaders } from "@findersfee/domain/testing/processors/signed";
import { stripeSale } from "@findersfee/domain/testing/processors/stripe/sale";
import { axeProblems } from "@findersfee/ui/testing/axe";
import {
  borrowChromium,
  has_chromium,
  LOAD_MILLISECONDS,
  without_chromium,
} from "@findersfee/ui/testing/chromium";
import { closePage, openWatched } from "@findersfee/ui/testing/watched-page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, startDashboard, visit } from "./program.ts";
import { startWorkerOf } from "./working.ts";

/** The user agent of a person's browser: clicks of automatic browsers do not count. */
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

let service: TestService;
let worker: Awaited<ReturnType<typeof startWorkerOf>>;
let browser: Browser;
let site: Server;
/** The head of the site's pages. */
let head = "";

describe.skipIf(!has_chromium)(`getting started${without_chromium}`, () => {
  beforeAll(async () => {
    service = await startDashboard();
    worker = await startWorkerOf(service);
    browser = await borrowChromium();
    site = createServer((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><title>Shop</title>${head}`);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await worker?.stop();
    await service?.close();
  });

  const website = () => `http://www.shop.test:${(site.address() as AddressInfo).port}/`;

  async function createCampaign(page: Page): Promise<void> {
    await page.getByLabel("Your website").fill(website());
    await page.getByText("earns the affiliate $14.70 a month, for 12 months").waitFor();
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByText("1 of 6 done").waitFor();
  }

  it("leads from the setup link to a played sale's commission", async () => {
    const link = await makeFirstSetupLink(service.database);
    const { page, complaints } = await openWatched(browser, `${service.url}/setup#${link?.token}`);
    await page.getByLabel("Your name").fill("Ann Owner");
    await page.getByLabel("Email").fill("ann@shop.test");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
    await page.getByLabel("Organization name").fill("Shop");
    await page.locator("form button[type=submit]").click();
    await page
      .getByRole("heading", { level: 1, name: "Get started" })
      .waitFor({ timeout: LOAD_MILLISECONDS });
    await createCampaign(page);
    await page.getByRole("button", { name: "Simulate a sale" }).click();
    await page.getByText("Test data of Shop.").waitFor({ timeout: LOAD_MILLISECONDS });
    await page.getByRole("heading", { level: 1, name: "$14.70" }).waitFor();
    await page.getByText("$49.00").first().waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("link", { name: "Back to Shop" }).click();
    await page.getByText("1 of 6 done").waitFor();
    await page.getByRole("link", { name: "Open the test data" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Revenue" }).getByText("$49.00").waitFor();
    await page.getByRole("button", { name: "Remove test data" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove test data" }).click();
    await page.getByText("Test data removed").waitFor();
    await page.getByRole("heading", { level: 1, name: "Get started" }).waitFor();
    await expect.poll(() => page.getByText("Open the test data").count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)("turns each step green as it happens, up to a real commission", async () => {
    const place = await createPlace(service.database, "Real");
    const { page, complaints } = await visit(
      browser,
      { service, place, path: place.home },
      { userAgent: BROWSER },
    );
    await createCampaign(page);
    await page.getByRole("button", { name: "Add me" }).click();
    await page.getByText("2 of 6 done").waitFor();

    // The tag and the link are those that the page shows.
    const tag = page.getByRole("region", { name: "Add this to the head of every page" });
    head = (await tag.textContent()) ?? "";
    const [shop] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "Open my site with a test link" }).click(),
    ]);
    await page.getByText("3 of 6 done").waitFor({ timeout: LOAD_MILLISECONDS });
    const { value: click_id = "" } =
      (await shop.context().cookies(website())).find(({ name }) => name === "findersfee_click") ?? {};

    await page.getByLabel("Signing secret").fill(STRIPE_SECRET);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("4 of 6 done").waitFor();

    const send = async (body: string, secret = STRIPE_SECRET) => {
      const headers = stripeHeaders(body, { secret });
      const url = `${service.url}/processors/stripe/${place.organization_id}`;
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    const bodies = stripeSale(click_id);
    expect(await send(bodies[0] ?? "", "whsec_of_another_endpoint")).toBe(400);
    await page.getByText("A message arrived and was rejected").waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await axeProblems(page)).toEqual([]);
    for (const body of bodies) expect(await send(body)).toBe(200);
    await page.getByText("6 of 6 done").waitFor({ timeout: LOAD_MILLISECONDS });
    await page.getByText("The first commission: $14.70").waitFor();
    await page.getByRole("link", { name: "View commission" }).click();
    await page.getByRole("heading", { level: 1, name: "$14.70" }).waitFor();
    // The site's own requests are another page's.
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("shows a viewer the steps without what only an admin may do", async () => {
    const place = await createPlace(service.database, "Watched");
    const { page, complaints } = await visit(
      browser,
      { service, place, path: place.home },
      { role: "viewer" },
    );
    await page.getByText("An admin can do this step.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Create campaign" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Simulate a sale" }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});
