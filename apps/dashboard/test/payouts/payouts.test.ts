import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { banAffiliates } from "@findersfee/domain/ban-affiliates";
import { updateCommission } from "@findersfee/domain/commissions/update";
import { referenceOf } from "@findersfee/domain/payouts/reference";
import { axeProblems } from "@findersfee/ui/testing/axe";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { fitsWindow } from "@findersfee/ui/testing/watched-page";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, finish } from "../in-browser.ts";
import {
  affiliatesOf,
  createOwing,
  finishRuns,
  oweInEuros,
  type PayoutRow,
  payOwing,
  payoutsOf,
  returnAfterErasure,
} from "./payouts.ts";

const HEADER = '"Status","Currency","Gross","Custom Number"';

/** A line of PayPal's activity report. */
function lineOf({ id, amount, currency }: PayoutRow, status: string): string {
  return [status, currency, `-${amount}`, referenceOf(id)].map((cell) => `"${cell}"`).join(",");
}

describeInBrowser("payouts in a browser", (dashboard) => {
  const { open } = dashboard;

  const chooseReport = (page: Page, lines: readonly string[]) =>
    page.getByLabel("Drop the report here, or choose a file").setInputFiles({
      name: "report.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`${[HEADER, ...lines].join("\n")}\n`),
    });

  async function startRun(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Start run…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("5 payouts to 5 affiliates: $319.70 · €310.00").waitFor();
    await dialog.getByRole("textbox", { name: "Type $319.70 to confirm" }).fill("319.7");
    await dialog.getByRole("button", { name: "Start run" }).click();
  }

  it.runIf(FULL_TESTS)(
    "counts an affiliate who is owed in two currencies once, and its payouts twice",
    async () => {
      const place = await createOwing(dashboard.database);
      await oweInEuros(place, "jane@example.com");
      const counted = "6 payouts to 5 affiliates";
      const watched = await open("/payouts", { at: place });
      const { page } = watched;
      await page.getByText(`The next run creates ${counted}`).waitFor();
      await page.getByRole("link", { name: "Preview the next run" }).first().click();
      await page
        .getByText(`The next run creates ${counted}. Affiliates have a row for each currency.`)
        .waitFor();
      await page.getByRole("link", { name: "Will be paid 6" }).waitFor();
      await checkScreen(page, "next-run-two-currencies");
      await page.goto(page.url().replace(/\/payouts.*/, "/settings/payouts"));
      await page.getByText(counted).waitFor();
      await page.goto(page.url().replace(/\/settings.*/, ""));
      // Kim is below the minimum, and is owed, too.
      await page.getByText("due to 6 affiliates").waitFor();
      await finish(watched);
    },
  );

  it.runIf(FULL_TESTS)(
    "offers to pay what a ban held when the ban ends, and to void what came back after an erasure",
    async () => {
      const place = await createOwing(dashboard.database);
      const affiliates = await affiliatesOf(place);
      const jane = affiliates.get("jane@example.com") ?? "";
      const max = affiliates.get("max@example.com") ?? "";
      await banAffiliates(place.context, { ids: [jane], reason: "Ads on our name.", due: "hold" });
      await returnAfterErasure(place, max);
      const watched = await open(`/affiliates/${jane}`, { at: place });
      const { page } = watched;
      await page.getByText("Payout runs leave this affiliate out because of the ban").waitFor();
      await checkScreen(page, "affiliate-held");
      await page.getByRole("button", { name: "Unban…" }).click();
      const dialog = page.getByRole("dialog", { name: "Unban Jane Doe?" });
      await dialog.getByText("$145.00 is held or due").waitFor();
      await dialog.getByRole("radio", { name: "Keep it on hold" }).check();
      await dialog.getByRole("button", { name: "Unban" }).click();
      await page.getByText("Unbanned 1 affiliate").waitFor();
      await page.goto(page.url().replace(/\/affiliates.*/, ""));
      await page.getByText("1 affiliate is left out of payout runs, although the ban has ended").waitFor();
      await page.getByText("1 erased affiliate has money due that cannot be paid: void it").click();
      await page.getByText("left out, ban ended: Ads on our name.").waitFor();
      await page.goto(page.url().replace(/\/payouts.*/, `/affiliates/${max}`));
      await page.getByText("$60.00 is due and cannot be paid").waitFor();
      await checkScreen(page, "affiliate-erased-owed");
      await page.getByRole("button", { name: "Void…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Void" }).click();
      await page.getByText("$60.00 is due and cannot be paid").waitFor({ state: "detached" });
      await finish(watched);
    },
  );

  it("goes from the preview by the typed sum, the file and the report to a paid run and a statement", async () => {
    const place = await createOwing(dashboard.database);
    const watched = await open("/payouts", { at: place });
    const { page } = watched;
    await page.getByText("The next run creates 5 payouts to 5 affiliates").waitFor();
    await page.getByRole("link", { name: "Preview the next run" }).first().click();
    await page.getByText("$24.50 held until").waitFor();
    await page.getByRole("link", { name: "Below minimum 1" }).click();
    await page.getByText("$49.99 below $50.00 minimum").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);

    await page.getByRole("button", { name: "Start run…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Type $319.70 to confirm" }).fill("319.07");
    await dialog.getByRole("button", { name: "Start run" }).click();
    await dialog.getByText("That is not $319.70.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await startRun(page);
    await page.getByText("Payouts are being created").waitFor();
    await finishRuns(dashboard.database);
    // The page follows the run.
    await page.getByText("5 open").first().waitFor();

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download: PayPal file, USD" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^payouts-\d{4}-\d{2}-paypal-USD\.csv$/);
    await page.getByText("Do not send it twice.").waitFor();
    await page.getByRole("button", { name: "Download again: PayPal file, USD" }).waitFor();

    const payouts = await payoutsOf(dashboard.database, place);
    const lines = [...payouts.values()].map((payout) =>
      lineOf(payout, payout.affiliate_name === "Max Roe" ? "Returned" : "Completed"),
    );
    await chooseReport(page, lines);
    await page.getByText("4 paid · 1 failed").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Returned" }).getByText("Max Roe").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Report applied: 4 paid, 1 failed").waitFor();
    await page.getByText("Every payout is paid, failed or canceled.").first().waitFor();

    await page.getByRole("row").filter({ hasText: "Jane Doe" }).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "$120.50 to Jane Doe" }).waitFor();
    await page.getByText("Entry ").nth(1).waitFor();
    await page.getByRole("link", { name: "Statement" }).click();
    await page.getByRole("heading", { level: 1, name: /^Payout statement, / }).waitFor();
    await page.getByText("Paid on ").waitFor();
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("row", { name: "Total $120.50" }).isVisible()).toBe(true);
    await finish(watched);
  });

  it("asks again if the amount changed, and pays chosen affiliates by themselves", async () => {
    const place = await createOwing(dashboard.database);
    const watched = await open("/payouts/next?part=included", { at: place });
    const { page } = watched;
    await page.getByRole("button", { name: "Start run…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Type $319.70 to confirm" }).fill("319.7");
    const [row] = await dashboard.database<{ id: string }[]>`
      select commission.id from commissions commission
      join affiliates affiliate on affiliate.organization_id = commission.organization_id and affiliate.id = commission.affiliate_id
      where commission.organization_id = ${place.organization_id} and affiliate.first_name = 'Max Roe'`;
    await updateCommission(place.context, { id: row?.id ?? "", commission_amount: 50 });
    await dialog.getByRole("button", { name: "Start run" }).click();
    await dialog.getByText(/^The amount changed: the run would create/).waitFor();
    await dialog.getByRole("textbox", { name: "Type $309.70 to confirm" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "Select Jane Doe" }).check();
    await page.getByRole("button", { name: "Pay only these…" }).click();
    await dialog.getByText("1 payout to 1 affiliate: $120.50").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("textbox", { name: "Type $120.50 to confirm" }).fill("120.5");
    await dialog.getByRole("button", { name: "Start run" }).click();
    await page.getByText(/^The .* run 2 started$/).waitFor();
    await finishRuns(dashboard.database);
    await page.getByText("1 open").first().waitFor();
    await finish(watched, ["409"]);
  });

  it.runIf(FULL_TESTS)("finds a payout of any run by currency and affiliate, and marks it", async () => {
    const place = await createOwing(dashboard.database);
    await payOwing(dashboard.database, place);
    const watched = await open("/payouts", { at: place });
    const { page } = watched;
    await page.getByRole("link", { name: "All payouts" }).click();
    const rows = page.locator("tbody").getByRole("row");
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole("button", { name: "Currency" }).click();
    await page.getByRole("menuitemcheckbox", { name: "EUR" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).search).toBe("?currency=EUR");
    await page.getByRole("textbox", { name: "Affiliate, payout id or reference" }).fill("jane");
    await page.getByText("No payouts match “jane”").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("checkbox", { name: "Select Ann Poe" }).check();
    await page.getByRole("button", { name: "Mark as…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Processing" }).check();
    await dialog.getByRole("button", { name: "Mark", exact: true }).click();
    await rows.filter({ hasText: "Ann Poe" }).getByText("Processing").waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)("changes nothing by a wrong report, and names its lines", async () => {
    const place = await createOwing(dashboard.database);
    const run_id = await payOwing(dashboard.database, place);
    const watched = await open(`/payouts/runs/${run_id}`, { at: place });
    const { page } = watched;
    const payouts = [...(await payoutsOf(dashboard.database, place)).values()];
    const ann = payouts.find(({ affiliate_name }) => affiliate_name === "Ann Poe");
    const jane = payouts.find(({ affiliate_name }) => affiliate_name === "Jane Doe");
    if (ann === undefined || jane === undefined) throw new Error("no payouts");
    await chooseReport(page, [lineOf({ ...ann, amount: "310.01" }, "Completed"), lineOf(jane, "Completed")]);
    await page.getByText("The report was rejected; nothing was changed").waitFor();
    await page.getByText('line 2: The amount "-310.01" differs from the payout\'s.').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await expect.poll(() => page.getByRole("button", { name: "Apply" }).count()).toBe(0);
    await page.getByRole("button", { name: "Choose another file" }).click();
    await chooseReport(page, [lineOf(ann, "Unclaimed")]);
    await page.getByText("1 open").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Apply" }).count()).toBe(0);
    await page.getByText("1 paid · 1 failed · 3 open").first().waitFor();
    await finish(watched, ["400"]);
  });

  it("shows a viewer the run without its buttons, and refuses the procedures and the files", async () => {
    const place = await createOwing(dashboard.database);
    const watched = await open("/payouts/next", { at: place, role: "viewer" });
    const { page } = watched;
    await page.getByText("$24.50 held until").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Start run…" }).count()).toBe(0);
    const run_id = await payOwing(dashboard.database, place);
    await dashboard.turn(page, `/payouts/runs/${run_id}`, place);
    await page.getByText("PayPal file, USD").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /Download|Mark|Apply/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(0);
    const statusOf = async (method: string, path: string, body?: string) => {
      const type = path.startsWith("/trpc") ? "application/json" : "text/csv";
      const init = {
        method,
        headers: { "findersfee-organization": place.organization_id, "content-type": type },
      };
      const text = `fetch(${JSON.stringify(path)}, ${JSON.stringify({ ...init, ...(body === undefined ? {} : { body }) })}).then((answer) => answer.status)`;
      return await page.evaluate(text);
    };
    const files = `/dashboard/payout-runs/${run_id}`;
    expect(await statusOf("GET", `${files}/export?format=paypal&currency=USD`)).toBe(403);
    expect(await statusOf("POST", `${files}/results?format=paypal`, `${HEADER}\n`)).toBe(403);
    expect(await statusOf("POST", "/trpc/dashboard.payout_runs.start", '{"method":"manual"}')).toBe(403);
    const move = JSON.stringify({
      ids: [...(await payoutsOf(dashboard.database, place)).values()].map(({ id }) => id),
      status: "canceled",
    });
    expect(await statusOf("POST", "/trpc/dashboard.payouts.move", move)).toBe(403);
    await finish(watched, ["403"]);
  });

  it.runIf(FULL_TESTS)("tells the second person who starts the same run that it exists", async () => {
    const place = await createOwing(dashboard.database);
    const [first, second] = [
      await open("/payouts/next", { at: place }),
      await open("/payouts/next", { at: place }),
    ];
    await second.page.getByRole("button", { name: "Start run…" }).click();
    const sum = second.page.getByRole("dialog").getByRole("textbox", { name: "Type $319.70 to confirm" });
    await sum.fill("319.7");
    await startRun(first.page);
    await first.page.getByText(/^The .* run started$/).waitFor();
    await second.page.getByRole("dialog").getByRole("button", { name: "Start run" }).click();
    await second.page.getByText(/^Jane Doe had already started the .* run$/).waitFor();
    await expect.poll(() => new URL(second.page.url()).pathname).toBe(new URL(first.page.url()).pathname);
    await finish(second);
    const third = await open("/payouts/next", { at: place, role: "admin" });
    await third.page.getByText(/^The .* run has started\.$/).waitFor();
    await startRun(third.page);
    await third.page
      .getByText("A payout run is in progress; a further one can start once it finishes.")
      .waitFor();
    await finish(third, ["409"]);
    await finish(first);
  });

  it.runIf(FULL_TESTS)(
    "says after a lost connection that all payouts were marked or none, and shows which",
    async () => {
      const place = await createOwing(dashboard.database);
      const run_id = await payOwing(dashboard.database, place);
      const watched = await open(`/payouts/runs/${run_id}?status=open`, { at: place });
      const { page } = watched;
      const rows = page.getByRole("row");
      await expect.poll(() => rows.count()).toBe(4);
      await page.getByRole("checkbox", { name: "Select all rows on this page" }).check();
      await page.getByRole("button", { name: "Mark as…" }).click();
      const dialog = page.getByRole("dialog", { name: "Mark 3 payouts" });
      // The request is lost on its way: none was marked.
      await page.route("**/trpc/dashboard.payouts.move*", (route) => route.abort());
      await dialog.getByRole("button", { name: "Mark", exact: true }).click();
      await dialog.getByText("Choose what happened to the payment.").waitFor();
      await dialog.getByRole("radio", { name: /^Paid/ }).check();
      await dialog.getByRole("button", { name: "Mark", exact: true }).click();
      await dialog.getByText("Either all or none were marked").waitFor();
      await expect.poll(() => rows.count()).toBe(4);
      // The answer is lost: all were marked, and the list shows it.
      await page.unroute("**/trpc/dashboard.payouts.move*");
      await page.route("**/trpc/dashboard.payouts.move*", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await dialog.getByRole("button", { name: "Mark", exact: true }).click();
      await page.getByText("No payouts match").waitFor();
      await dialog.getByText("Either all or none were marked").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("4 paid · 1 failed").first().waitFor();
      await finish(watched, ["ERR_FAILED"]);
    },
  );

  it("marks what is open in one step, by keys alone", async () => {
    const place = await createOwing(dashboard.database);
    const run_id = await payOwing(dashboard.database, place);
    const watched = await open(`/payouts/runs/${run_id}`, {
      at: place,
      viewport: { width: 390, height: 844 },
    });
    const { page } = watched;
    await page.getByRole("button", { name: "Mark 3 open payouts as…" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Mark 3 payouts" });
    await dialog.getByRole("radio", { name: /^Failed/ }).focus();
    await page.keyboard.press("Space");
    await dialog.getByRole("textbox", { name: "Reason" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await fitsWindow(page);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The file was never sent");
    await dialog.getByRole("button", { name: "Mark", exact: true }).press("Enter");
    await page.getByText("3 payouts marked as failed").waitFor();
    await page.getByText("1 paid · 4 failed").first().waitFor();
    await finish(watched);
  });

  it.runIf(FULL_TESTS)(
    "creates a commission by hand for a new customer, whose payout the preview then has",
    async () => {
      const place = await createOwing(dashboard.database);
      const watched = await open("/commissions", { at: place });
      const { page } = watched;
      await page.getByRole("link", { name: "New commission" }).click();
      await page.getByRole("button", { name: "Create commission" }).click();
      await page.getByText("Choose an affiliate.").waitFor();
      await page.getByRole("button", { name: /^Affiliate/ }).click();
      await page.getByPlaceholder("Search").fill("kim@");
      await page.getByRole("option", { name: /Kim Loe/ }).click();
      await page.getByRole("button", { name: /^Customer/ }).click();
      await page.getByPlaceholder("Search").fill("new@customers.test");
      await page.getByRole("option", { name: /New customer of this affiliate/ }).click();
      await page.getByRole("textbox", { name: "Amount before tax" }).fill("100");
      await page.getByRole("textbox", { name: "Commission" }).fill("25.01");
      await page.getByLabel("Date").fill("2026-01-02");
      expect(await axeProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Create commission" }).click();
      await page.getByRole("heading", { level: 1, name: "$25.01 for Kim Loe" }).waitFor();
      await page.getByText("Matches the ledger").waitFor();
      await dashboard.turn(page, "/payouts/next?part=included&text=kim", place);
      await page.getByText("$75.00").waitFor();
      await finish(watched);
    },
  );
});
