/* The settings of currencies: the conversion, the known rates, and those that members add. */
import { importExchangeRates } from "@findersfee/domain/exchange-rates/import";
import { ecbFile } from "@findersfee/domain/testing/exchange-rates/files";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createPlace } from "./program.ts";

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
    expect(await page.getByText("No exchange rate of your currency is known").count()).toBe(0);

    await page.getByRole("checkbox", { name: "Convert for payments in other currencies" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByText("No exchange rate of your currency is known").waitFor();
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

  it("tell the overview and Health that rates are missing", async () => {
    const place = await createPlace(dashboard.database);
    await dashboard.database`
      update organizations set converts_fixed_amounts = true, currency = 'CHF' where id = ${place.organization_id}`;
    const watched = await dashboard.open("", { at: place });
    const { page } = watched;
    await page.getByRole("link", { name: "Exchange rates are out of date" }).click();
    await page.getByText("No exchange rate of your currency is known").waitFor();
    await page.getByRole("link", { name: "Health" }).first().click();
    await page.getByRole("heading", { name: "Exchange rates" }).waitFor();
    await checkScreen(page, "health-exchange-rates");
    await finish(watched);
  });
});
