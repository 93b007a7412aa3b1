/* Amounts of a billion and more, in lists and in an affiliate's balances; and lists without rows to export. */
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { addPartner } from "@findersfee/domain/testing/attribution/program";
import { earn } from "@findersfee/domain/testing/ledger/program";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreenAgain } from "@findersfee/ui/testing/screens";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace } from "./program.ts";

const CURRENCIES = ["USD", "JPY", "CHF", "XAF"];

/** The texts of amounts and counts that their cells cut, and those of balances that break. */
const CUT = `[...document.querySelectorAll("main td.text-right, main dd")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8)));
  const is_cut = [cell, ...cell.children].some((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 1);
  return is_cut || (cell.matches("dl.flex dd") && lines.size > 1);
}).map((cell) => cell.textContent)`;

describeInBrowser("large amounts", (dashboard) => {
  let affiliate_id: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    ({ affiliate_id } = await addPartner(
      context,
      {},
      { email: "billions@example.com", first_name: "Wilhelmina" },
    ));
    const email = "a-customer-with-a-long-address@customers.test";
    const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
    for (const currency of CURRENCIES) {
      const amount = currency === "JPY" || currency === "XAF" ? 1_234_567_890 : 1_234_567_890.12;
      await earn(context, { affiliate_id, referral_id: referral.id }, { amount, currency });
    }
  });

  it.each([
    ["affiliates", "/affiliates", "table"],
    ["referrals", "/referrals", "table"],
    ["commissions", "/commissions", "table"],
    ["next-run", "/payouts/next?part=held", "main"],
    ["performance", "/performance", "table"],
    ["overview", "", "main"],
    ["affiliate", "/affiliates/ID", "dl"],
    ["affiliate-commissions", "/affiliates/ID?tab=commissions", "table"],
    ["affiliate-ledger", "/affiliates/ID?tab=ledger", "table"],
  ])("%s shows them whole", async (name, path, part) => {
    const watched = await dashboard.openInTab(path.replace("ID", affiliate_id));
    const { page } = watched;
    await page.locator(part).first().waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await page.evaluate(CUT), "wide").toEqual([]);
    await checkScreenAgain(page, `large-amounts-${name}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(CUT), "narrow").toEqual([]);
    await finish(watched);
  });

  it.each(["/claims", "/developers/events", "/referrals", "/payments"])(
    "%s exports no empty list",
    async (path) => {
      const at = await createPlace(dashboard.database);
      const watched = await dashboard.open(path, { at });
      const button = watched.page.getByRole("button", { name: "Export", exact: true });
      await expect.poll(() => button.isDisabled(), { timeout: LOAD_MILLISECONDS }).toBe(true);
      await finish(watched);
    },
  );
});
