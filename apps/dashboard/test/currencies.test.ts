/* The settings of currencies: the conversion, the known rates, and those that members add. */
import { importExchangeRates } from "@findersfee/domain/exchange-rates/import";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, second } from "@findersfee/domain/testing/attribution/reported";
import { onDay } from "@findersfee/domain/testing/dates";
import { ecbFile } from "@findersfee/domain/testing/exchange-rates/files";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace, fillPlace } from "./program.ts";

const DAY = 24 * 60 * 60 * 1000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

describeInBrowser("the settings of currencies", (dashboard) => {
  it("turn the conversion on, list the rates, and take a rate and a file", async () => {
    const place = await createPlace(dashboard.database);
    await importExchangeRates(
      dashboard.database,
      ecbFile({ [dayBefore(9)]: { GBP: "0.8333", JPY: "163.4" }, [dayBefore(1)]: { JPY: "163.41" } }),
    );
    const watched = await dashboard.open("/settings/currencies", { at: place });
    const { page } = watched;
    const row = (currency: string) => page.getByRole("row").filter({ hasText: currency });
    await row("JPY").getByText("163.41").waitFor();
    await row("GBP").getByText("too old").waitFor();
    expect(await page.getByText("No exchange rate for your currency is known").count()).toBe(0);

    await page.getByRole("checkbox", { name: "Convert for payments in other currencies" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByText("No exchange rate for your currency is known").waitFor();
    await checkScreen(page, "settings-currencies-missing");

    await page.getByRole("button", { name: "Add a rate" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a rate" });
    await dialog.getByRole("combobox", { name: "Currency" }).selectOption("AED");
    await dialog.getByRole("textbox", { name: "1 EUR =" }).fill("3,97");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("Must be a decimal number above 0").waitFor();
    await checkScreen(page, "settings-currencies-add");
    await dialog.getByRole("textbox", { name: "1 EUR =" }).fill("3.9705");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await row("AED").getByText("Added manually").waitFor();

    const upload = async (text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Upload a file" }).click();
      const file = { name: "eurofxref.xml", mimeType: "application/xml", buffer: Buffer.from(text) };
      await (await chooser).setFiles(file);
    };
    await upload("<html></html>");
    await page.getByText("The file is no envelope of the European Central Bank").waitFor();
    await upload(ecbFile({ [dayBefore(0)]: { USD: "1.0812" } }));
    await row("USD").getByText("Uploaded").waitFor();
    await page.getByText("Rates are up to date").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await checkScreen(page, "settings-currencies-known");
    await finish(watched, ["400", "400"]);
  });

  it("show in a decision what a fixed commission is in the payment's currency", async () => {
    const place = await createPlace(dashboard.database);
    const { context } = place;
    await updateSettings(context, { converts_fixed_amounts: true });
    await importExchangeRates(dashboard.database, ecbFile({ [onDay(4)]: { CHF: "0.9281", NOK: "11.7" } }));
    await dashboard.database`update organizations set currency = 'CHF' where id = ${place.organization_id}`;
    const swiss = { ...context, organization: { ...context.organization, currency: "CHF" } };
    const { affiliate_id } = await addPartner(swiss, { commission_type: "fixed", commission_amount: 50 });
    const click_id = await click(swiss, { affiliate_id, at: second(1) });
    const customer = { customer_id: "cus_chf", email: "buyer@customers.test" };
    const paid_at = new Date(`${onDay(5)}T09:00:00Z`);
    await report(
      swiss,
      checkout({ subject: "cs_chf", ...customer, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_chf", ...customer, at: paid_at, currency: "NOK", revenue_minor: 100_000n }),
    );
    const [decision] = await dashboard.database<{ id: string }[]>`
      select id from payment_decisions where organization_id = ${place.organization_id}`;
    const watched = await dashboard.open(`/payments/${decision?.id}`, { at: place });
    const { page } = watched;
    await page.getByText("CHF 50.00 = NOK 630.32").waitFor();
    await page.getByText(`at 12.6064001724 (ECB, ${onDay(4)})`).waitFor();
    await checkScreen(page, "payment-converted");
    await finish(watched);
  });

  it("tell the overview and Health that rates are missing", async () => {
    const place = await createPlace(dashboard.database);
    await fillPlace(place);
    await dashboard.database`
      update organizations set converts_fixed_amounts = true, currency = 'SEK' where id = ${place.organization_id}`;
    const watched = await dashboard.open("", { at: place });
    const { page } = watched;
    await page.getByRole("link", { name: "Exchange rates are out of date" }).click();
    await page.getByText("No exchange rate for your currency is known").waitFor();
    await page.getByRole("link", { name: "Health" }).first().click();
    await page.getByRole("heading", { name: "Exchange rates" }).waitFor();
    await checkScreen(page, "health-exchange-rates");
    await finish(watched);
  });
});
