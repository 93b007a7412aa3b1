import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { closePage } from "@findersfee/ui/testing/watched-page";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "../in-browser.ts";
import { createOwing, payOwing, payoutsOf } from "../payouts/payouts.ts";
import type { Place } from "../program.ts";

describeInBrowser("adjustments in a browser", (dashboard) => {
  let paying: Place;

  beforeAll(async () => {
    paying = await createOwing(dashboard.database, "Adjusting");
    await payOwing(dashboard.database, paying);
  });

  const { open } = dashboard;

  async function jane(): Promise<{ affiliate_id: string; commission_id: string; payout_id: string }> {
    const payout_id = (await payoutsOf(dashboard.database, paying)).get("Jane Doe")?.id ?? "";
    const [row] = await dashboard.database<{ affiliate_id: string; commission_id: string }[]>`
      select affiliate_id, commission_id from payout_commissions where payout_id = ${payout_id}
      order by commission_id`;
    if (row === undefined) throw new Error("Jane was not paid");
    return { ...row, payout_id };
  }

  it("claw back a paid commission, and say why the balance is negative", async () => {
    const { affiliate_id, commission_id } = await jane();
    const { page, complaints } = await open(`/commissions/${commission_id}`, { at: paying, role: "admin" });
    await page.getByRole("button", { name: "Claw back" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Below zero: later payouts deduct it first.").waitFor();
    await expect.poll(() => dialog.getByLabel("Amount").inputValue()).toBe("98");
    await expect
      .poll(() => dialog.getByLabel("Reason").inputValue())
      .toBe("Clawback of the commission of Jan 1, 2026");
    await checkScreen(page, "adjustment-clawback");
    await dialog.getByRole("button", { name: "Claw back" }).click();
    await page.getByRole("heading", { name: "Adjustments" }).waitFor();
    await checkScreen(page, "commission-clawed-back");
    await page.goto(`${dashboard.service.url}${paying.home}/affiliates/${affiliate_id}`);
    await page.getByText("−$98.00 is carried forward and deducted from later earnings:").waitFor();
    await page.getByText("−$98.00 by adjustments").waitFor();
    await checkScreen(page, "affiliate-carried-forward");
    await page.goto(`${dashboard.service.url}${paying.home}/affiliates/${affiliate_id}?tab=ledger`);
    await page.getByText("Clawback of the commission of Jan 1, 2026").waitFor();
    await checkScreen(page, "affiliate-ledger-adjusted");
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it("add a bonus with the balance after it, withdraw it, and restore it", async () => {
    const { affiliate_id } = await jane();
    const { page, complaints } = await open(`/affiliates/${affiliate_id}`, { at: paying, role: "admin" });
    await page.getByRole("button", { name: "Add adjustment" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText("Enter an amount other than 0.").waitFor();
    await dialog.getByRole("textbox", { name: "Amount" }).fill("1,200.50");
    await dialog.getByRole("radio", { name: "Clawback" }).check();
    await expect.poll(() => dialog.getByLabel("Reason").inputValue()).toBe("Clawback of a paid commission");
    await dialog.getByRole("radio", { name: "Bonus" }).check();
    await dialog.getByLabel("Reason").fill("Winner of the autumn contest");
    await dialog.getByText("It is due now: the next payout includes it.").waitFor();
    await checkScreen(page, "adjustment-new");
    await dialog.getByRole("button", { name: "Add" }).click();
    const line = page.getByRole("listitem").filter({ hasText: "Winner of the autumn contest" });
    await line.getByText("$1,200.50").waitFor();
    await checkScreen(page, "affiliate-adjustments");
    await line.getByRole("button", { name: "Withdraw" }).click();
    await line.getByText("Withdrawn").waitFor();
    await line.getByRole("button", { name: "Restore" }).click();
    await line.getByText("Due").waitFor();
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it.runIf(FULL_TESTS)(
    "are exported beside commissions, of all affiliates or of the filtered one",
    async () => {
      const { affiliate_id } = await jane();
      const { page, complaints } = await open("/commissions", { at: paying, role: "admin" });
      await page.getByRole("button", { name: "Export" }).press("Enter");
      await page.getByRole("menuitem", { name: "All adjustments" }).waitFor();
      await checkScreen(page, "commissions-export");
      await page.getByRole("menuitem", { name: "All adjustments" }).press("Enter");
      await page.getByText("Export started.").waitFor();
      await page.goto(`${dashboard.service.url}${paying.home}/commissions?affiliate=${affiliate_id}`);
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: "This affiliate’s adjustments" }).click();
      const inputs = async () =>
        await dashboard.database`
        select input from jobs where organization_id = ${paying.organization_id} order by id`;
      await expect.poll(inputs).toEqual([{ input: {} }, { input: { affiliate_id } }]);
      expect(complaints).toEqual([]);
      await closePage(page);
    },
  );

  it.runIf(FULL_TESTS)("are shown to viewers without buttons", async () => {
    const { affiliate_id, commission_id } = await jane();
    const { page } = await open(`/affiliates/${affiliate_id}`, { at: paying, role: "viewer" });
    await page.getByText("Winner of the autumn contest").waitFor();
    expect(await page.getByRole("button", { name: /Add adjustment|Withdraw/ }).count()).toBe(0);
    await page.goto(`${dashboard.service.url}${paying.home}/commissions/${commission_id}`);
    await page.getByRole("heading", { name: "Adjustments" }).waitFor();
    expect(await page.getByRole("button", { name: "Claw back" }).count()).toBe(0);
    await closePage(page);
  });
});
