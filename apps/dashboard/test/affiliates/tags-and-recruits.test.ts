/* Tags, recruits and the currency of payouts: in the list, on the affiliate's page, in commissions and in a run. */
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { createCommission } from "@findersfee/domain/commissions/create";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { addAffiliate, addPartner } from "@findersfee/domain/testing/attribution/program";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";

const timeout = LOAD_MILLISECONDS;
const LONG = "Maximiliane-Theodora von und zu Hohenzollern-Sigmaringen";

describeInBrowser("tags and recruits in a browser", (dashboard) => {
  let recruiter: string;
  let recruit: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    const partner = await addPartner(
      context,
      { name: "Partner program", recruiting: { percent: 10, months: 12 } },
      { email: "jane@example.com", first_name: "Jane", last_name: "Doe", tags: ["agency", "vip"] },
    );
    recruiter = partner.affiliate_id;
    const { campaign_id } = partner;
    for (const [number, last_name] of ["Roe", LONG].entries()) {
      const id = await addAffiliate(context, {
        campaign_id,
        email: `recruit${number}@example.com`,
        first_name: "Max",
        last_name,
        recruited_by: recruiter,
        tags: ["agency", `a tag of forty letters that is quite long${number}`.slice(0, 40)],
      });
      recruit = id;
      const email = `customer${number}@example.com`;
      const referral = await createReferral(context, {
        affiliate_id: id,
        email,
        subscription_status: "active",
      });
      for (const currency of ["USD", "EUR"]) {
        await createCommission(context, {
          referral_id: referral.id,
          revenue_amount: 1_000,
          commission_amount: 300,
          currency,
        });
      }
    }
    await updateAffiliate(context, { id: recruiter, payout_currency: "EUR" });
    await updateSettings(context, { affiliates_choose_payout_currency: true });
  });

  it("shows and changes tags in the list", async () => {
    const opened = await dashboard.openInTab("/affiliates");
    const { page } = opened;
    await page.getByText("recruit0@example.com").waitFor({ timeout });
    await checkScreen(page, "affiliates-with-tags");
    for (const name of ["recruit0@example.com", "jane@example.com"])
      await page.getByRole("row").filter({ hasText: name }).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Tags…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("In use:").waitFor();
    await dialog.getByLabel("Add").fill("Gold, partner day");
    await dialog.getByLabel("Remove").fill("vip");
    await checkScreen(page, "tag-dialog");
    await dialog.getByRole("button", { name: "Change tags" }).click();
    await page.getByText("Changed the tags of 2 affiliates").waitFor();
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "gold" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    await page.getByText("recruit1@example.com").waitFor({ state: "detached" });
    await finish(opened);
  });

  it("shows recruits, the recruiter, tags and the currency of payouts", async () => {
    const opened = await dashboard.openInTab(`/affiliates/${recruiter}`);
    const { page } = opened;
    await page.getByRole("heading", { name: "Recruits" }).waitFor({ timeout });
    expect(await page.getByText("10% of the commissions, for payments until").count()).toBe(2);
    await page.getByRole("link", { name: "agency" }).waitFor();
    await page.getByText("No exchange rate is known for USD.").waitFor();
    await checkScreen(page, "recruiter");
    await dashboard.turn(page, `/affiliates/${recruit}`);
    await page.getByRole("link", { name: "Jane Doe" }).waitFor();
    await checkScreen(page, "recruit");
    await dashboard.turn(page, `/commissions?affiliate_id=${recruiter}`);
    await page.getByText("10% of Max Roe’s").first().waitFor();
    await checkScreen(page, "commissions-for-recruits");
    await dashboard.turn(page, "/payouts/next");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await checkScreen(page, "next-run-in-one-currency");
    await finish(opened);
  });

  it("adds a recruit of an affiliate by hand", async () => {
    const opened = await dashboard.openInTab("/affiliates/new");
    const { page } = opened;
    await page.getByLabel("Email", { exact: true }).fill("kim@example.com", { timeout });
    await page.getByRole("button", { name: /^Recruited by/ }).click();
    await page.getByRole("option", { name: /Jane Doe/ }).click();
    await checkScreen(page, "new-recruit");
    await page.getByRole("button", { name: "Nobody" }).waitFor();
    await page.getByRole("button", { name: "Add affiliate" }).click();
    await page.getByRole("heading", { level: 1, name: "kim@example.com" }).waitFor({ timeout });
    await page.getByRole("link", { name: "Jane Doe" }).waitFor();
    await finish(opened);
  });
});
