/* A draft of a campaign is tried on past payments, from the editor to its result. */
import { addAffiliate, addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, refund } from "@findersfee/domain/testing/attribution/reported";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { startWorkerOf } from "./working.ts";

const timeout = LOAD_MILLISECONDS;

describeInBrowser("backtests in a browser", (dashboard) => {
  let campaign_id: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    const jane = await addPartner(
      context,
      { name: "Partner program" },
      { email: "jane@example.com", first_name: "Jane", last_name: "Doe" },
    );
    campaign_id = jane.campaign_id;
    const max = await addAffiliate(context, {
      campaign_id,
      email: "max@example.com",
      first_name: "Max",
      last_name: "Roe",
    });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const buy = async (number: number, affiliate_id: string, days: readonly number[]) => {
      const customer = { customer_id: `cus_${number}`, email: `customer${number}@example.com` };
      const first = Math.max(...days) + 1;
      const click_ids = [await click(context, { affiliate_id, at: daysAgo(first + 1) })];
      await report(
        context,
        checkout({ subject: `cs_${number}`, ...customer, click_ids, at: daysAgo(first) }),
        ...days.map((day, index) =>
          payment({ subject: `in_${number}_${index}`, ...customer, at: daysAgo(day), revenue_minor: 4_900n }),
        ),
      );
    };
    await buy(1, jane.affiliate_id, [200, 170, 140, 110, 80, 50, 20]);
    await buy(2, max, [130, 100, 70]);
    await report(
      context,
      refund({ subject: "re_1", references: ["in_2_1"], at: daysAgo(60), amount_minor: 2_450n }),
    );
  });

  it("shows the cost before and after, who loses, and payments to open, and saves nothing", async () => {
    const { openInTab } = dashboard;
    const opened = await openInTab(`/campaigns/${campaign_id}/rules`);
    const { page } = opened;
    await page.getByLabel("Commission", { exact: true }).fill("20", { timeout });
    await page.getByLabel("Commissions to review").selectOption({ label: "All" });
    await page.getByLabel("Period").selectOption({ label: "Last 12 months" });
    await page.getByRole("button", { name: "Try on past payments" }).click();
    await page.getByText("Deciding past payments again…").waitFor({ timeout });
    await checkScreen(page, "backtest-running");
    const worker = await startWorkerOf(dashboard.service);
    await page.getByText("10 of 10 payments would be decided differently").waitFor({ timeout });
    await worker.stop();
    await page.getByText("As it was").first().waitFor();
    const losing = page.locator("section", {
      has: page.getByRole("heading", { name: "Affiliates who lose most" }),
    });
    await losing.getByRole("link", { name: "jane@example.com" }).waitFor();
    await losing.getByText("−$34.30").waitFor();
    const reviews = page.locator("section", {
      has: page.getByRole("heading", { name: "Commissions that wait for a review" }),
    });
    expect(await reviews.getByRole("cell").allTextContents()).toEqual(["USD", "None", "10 · $98.00"]);
    expect(await axeProblems(page)).toEqual([]);
    await checkScreen(page, "backtest");
    // The draft is still there, and unsaved.
    await page.getByRole("link", { name: "Back to the settings" }).click();
    expect(await page.getByLabel("Commission", { exact: true }).inputValue()).toBe("20");
    const trpc = (await dashboard.service.staff(dashboard.place.organization_id)).trpc;
    expect((await trpc.campaigns.get.query({ id: campaign_id })).commission_amount).toBe(30);
    await page.goBack();
    await page.getByRole("link", { name: "in_1_0" }).click();
    await page.getByRole("dialog").waitFor({ timeout });
    await finish(opened);
  });
});
