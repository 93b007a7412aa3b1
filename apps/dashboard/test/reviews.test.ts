/* The review of commissions: the campaign that asks for it, the queue, by mouse and by keys, and the page of a commission. */
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { addAffiliate, addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";

const timeout = LOAD_MILLISECONDS;

describeInBrowser("reviews in a browser", (dashboard) => {
  let campaign_id: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    const jane = await addPartner(
      context,
      { name: "Partner program", review: "first", review_above_amount: 50, review_approve_after_days: 14 },
      { email: "jane@example.com", first_name: "Jane", last_name: "Doe" },
    );
    campaign_id = jane.campaign_id;
    const ann = await addPartner(
      context,
      {
        name: "Agencies",
        recruiting: { percent: 10, months: 12 },
        review: "all",
        signals: {
          ...NO_SIGNALS,
          shared_domain: "hold",
          paid_search: "flag",
        },
      },
      { email: "ann@example.com", first_name: "Ann", last_name: "Fox" },
    );
    const max = {
      affiliate_id: await addAffiliate(context, {
        ...{ campaign_id: ann.campaign_id, recruited_by: ann.affiliate_id },
        ...{ email: "max@agency.test", first_name: "Max", last_name: "Roe" },
      }),
    };
    const buy = async (
      number: number,
      { affiliate_id }: { affiliate_id: string },
      revenue_minor = 4_900n,
    ) => {
      const at = (days: number) => new Date(Date.now() - days * 86_400_000);
      const domain = number === 5 ? "agency.test" : "example.com";
      const customer = { customer_id: `cus_${number}`, email: `customer${number}@${domain}` };
      const landing_url = number < 4 ? null : "https://shop.test/?gclid=1";
      const click_ids = [await click(context, { affiliate_id, at: at(number + 1), landing_url })];
      await report(
        context,
        checkout({ subject: `cs_${number}`, ...customer, click_ids, at: at(number) }),
        payment({ subject: `in_${number}`, ...customer, at: at(number), revenue_minor }),
      );
    };
    await buy(1, jane);
    await buy(2, jane, 49_900n);
    await buy(3, max);
    await buy(4, max, 9_900n);
    await buy(5, max);
    const kim = await addPartner(
      context,
      { name: "Friends", signals: { ...NO_SIGNALS, paid_search: "flag" } },
      { email: "kim@example.com", first_name: "Kim", last_name: "Lee" },
    );
    await buy(6, kim);
  });

  const { openInTab } = dashboard;
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
  const statesOf = async () => {
    const { organization_id } = dashboard.place;
    const rows = await dashboard.database<{ name: string; review_state: string }[]>`
      select processor_payment_id as name, review_state from commissions
      where organization_id = ${organization_id} order by 1`;
    return Object.fromEntries(rows.map(({ name, review_state }) => [name, review_state]));
  };

  it("lists affiliates with signs of fraud, with evidence and what rejecting costs", async () => {
    const watched = await openInTab("/commissions/review");
    const { page } = watched;
    await page.getByRole("link", { name: "Affiliates with signs of fraud" }).click({ timeout });
    const max = row(page, "Max Roe");
    await max.getByText("Shared domain · 1").waitFor({ timeout });
    await max.getByText("Customer and affiliate both use agency.test.").waitFor();
    const kim = row(page, "Kim Lee");
    await kim.getByText("1 only flagged").waitFor();
    await kim.getByText("The click came from an ad: its address has gclid.").waitFor();
    expect(await kim.getByText("$").count()).toBe(0);
    await checkScreen(page, "flagged-affiliates");
    expect(await axeProblems(page)).toEqual([]);
    await kim.getByRole("checkbox").check();
    await page.getByText("These are only flagged. Nothing waits for a decision.").waitFor();
    expect(await page.getByRole("button", { name: "Reject…" }).count()).toBe(0);
    await max.getByRole("checkbox").check();
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Reject this commission" });
    await dialog.getByText("Max Roe loses").waitFor();
    await dialog.getByText("Ann Fox loses as recruiter").waitFor({ timeout });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await kim.getByRole("checkbox").check();
    await max.getByRole("checkbox").uncheck();
    await page.keyboard.press("a");
    await page.keyboard.press("r");
    await page.getByText("These are only flagged. Nothing waits for a decision.").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(Object.values(await statesOf())).not.toContain("approved");
    await max.getByRole("link").first().click();
    await row(page, "customer5@agency.test").waitFor({ timeout });
    await page.goBack();
    await kim.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "Commissions" }).waitFor({ timeout });
    await row(page, "customer6@example.com").waitFor({ timeout });
    await finish(watched);
  });

  it("leads from the overview to the queue, approves by a key, and rejects with a reason by another", async () => {
    const watched = await openInTab("");
    const { page } = watched;
    await page.getByRole("link", { name: /5 commissions wait for a review/ }).click({ timeout });
    await page.getByRole("heading", { level: 1, name: "Review" }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Review 5" }).waitFor();
    const current = page.getByRole("navigation").locator('[aria-current="page"]').filter({ visible: true });
    await expect.poll(() => current.allTextContents()).toEqual(["Review5", "Commissions"]);
    await row(page, "customer2@example.com").getByText("First of the affiliate, Above the amount").waitFor();
    await row(page, "customer3@example.com").getByText("All of the campaign").waitFor();
    const suspicious = row(page, "customer5@agency.test");
    await suspicious.getByText("Customer and affiliate both use agency.test.").waitFor();
    await suspicious.getByText("The click came from an ad: its address has gclid.").waitFor();
    await checkScreen(page, "reviews");

    await row(page, "customer3@example.com").getByRole("checkbox").check();
    await page.keyboard.press("a");
    await page.getByText("1 commission approved").waitFor({ timeout });
    await row(page, "customer3@example.com").waitFor({ state: "detached" });
    await row(page, "customer4@example.com").getByRole("checkbox").check();
    await row(page, "customer5@agency.test").getByRole("checkbox").check();
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Reject 2 commissions" });
    await dialog.getByText("Max Roe loses").waitFor();
    await dialog.getByText("$44.40").waitFor();
    await dialog.getByText("Ann Fox loses as recruiter").waitFor();
    await dialog.getByText("$4.44").waitFor();
    await checkScreen(page, "reviews-reject");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Own purchases");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await page.getByText("2 commissions rejected").waitFor({ timeout });
    await page.getByRole("navigation").getByRole("link", { name: "Review 2" }).waitFor();
    expect(await statesOf()).toMatchObject({ in_3: "approved", in_4: "rejected", in_5: "rejected" });
    await finish(watched);
  });

  it("selects by the keyboard alone", async () => {
    const watched = await openInTab("/commissions/review");
    const { page } = watched;
    await row(page, "customer1@example.com").waitFor({ timeout });
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("a");
    await expect
      .poll(async () => Object.values(await statesOf()).filter((state) => state === "approved").length)
      .toBe(2);
    await finish(watched);
  });

  it("shows on the page of a commission why it was held and who decided, and approves a rejected one", async () => {
    const [rejected] = await dashboard.database<[{ id: string }]>`
      select id from commissions
      where organization_id = ${dashboard.place.organization_id} and processor_payment_id = 'in_4'`;
    const watched = await openInTab(`/commissions/${rejected.id}`);
    const { page } = watched;
    await page.getByText("All of the campaign").waitFor({ timeout });
    await page.getByText("Own purchases").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Restore" }).count()).toBe(0);
    await checkScreen(page, "commission-rejected");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Review: rejected → approved").waitFor({ timeout });
    expect(await statesOf()).toMatchObject({ in_4: "approved" });
    expect(await axeProblems(page)).toEqual([]);
    await finish(watched);
  });

  it("sets what a campaign reviews", async () => {
    const watched = await openInTab(`/campaigns/${campaign_id}/rules`);
    const { page } = watched;
    const reviewed = page.getByLabel("Commissions to review");
    await reviewed.waitFor({ timeout });
    await expect.poll(() => reviewed.inputValue()).toBe("first");
    await reviewed.scrollIntoViewIfNeeded();
    await checkScreen(page, "campaign-review");
    await reviewed.selectOption("all");
    await page.getByLabel("Approve automatically after days").fill("");
    await page.getByLabel("Customer and affiliate share a company’s domain").selectOption("hold");
    await page.getByLabel("The click came from a listed site").selectOption("refuse");
    await page.getByLabel("Listed sites").fill("Coupons.test\ndeals.test");
    await page.getByLabel("Listed sites").scrollIntoViewIfNeeded();
    await checkScreen(page, "campaign-signals");
    await page.getByRole("button", { name: "Save" }).first().click();
    await expect
      .poll(async () => {
        const [saved] = await dashboard.database`
          select review, review_above_minor::int as above, review_approve_after_days as days, signals from campaigns
          where id = ${campaign_id}`;
        return saved;
      })
      .toEqual({
        review: "all",
        above: 5_000,
        days: null,
        signals: {
          actions: { shared_domain: "hold", listed_referrer: "refuse" },
          referrers: ["coupons.test", "deals.test"],
        },
      });
    await finish(watched);
  });
});
