/* Amounts of a billion and more, in lists and in an affiliate's balances; and lists without rows to export. */
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { createAdjustment } from "@findersfee/domain/ledger/adjustments/create";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { addPartner } from "@findersfee/domain/testing/attribution/program";
import { earn } from "@findersfee/domain/testing/ledger/program";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { showsAmountsWhole } from "@findersfee/ui/testing/cut-amounts";
import { checkScreenAgain, takePicture } from "@findersfee/ui/testing/screens";
import { fitsWindow, settle } from "@findersfee/ui/testing/watched-page";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { finishRuns } from "./payouts/payouts.ts";
import { createPlace } from "./program.ts";

const CURRENCIES = ["USD", "JPY", "VND", "CHF", "XAF"];
const WIDTHS = [1440, 1100, 1000, 900, 800, 720, 390];
const LONG_NAME = "Freifrau von und zu Hohenlohe-Waldenburg-Schillingsfürst ".repeat(4).trim();
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");

describeInBrowser("large amounts", (dashboard) => {
  let affiliate_id: string;
  let run_id: string;
  let payout_id: string;

  beforeAll(async () => {
    const { context } = dashboard.place;
    ({ affiliate_id } = await addPartner(
      context,
      {},
      { email: "billions@example.com", first_name: "Wilhelmina", last_name: LONG_NAME },
    ));
    const email = "a-customer-with-a-long-address@customers.test";
    const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
    const earner = { affiliate_id, referral_id: referral.id };
    const earnAll = async (fields: { referral_date?: Date }) => {
      for (const currency of CURRENCIES) {
        const amount = currency === "USD" || currency === "CHF" ? 1_234_567_890.12 : 1_234_567_890;
        await earn(context, earner, { amount, currency, ...fields });
      }
    };
    await earnAll({ referral_date: LONG_AGO });
    const adjustment = { amount: 1_234_567_890.12, currency: "USD", reason: "Winner of the autumn contest" };
    await createAdjustment(context, { affiliate_id, ...adjustment });
    const run = await startPayoutRun(context, { method: "manual" });
    run_id = run.id;
    await finishRuns(dashboard.database);
    const [payout] = await dashboard.database<{ id: string }[]>`
      select id from payouts where affiliate_id = ${affiliate_id} and currency = 'USD'`;
    payout_id = payout?.id ?? "";
    await updateSettings(context, { minimum_payouts: { USD: 5_000_000_000 } });
    await earnAll({ referral_date: LONG_AGO });
    await earnAll({});
  });

  it.each([
    ["affiliates", "/affiliates", "table"],
    ["referrals", "/referrals", "table"],
    ["commissions", "/commissions", "table"],
    ["next-run", "/payouts/next", "table"],
    ["next-run-held", "/payouts/next?part=held", "table"],
    ["next-run-below", "/payouts/next?part=below_minimum", "table"],
    ["payouts", "/payouts", "main"],
    ["payouts-all", "/payouts/all", "table"],
    ["run", "/payouts/runs/RUN", "table"],
    ["payout", "/payouts/PAYOUT", "table"],
    ["statement", "/payouts/PAYOUT/statement", "table"],
    ["performance", "/performance", "table"],
    ["overview", "", "main"],
    ["affiliate", "/affiliates/ID", "dl"],
    ["affiliate-commissions", "/affiliates/ID?tab=commissions", "table"],
    ["affiliate-ledger", "/affiliates/ID?tab=ledger", "table"],
  ])("%s shows them whole", async (name, path, part) => {
    const named = path.replace("ID", affiliate_id).replace("RUN", run_id).replace("PAYOUT", payout_id);
    const watched = await dashboard.openInTab(named);
    const { page } = watched;
    await page.locator(part).first().waitFor({ timeout: LOAD_MILLISECONDS });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await settle(page);
      await fitsWindow(page, `${name} ${width} pixels wide`);
      await showsAmountsWhole(page);
      await takePicture(page, `large-amounts-${name}-${width}`);
    }
    await checkScreenAgain(page, `large-amounts-${name}`);
    await finish(watched);
  });

  it("cuts nothing that a phone has no tooltip for", async () => {
    const watched = await dashboard.openInTab("/payouts/next");
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 900 });
    const notice = page.getByText("You can start another one this month.");
    await notice.waitFor({ timeout: LOAD_MILLISECONDS });
    expect(await notice.evaluate(HIDDEN_PIXELS)).toBe(0);
    await dashboard.turn(page, "/settings/history");
    const id = page.getByText(/^…[0-9a-f]{8}$/).first();
    await id.waitFor();
    expect((await id.boundingBox())?.height).toBeLessThan(30);
    await finish(watched);
  });

  it("prints them whole, and a long name", async () => {
    const watched = await dashboard.openInTab(`/payouts/${payout_id}/statement`);
    const { page } = watched;
    await page.getByRole("table").waitFor({ timeout: LOAD_MILLISECONDS });
    // A4 in the margins of browsers.
    await page.setViewportSize({ width: 718, height: 1047 });
    await page.emulateMedia({ media: "print" });
    await fitsWindow(page, "a printed statement");
    await showsAmountsWhole(page);
    const name = page.getByText(`Wilhelmina ${LONG_NAME}`, { exact: true });
    expect(await name.evaluate(HIDDEN_PIXELS)).toBe(0);
    await takePicture(page, "large-amounts-printed");
    await page.emulateMedia({ media: null });
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

/** How much of a text its place cuts. */
const HIDDEN_PIXELS = (element: {
  scrollHeight: number;
  clientHeight: number;
  scrollWidth: number;
  clientWidth: number;
}) => element.scrollHeight - element.clientHeight + element.scrollWidth - element.clientWidth;
