import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import { clicksOf, countClicks } from "../pointer-clicks.ts";

describeInBrowser("rates of affiliates", (dashboard) => {
  let campaign_id: string;

  const staff = () => dashboard.service.staff(dashboard.place.organization_id);

  beforeAll(async () => {
    const { trpc } = await staff();
    ({ id: campaign_id } = await trpc.campaigns.create.mutate({
      ...{ name: "Partners", website_url: "https://shop.test" },
      ...{ commission_type: "percentage", commission_amount: 30, limit_type: "months", limit_amount: 12 },
    }));
  });

  async function addAffiliate(name: string): Promise<string> {
    const { trpc } = await staff();
    const email = `${name.toLowerCase()}@partners.test`;
    return (await trpc.affiliates.create.mutate({ email, first_name: name, campaign_id })).id;
  }

  async function periodsOf(affiliate_id: string) {
    const { trpc } = await staff();
    return (await trpc.affiliate_rules.get.query({ affiliate_id })).periods;
  }

  it.runIf(FULL_TESTS)("tries own rules on past payments, and cancels it", async () => {
    const id = await addAffiliate("Eve");
    const watched = await dashboard.openInTab(`/affiliates/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Set own rate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Percent").fill("45");
    await checkScreen(page, "affiliate-rate-try");
    await dialog.getByRole("button", { name: "Try on past payments" }).click();
    await page.getByText("Deciding past payments again…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Deciding past payments again…").waitFor({ state: "detached" });
    const { data } = await (await staff()).trpc.backtests.list.query({});
    expect(data).toMatchObject([{ state: "canceled", campaign_id: null, affiliates: 1 }]);
    expect(await periodsOf(id)).toEqual([]);
    await finish(watched);
  });

  it("sets the rate of an affiliate in three clicks, shows it, and goes back to the campaign's", async () => {
    const id = await addAffiliate("Ann");
    const watched = await dashboard.openInTab(`/affiliates/${id}`);
    const { page } = watched;
    await page.getByText("30%, 12 months").waitFor();
    await checkScreen(page, "affiliate-rate-of-campaign");
    await countClicks(page);
    await page.getByRole("button", { name: "Set own rate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Percent").click();
    await page.keyboard.type("42.5");
    await dialog.getByRole("button", { name: "Set rate" }).click();
    await page.getByText("Rate set for 1 affiliate").waitFor();
    expect(await clicksOf(page)).toBe(3);
    await page.getByText("42.5% of every payment").first().waitFor();
    await page.getByText(/Instead of the campaign’s: 30%, 12 months/).waitFor();
    const [period] = await periodsOf(id);
    expect(period).toMatchObject({
      note: null,
      rules: [{ conditions: {}, reward: { type: "percentage", amount: 42.5, amounts: [] } }],
    });
    await checkScreen(page, "affiliate-rate-own");
    await page.getByRole("button", { name: "Use the campaign’s rate" }).click();
    await page.getByText("The campaign’s rate applies from now on").waitFor();
    await page.getByRole("button", { name: "Remove: The campaign’s rate" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Use the campaign’s rate" }).waitFor();
    expect(await periodsOf(id)).toEqual([period]);
    await dashboard.turn(page, `/affiliates/${id}?tab=history`);
    await page.getByText("42.5% of every payment").first().waitFor();
    await checkScreen(page, "affiliate-rate-history");
    await finish(watched);
  });

  it("takes conditions, a start and a note, and shows what the service refuses", async () => {
    const id = await addAffiliate("Bea");
    const watched = await dashboard.openInTab(`/affiliates/${id}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Set own rate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reward").selectOption({ label: "Fixed amount" });
    await dialog.getByLabel("Amount", { exact: true }).fill("20.123");
    await dialog.getByLabel("From").fill("2031-05-01T10:00");
    await dialog.getByLabel("Note").fill("Conference deal");
    await dialog.getByRole("button", { name: "More conditions" }).click();
    await dialog.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("menuitem", { name: "Payments" }).click();
    await checkScreen(page, "affiliate-rate-dialog");
    await dialog.getByRole("button", { name: "Set rate" }).click();
    await dialog.getByLabel("Amount", { exact: true }).and(page.locator("[aria-invalid=true]")).fill("20");
    await dialog.getByRole("button", { name: "Set rate" }).click();
    await page.getByText("$20.00 for the first payment").waitFor();
    await page.getByText("planned").waitFor();
    // It has not started.
    expect(await page.getByText("Own rate since").count()).toBe(0);
    expect(await periodsOf(id)).toMatchObject([
      {
        starts_at: new Date("2031-05-01T10:00").toISOString(),
        note: "Conference deal",
        rules: [{ conditions: { payments: { from: 1, to: 1 } }, reward: { type: "fixed" } }],
      },
    ]);
    await checkScreen(page, "affiliate-rate-planned");
    await finish(watched, ["400"]);
  });

  it.runIf(FULL_TESTS)("sets the rate of several affiliates at once", async () => {
    const ids = [await addAffiliate("Cid"), await addAffiliate("Dan")];
    const watched = await dashboard.openInTab(`/affiliates?campaign=${campaign_id}`);
    const { page } = watched;
    for (const name of ["Cid", "Dan"]) {
      await page.getByRole("checkbox", { name: new RegExp(name) }).check();
    }
    await page.getByRole("button", { name: "Set own rate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Set own rate of 2 affiliates").waitFor();
    await dialog.getByLabel("Percent").fill("50");
    await checkScreen(page, "affiliates-rate");
    await dialog.getByLabel("Percent").press("Enter");
    await page.getByText("Rate set for 2 affiliates").waitFor();
    for (const id of ids)
      expect(await periodsOf(id)).toMatchObject([{ rules: [{ reward: { amount: 50 } }] }]);
    await finish(watched);
  });
});
