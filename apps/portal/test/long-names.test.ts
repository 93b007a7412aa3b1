/* An organization with a long name, whose campaign has tiers, and earnings in many currencies. */
import type { TestService } from "@findersfee/api/testing/test-service";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { addPartner, type CampaignFields } from "@findersfee/domain/testing/attribution/program";
import { earn } from "@findersfee/domain/testing/ledger/program";
import { makeContext } from "@findersfee/domain/testing/subscriber";
import { borrowChromium, has_chromium, without_chromium } from "@findersfee/ui/testing/chromium";
import { closePage, fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPortal } from "./portal.ts";
import { checkPortalScreenAgain } from "./screens.ts";
import { openSignedIn } from "./signed-in-page.ts";

const EMAIL = "named@example.com";
const BILLIONS = "billions@example.com";
const LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const HEADER_PIXELS = 60;

const CAMPAIGN: Partial<CampaignFields> = {
  tiers: {
    measure: "revenue",
    period: "all_time",
    steps: [
      {
        name: "Silver",
        from: 1_000,
        commission: { type: "percentage", amount: 32, amounts: [] },
        bonus: null,
      },
      { name: "Gold", from: 9_000, commission: { type: "percentage", amount: 35, amounts: [] }, bonus: null },
    ],
  },
};

describe.skipIf(!has_chromium)(`long names in the portal${without_chromium}`, () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPortal();
    browser = await borrowChromium();
    const context = await makeContext(service.database);
    await service.database`
      update organizations set name = ${LONG_NAME}, languages = '{en,de}' where id = ${context.organization.id}`;
    const { affiliate_id } = await addPartner(context, CAMPAIGN, { email: EMAIL });
    const email = "customer-of-a-long-name@customers.test";
    const { id: referral_id } = await createReferral(context, {
      affiliate_id,
      email,
      subscription_status: "active",
    });
    for (const currency of ["USD", "EUR", "PLN"])
      await earn(context, { affiliate_id, referral_id }, { amount: 20, currency });
    const billions = await addPartner(context, CAMPAIGN, { email: BILLIONS });
    const customer = await createReferral(context, {
      affiliate_id: billions.affiliate_id,
      email: "customer-of-billions@customers.test",
      subscription_status: "active",
    });
    for (const currency of ["USD", "CHF", "XAF"]) {
      const amount = currency === "XAF" ? 1_234_567_890 : 1_234_567_890.12;
      await earn(
        context,
        { affiliate_id: billions.affiliate_id, referral_id: customer.id },
        { amount, currency },
      );
    }
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string, locale: string) =>
    openSignedIn({ service, browser }, { email: EMAIL, path, locale });

  it.each(["en-US", "de-DE"])("leave the links to pages their place, in %s", async (locale) => {
    const { page, complaints } = await open("", locale);
    const header = page.getByRole("banner");
    await header.getByText(LONG_NAME).waitFor();
    for (const width of [640, 840, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await fitsWindow(page, `the home ${width} pixels wide`);
      await expect
        .poll(async () => (await header.boundingBox())?.height)
        .toBeLessThanOrEqual(HEADER_PIXELS + 1);
      const links = await header.getByRole("navigation").getByRole("link").all();
      for (const link of links)
        expect((await link.boundingBox())?.height ?? 0).toBeLessThanOrEqual(HEADER_PIXELS);
    }
    await header.getByText(LONG_NAME).hover();
    await expect.poll(() => header.getByText(LONG_NAME).getAttribute("title")).toBe(LONG_NAME);
    await checkPortalScreenAgain(page, `home-long-name-${locale}`);
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("name the tiers of rates, and say once what holds for all currencies", async () => {
    const { page } = await open("", "en-US");
    await page.getByText("32% of payments in the tier “Silver”").waitFor();
    await page.getByText("35% of payments in the tier “Gold”").waitFor();
    expect(await page.getByText("All of it is still held.").count()).toBe(1);
    await closePage(page);
    const german = await open("", "de-DE");
    await german.page.getByText("32 % für Zahlungen in der Stufe “Silver”").waitFor();
    await closePage(german.page);
  });

  it.each(["/referrals", "/earnings", ""])("show amounts of billions whole on %s", async (path) => {
    const { page } = await openSignedIn({ service, browser }, { email: BILLIONS, path, locale: "en-US" });
    await page.getByText("1,234,567,890").first().waitFor();
    await checkPortalScreenAgain(page, `billions${path.replace("/", "-")}`);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(BROKEN), { message: `${width}` }).toEqual([]);
      await fitsWindow(page, `${path} ${width} pixels wide`);
    }
    await closePage(page);
  });

  it("fit the list of referrals", async () => {
    const { page } = await open("/referrals", "en-US");
    await page.setViewportSize({ width: 1440, height: 900 });
    const cells = page.getByRole("table").getByRole("cell");
    await cells.first().waitFor();
    const cut = "[...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth)";
    expect(await page.evaluate(`${cut}.map((cell) => cell.textContent)`)).toEqual([]);
    await closePage(page);
  });
});

/** Amounts that lines break, or that their cells cut. */
const BROKEN = `(() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    const { nodeValue, parentElement } = texts.currentNode;
    const start = nodeValue.search(/[\\d,]*1,234,567,890/);
    if (start < 0 || !parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, start);
    range.setEnd(texts.currentNode, start + 13);
    const cell = parentElement.closest("td");
    if (range.getClientRects().length > 1 || (cell !== null && cell.scrollWidth > cell.clientWidth)) broken.push(nodeValue);
  }
  return broken;
})()`;
