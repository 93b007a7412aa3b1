import type { CommissionRuleInput } from "@findersfee/contract/campaigns/rules";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen } from "@findersfee/ui/testing/screens";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { LONG_NAME } from "./program.ts";

describeInBrowser("rules of campaigns", (dashboard) => {
  const staff = (role?: "admin") => dashboard.service.staff(dashboard.place.organization_id, role);

  async function createCampaign(name: string, rules: unknown[] = []): Promise<string> {
    const { trpc } = await staff();
    const { id } = await trpc.campaigns.create.mutate({
      ...{ name, website_url: "https://shop.test", commission_type: "percentage", commission_amount: 30 },
      ...{ limit_type: "months", limit_amount: 12 },
      rules: rules as CommissionRuleInput[],
    });
    return id;
  }

  async function rulesOf(id: string) {
    const { trpc } = await staff();
    const { rules } = await trpc.campaigns.get.query({ id });
    return rules.map(({ id: _id, ...rule }) => rule);
  }

  const section = (page: Page) => page.getByRole("group", { name: /^Rules/ });

  async function addCondition(page: Page, name: string): Promise<void> {
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("menuitem", { name }).click();
  }

  it("adds rules as sentences, says which never match, and shows what they pay", async () => {
    const id = await createCampaign("Yearly");
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await section(page).scrollIntoViewIfNeeded();
    await checkScreen(page, "campaign-rules-none");
    await section(page).getByRole("button", { name: "Add rule" }).click();
    await section(page).getByLabel("Percent").fill("50");
    await addCondition(page, "Billing interval");
    await addCondition(page, "Countries");
    await page.getByLabel("Countries", { exact: true }).fill("us, ca");
    await page.getByText("50% of yearly plans in the United States and Canada").waitFor();
    await page.getByLabel("Customer’s monthly payment").fill("100");
    await page.getByText("$360.00 of $1,300.00 in total").waitFor();
    await page.getByRole("combobox", { name: "Billing interval" }).selectOption({ label: "Yearly" });
    await page.getByLabel("Customer’s yearly payment").waitFor();
    await page.getByLabel("Customer’s country").selectOption({ label: "Canada" });
    await page.getByText("$50.00 of $200.00 in total").waitFor();
    await page.getByRole("button", { name: "More for rule 1" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByText("Never matches: rule 1 takes all that it would.").waitFor();
    await page.getByRole("button", { name: "Remove condition: Countries" }).click();
    await page.getByText("Never matches").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Move rule 2 up" }).press("Enter");
    await page.getByText("The rule is now number 1.").waitFor({ state: "attached" });
    await page.getByText("Never matches: rule 1 takes all that it would.").waitFor();
    await checkScreen(page, "campaign-rules-form");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    const reward = { type: "percentage", amount: 50, amounts: [] };
    expect(await rulesOf(id)).toEqual([
      { name: null, conditions: { intervals: ["year"] }, reward },
      { name: null, conditions: { intervals: ["year"], countries: ["US", "CA"] }, reward },
    ]);
    // Schedules of half-typed rules are refused.
    await finish(watched, ["400"]);
  });

  it("asks for a new tier and for tags, and shows what they pay", async () => {
    const id = await createCampaign("By affiliates");
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await page.getByRole("button", { name: "Add tier" }).click();
    await page.getByLabel("From", { exact: true }).fill("10");
    await page.getByLabel("Commission", { exact: true }).last().fill("35");
    await section(page).getByRole("button", { name: "Add rule" }).click();
    await section(page).getByLabel("Percent").fill("50");
    await addCondition(page, "Tiers");
    await section(page).getByRole("checkbox", { name: "Silver" }).check();
    await addCondition(page, "Tags of the affiliate");
    await page.getByLabel("Tags of the affiliate", { exact: true }).fill("Agency, VIP");
    const sentence =
      "50% of payments by affiliates of the tier “Silver”, by affiliates tagged “agency” or “vip”";
    await page.getByText(sentence).waitFor();
    await page.getByLabel("Customer’s monthly payment").fill("100");
    await page.getByText("$360.00 of $1,300.00 in total").waitFor();
    await page.getByLabel("Affiliate’s tier").selectOption({ label: "Silver" });
    await page.getByText("$420.00 of $1,300.00 in total").waitFor();
    await page.getByLabel("Affiliate’s tag", { exact: true }).selectOption({ label: "vip" });
    await checkScreen(page, "campaign-rules-of-affiliates");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    const { tiers } = await (await staff()).trpc.campaigns.get.query({ id });
    const conditions = { tiers: [tiers?.steps[0]?.id], tags: ["agency", "vip"] };
    expect(await rulesOf(id)).toMatchObject([{ conditions }]);
    // Schedules of half-typed tiers and rules are refused.
    await finish(watched, ["400"]);
  });

  it("shows what the service refuses at its field, in a rule that was closed, and deletes rules", async () => {
    const id = await createCampaign("Refused");
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await section(page).getByRole("button", { name: "Add rule" }).click();
    await section(page).getByLabel("Percent").fill("10.12345");
    await addCondition(page, "Countries");
    await page.getByLabel("Countries", { exact: true }).fill("US, Germany");
    await page.getByRole("button", { name: "Close rule 1" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    const wrong = page.getByLabel("Countries", { exact: true }).and(page.locator("[aria-invalid=true]"));
    await wrong.fill("US");
    await page.getByRole("button", { name: "Save changes" }).click();
    await section(page).getByLabel("Percent").and(page.locator("[aria-invalid=true]")).fill("10.1234");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Saved ·").waitFor();
    await page.getByRole("button", { name: "More for rule 1" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Add rule");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => rulesOf(id)).toEqual([]);
    await finish(watched, ["400"]);
  });

  const percent = (amount: number) => ({ type: "percentage", amount });

  it("shows rules of every kind, and the campaign's rates after them", async () => {
    const id = await createCampaign("Every kind", [
      { name: "Launch", conditions: { promo_codes: ["LAUNCH"], months: { to: 12 } }, reward: percent(40) },
      {
        ...{ name: null, conditions: { amount: { currency: "USD", from: 1000 }, payments: { to: 1 } } },
        reward: { type: "fixed", amounts: [{ currency: "USD", amount: 200 }] },
      },
      { name: null, conditions: { months: { from: 13 } }, reward: { type: "nothing" } },
      { name: null, conditions: { payments: { from: 2 } }, reward: percent(20) },
      {
        ...{ name: null, conditions: { amount: { currency: "USD", from: 2000 } } },
        ...{ reward: percent(10) },
      },
    ]);
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await page.getByText("40% of payments for the first 12 months, with the promo code LAUNCH").waitFor();
    await page.getByText("Never matches: rules 2 and 4 together take all that it would.").waitFor();
    await page.getByText("Before all rules: only 12 months of a customer earn").waitFor();
    await page.getByText("Before all rules").scrollIntoViewIfNeeded();
    await checkScreen(page, "campaign-rules-three");
    await page.getByRole("button", { name: "30% of every payment" }).click();
    await expect
      .poll(() => page.evaluate("document.activeElement?.closest('#campaign-rate') !== null"))
      .toBe(true);
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("shows 50 rules with long texts, and takes no more", async () => {
    const id = await createCampaign(
      "Fifty",
      Array.from({ length: 50 }, (_, index) => ({
        name: index % 7 === 0 ? LONG_NAME : null,
        conditions: {
          products: [`prod_${index}_${index % 5 === 0 ? LONG_NAME : ""}`],
          ...(index % 3 === 0 && { metadata: { key: "plan", values: [LONG_NAME, "b"] } }),
        },
        reward: percent(index + 1),
      })),
    );
    const watched = await dashboard.openInTab(`/campaigns/${id}/rules`);
    const { page } = watched;
    await page.getByText("At most 50 rules.").waitFor();
    expect(await section(page).getByRole("button", { name: "Add rule" }).isDisabled()).toBe(true);
    await section(page).scrollIntoViewIfNeeded();
    await checkScreen(page, "campaign-rules-fifty");
    await finish(watched);
  });
});
