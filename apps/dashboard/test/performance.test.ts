/* The report of performance: from the overview to an answer, its address, its file, and what it says without data. */

import { readFile } from "node:fs/promises";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addAffiliate, addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { checkScreen, checkScreenAgain } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { ARABIC, createPlace, LONG_NAME, MARKUP, type Place } from "./program.ts";

/** More than a page. */
const PAGES = 62;

interface Source {
  affiliate_id: string;
  page?: string;
  referrer?: string | null;
  country?: string | null;
  sub_id?: string | null;
  days?: number;
}

const atOf = (days: number) => new Date(Date.now() - days * 86_400_000);

async function visit({ context }: Place, source: Source): Promise<string> {
  const { affiliate_id, page = null, referrer = null, country = null, sub_id = null, days = 0 } = source;
  const id = await click(context, { affiliate_id, at: atOf(days), sub_id });
  await context.database`
    update clicks set landing_url = ${page}, referrer = ${referrer}, country = ${country},
      visitor_hash = decode(md5(${id}), 'hex')
    where id = ${id}`;
  return id;
}

let sales = 0;

async function buy(place: Place, source: Source, amount: bigint, country?: string): Promise<void> {
  sales += 1;
  const customer = { customer_id: `cus_${sales}`, email: `customer-${sales}@customers.test` };
  const click_ids = [await visit(place, source)];
  const at = atOf(source.days ?? 0);
  await report(
    place.context,
    { ...checkout({ subject: `cs_${sales}`, ...customer, click_ids, at }), ...(country && { country }) },
    payment({ subject: `in_${sales}`, ...customer, at, revenue_minor: amount, paid_minor: amount }),
  );
}

/** Affiliates with more and less revenue, and texts as strangers write them. */
async function fill(place: Place): Promise<{ jane: string; campaign_id: string }> {
  const { context, organization_id } = place;
  // Rows that were reported late are read as such, and not from totals.
  await context.database`
    update total_seals set sealed_until = date_trunc('hour', now(), 'UTC') - interval '90 days'
    where organization_id = ${organization_id}`;
  // Emails have no letter of the texts that tests search.
  let emails = 0;
  const named = (first_name: string, last_name: string) => {
    emails += 1;
    return { first_name, last_name, email: `${emails}@partners.test` };
  };
  const { campaign_id, affiliate_id: jane } = await addPartner(context, {}, named("Jane", "Doe"));
  const others = [
    named("Max", "Roe"),
    named(ARABIC, MARKUP),
    named(LONG_NAME, LONG_NAME),
    named("Kim", "Poe"),
    named("Lee", "Moe"),
    named("Ann", "Hoe"),
  ];
  const page = "https://example.com/pricing?utm=1";
  const from = { page, referrer: "https://news.example.org/today", country: "DE", sub_id: "newsletter" };
  await buy(place, { affiliate_id: jane, ...from }, 90_000n, "FR");
  await buy(place, { affiliate_id: jane, ...from, days: 35 }, 40_000n);
  await visit(place, { affiliate_id: jane, page, country: "US" });
  for (const [index, fields] of others.entries()) {
    const affiliate_id = await addAffiliate(context, { campaign_id, ...fields });
    await buy(place, { affiliate_id, page: `https://example.com/${index}` }, BigInt(80_000 - index * 10_000));
  }
  for (let number = 0; number < PAGES; number += 1) {
    await visit(place, { affiliate_id: jane, page: `https://example.com/articles/${number}` });
  }
  await visit(place, { affiliate_id: jane, page: `https://example.com/${"long/".repeat(40)}` });
  return { jane, campaign_id };
}

describeInBrowser("the performance", (dashboard) => {
  let jane: string;
  let campaign_id: string;
  let empty: Place;
  /** With clicks that have no page, country and so on. */
  let plain: Place;

  beforeAll(async () => {
    ({ jane, campaign_id } = await fill(dashboard.place));
    empty = await createPlace(dashboard.database, "Empty");
    plain = await createPlace(dashboard.database, "Plain");
    const { affiliate_id } = await addPartner(plain.context);
    await buy(plain, { affiliate_id }, 5000n);
  });

  const tableOf = (page: Page, name = "Affiliates") => page.getByRole("table", { name });
  const namesOf = async (page: Page, name?: string) => {
    await tableOf(page, name).waitFor();
    return await tableOf(page, name).getByRole("rowheader").allTextContents();
  };

  it("answers which affiliates were the best this quarter by two clicks from the overview", async () => {
    const watched = await dashboard.openInTab("");
    const { page } = watched;
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    let clicks = 0;
    await page.exposeFunction("countClick", () => {
      clicks += 1;
    });
    await page.evaluate("document.addEventListener('click', () => countClick(), true)");
    await page.getByRole("navigation").getByRole("link", { name: "Performance" }).click();
    await page.getByRole("link", { name: "This quarter" }).click();
    await page.waitForURL(/\/performance\?period=this_quarter$/);
    await expect.poll(async () => (await namesOf(page)).slice(0, 2)).toEqual(["Jane Doe", "Max Roe"]);
    const top = await tableOf(page).getByRole("row").allTextContents();
    expect(top.length).toBeGreaterThan(5);
    // Revenue of 35 days ago counts, too, if that is in the quarter.
    expect(top[1]).toMatch(/\$(900|1,300)\.00/);
    await expect.poll(() => clicks).toBe(2);
    await checkScreen(page, "performance");
    await finish(watched);
  });

  it("has its order, search, chosen rows and period in the address, which others can open", async () => {
    const watched = await dashboard.openInTab("/performance");
    const { page } = watched;
    await tableOf(page).waitFor();
    await page.getByRole("button", { name: /^Clicks \d/ }).click();
    await tableOf(page).getByRole("button", { name: "Clicks" }).click();
    await page.getByRole("columnheader", { name: "Clicks" }).waitFor();
    await expect
      .poll(() => page.getByRole("columnheader", { name: "Clicks" }).getAttribute("aria-sort"))
      .toBe("descending");
    await page.getByRole("checkbox", { name: "Show Jane Doe in the chart" }).click();
    await page.getByRole("checkbox", { name: "Show Max Roe in the chart" }).click();
    await page.getByText("Rows in the chart: 2").waitFor();
    await page.waitForURL(/metric=clicks.*sort=clicks.*lines=/);
    await expect
      .poll(() => page.getByRole("slider", { name: "Clicks" }).getAttribute("aria-valuetext"))
      .toMatch(/Jane Doe \d+, Max Roe \d+/);
    // Today is not over: each line is dashed to it.
    expect(await page.locator("figure path[data-open]").count()).toBe(2);
    await checkScreenAgain(page, "performance-lines");
    const address = page.url();
    await finish(watched);

    const other = await dashboard.visit(new URL(address).pathname + new URL(address).search, {
      role: "viewer",
    });
    await expect
      .poll(() => other.page.getByRole("slider", { name: "Clicks" }).getAttribute("aria-valuetext"))
      .toMatch(/Jane Doe \d+, Max Roe \d+/);
    await other.page.getByRole("textbox", { name: "Name or email" }).fill("roe");
    await expect.poll(() => namesOf(other.page)).toEqual(["Max Roe"]);
    await other.page.getByRole("textbox", { name: "Name or email" }).fill("nobody");
    await other.page.getByText("Nothing in this period matches “nobody”").waitFor();
    await other.page.getByRole("button", { name: "Clear search" }).click();
    await tableOf(other.page).waitFor();
    await finish(other);
  });

  it("finds a country by its name", async () => {
    const watched = await dashboard.openInTab("/performance?by=visitor_country");
    const { page } = watched;
    const search = page.getByRole("textbox", { name: "Country, such as Germany or DE" });
    await search.fill("germ");
    await expect.poll(() => namesOf(page, "Visitors’ countries")).toEqual(["Germany"]);
    await search.fill("us");
    await expect.poll(() => namesOf(page, "Visitors’ countries")).toEqual(["United States"]);
    await finish(watched);
  });

  it("saves the file of exactly what is shown", async () => {
    const watched = await dashboard.openInTab("/performance?sort=clicks&order=asc&text=oe&period=this_year");
    const { page } = watched;
    const names = await namesOf(page);
    expect(names).toHaveLength(5);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines[0]).toContain("affiliate,name,currency,clicks");
    expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(names);
    await finish(watched);
  });

  it("turns many rows by pages, and words rows without a value", async () => {
    const watched = await dashboard.openInTab("/performance?by=landing_page&period=all_time&sort=clicks");
    const { page } = watched;
    await page.getByText(/^1–50 of 7\d$/).waitFor();
    await checkScreenAgain(page, "performance-pages");
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/^51–7\d of 7\d$/).waitFor();
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText(/^1–50 of/).waitFor();
    await page.getByRole("link", { name: "Visitors’ countries" }).click();
    await expect
      .poll(async () => (await namesOf(page, "Visitors’ countries")).sort())
      .toEqual(["Germany", "United States", "Unknown country"]);
    await finish(watched);
  });

  it("takes days of one's own", async () => {
    const watched = await dashboard.openInTab("/performance");
    const { page } = watched;
    await page.getByRole("link", { name: "Custom range" }).click();
    const first = page.getByLabel("First day");
    await first.fill(atOf(40).toISOString().slice(0, 10));
    await first.press("Enter");
    await page.waitForURL(new RegExp(`period=${atOf(40).toISOString().slice(0, 10)}`));
    await expect
      .poll(() =>
        tableOf(page)
          .getByRole("row", { name: /Jane Doe/ })
          .textContent(),
      )
      .toContain("$1,300.00");
    await checkScreenAgain(page, "performance-days");
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("is a part of an affiliate's and of a campaign's page", async () => {
    const watched = await dashboard.openInTab("/performance?by=affiliate");
    const { page } = watched;
    await tableOf(page).getByRole("link", { name: "Jane Doe" }).click();
    await page.getByRole("heading", { level: 1, name: "Jane Doe" }).waitFor();
    await expect.poll(() => namesOf(page, "Links")).toEqual(["code"]);
    expect(page.url()).toContain(`${jane}?tab=performance`);
    const again = page.getByRole("table", { name: "Customers who pay again" });
    await expect.poll(() => again.getByRole("row").last().getByRole("cell").first().textContent()).toBe("1");
    await checkScreenAgain(page, "performance-affiliate");
    await dashboard.turn(page, `/campaigns/${campaign_id}/performance?sort=revenue_amount`);
    await expect.poll(async () => (await namesOf(page))[0]).toBe("Jane Doe");
    await expect
      .poll(() =>
        page.getByRole("slider", { name: "Commissions as % of revenue" }).getAttribute("aria-valuetext"),
      )
      .toContain("Commissions as % of revenue 30%");
    await checkScreenAgain(page, "performance-campaign");
    await finish(watched);
  });

  it("says why there is nothing", async () => {
    const nothing = await dashboard.openInTab("/performance", empty);
    await nothing.page.getByText("Nothing happened in this period").waitFor();
    await nothing.page.getByRole("button", { name: "All time" }).click();
    await nothing.page.getByText("Nothing to compare yet").waitFor();
    await checkScreenAgain(nothing.page, "performance-empty");
    await finish(nothing);
    const watched = await dashboard.openInTab("/performance?by=visitor_country", plain);
    await watched.page.getByText(/Set COUNTRY_HEADER on the service/).waitFor();
    await expect.poll(() => namesOf(watched.page, "Visitors’ countries")).toEqual(["Unknown country"]);
    await checkScreenAgain(watched.page, "performance-no-country");
    await dashboard.turn(watched.page, "/performance?by=sub_id", plain);
    await expect.poll(() => namesOf(watched.page, "Sub-ids")).toEqual(["No sub-id"]);
    await finish(watched);
  });
});
